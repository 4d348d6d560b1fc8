import Foundation
import StrataBase
import StrataMigration
import StrataStore
import TestSupport
import Testing

@Suite("Policy files")
struct PolicyFileTests {
  /// The policies of the demonstrations, as `DemonstrationPolicies.swift` has them in Swift.
  static let demonstrations = """
    policy TopicToTopic
      in relationships: set presenter = find or create Member where firstName == $source.presenterName
                        with email = $source.presenterEmail
      in validation: require presenter != nil, "no presenter for \\(title)"

    policy ChefToChef   # the name is split at the first space
      split $source.name at ' ' into firstName, lastName

    policy RecipeToCuisine
      skip when $source.cuisine == nil
      one destination for each $source.cuisine
    """

  /// Long in every direction: names, policies, methods, lines of one statement, versions.
  static let largeFiles: [String] = {
    let names: [String] = Array(repeating: "presenterName", count: 20_000)
    let numbers = 0..<20_000
    let policies: [String] = numbers.map { "policy P\($0)" }
    let methods: [String] = numbers.map { "  method m\($0):$a = $a" }
    let sums: [String] = numbers.map { _ in "    " }
    return [
      "policy P\n  join \(names.joined(separator: ", ")) with '-' into presenterName",
      "policy P \(names.joined(separator: " "))",
      policies.joined(separator: "\n"),
      "policy P\n" + methods.joined(separator: "\n"),
      "policy P\n  set a = nil\n" + sums.joined(separator: "x\n"),
      "stage lightweight \(names.joined(separator: ","))",
    ]
  }()

  @Test("the time to parse a file is linear in its size", arguments: largeFiles)
  func size(text: String) {
    _ = try? PolicyScript.policies(parsing: text)
    _ = try? StageScript(parsing: text)
  }

  @Test("separators in quotes, brackets and comments are ignored")
  func texts() throws {
    let policies = try PolicyScript.policies(
      parsing: """
        # Of its own.
        policy A # of a line
          set a = 'x # y, = with ' # here
          join b,
               'a, b' with ', ' into c
          require (a == 'x, y') OR b IN {1, 2}, "so, \\(a) = \\(b)"
        policy B
        """)
    #expect(policies.map(\.name) == ["A", "B"])
  }
}
