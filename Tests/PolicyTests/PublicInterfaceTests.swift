import Foundation
import Testing

/// What a team may rely on changes only together with `Docs/API.md`, where a reviewer sees it.
@Suite("Public interface of StrataKit")
struct PublicInterfaceTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The files whose declarations clients of StrataKit see.
  private static func files() throws -> [String] {
    let policy = try FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent("Sources/Policy").path)
    return policy.filter { $0.hasSuffix(".swift") }.map { "Sources/Policy/" + $0 }.sorted()
      + ["Sources/Base/Values/AttributeValue.swift", "Sources/StrataKit/EntryPoint.swift"]
  }

  @Test("Docs/API.md lists the public declarations; RECORD_SESSIONS=1 rewrites it")
  func list() throws {
    let declarations = try Self.files().flatMap {
      PublicInterface(of: try Self.text($0)).declarations
    }
    let listed = """
      # The public interface of StrataKit

      All public declarations that a program with policies of its own may use, without their documentation, which is
      in the sources and in DocC. `RECORD_SESSIONS=1 swift test --filter PublicInterface` rewrites this list.

      ```swift
      \(declarations.joined(separator: "\n"))
      ```

      """
    if ProcessInfo.processInfo.environment["RECORD_SESSIONS"] == "1" {
      try listed.write(
        to: Self.root.appendingPathComponent("Docs/API.md"), atomically: true, encoding: .utf8)
      Issue.record("Docs/API.md was rewritten: read it, then run the test without RECORD_SESSIONS")
    }
    #expect(try Self.text("Docs/API.md") == listed)
  }

  @Test("every public declaration has a documentation comment")
  func documentation() throws {
    for file in try Self.files() {
      #expect(PublicInterface(of: try Self.text(file)).undocumented.isEmpty, "\(file)")
    }
  }

  @Test("no public value holds an unowned reference")
  func references() throws {
    for file in try Self.files() { #expect(!(try Self.text(file).contains("unowned")), "\(file)") }
  }

  @Test("the interface of a file has members of all kinds, and no bodies")
  func parsing() {
    let interface = PublicInterface(
      of: """
        /// Documented.
        public protocol P: Sendable {
          /// A requirement.
          func f(
            _ a: Int, b: (Int) -> Void
          ) throws -> Int
          init()
        }

        extension P {
          public var c: Int { 1 }
          var hidden: Int { 2 }
        }

        extension Int {
          var hidden: Int { 2 }
        }

        public enum E: Hashable {
          /// A case.
          case a(Int)
          private case b
          package init() { self = .a(1) }
        }
        """)
    #expect(
      interface.declarations == [
        "protocol P: Sendable", "  func f(_ a: Int, b: (Int) -> Void) throws -> Int", "  init()",
        "extension P", "  var c: Int", "enum E: Hashable", "  case a(Int)",
      ])
    #expect(interface.undocumented == ["init()", "enum E: Hashable"])
  }

  @Test(
    "the examples of the documentation are files of the example package",
    arguments: ["Sources/Policy/StrataPolicy.docc/WritingPolicies.md", "Docs/POLICIES.md"])
  func examples(page: String) throws {
    let folder = "Docs/Example/Sources/recipes"
    let sources = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appendingPathComponent(folder).path
    ).map { try Self.text("\(folder)/\($0)") }
    let blocks = try Self.text(page).components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(!blocks.isEmpty)
    for block in blocks {
      #expect(sources.contains(block), "not a file of the example: \(block.prefix(60))")
    }
  }
}
