import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Stops of the stepper with several reasons, and traces of movements to a mark")
struct StopReasonTests {
  /// A session that steps through the migration of a kitchen.
  private static func kitchen(_ options: String = "", _ lines: String...) throws -> TestSession {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      policy ChefToChef
        skip when $source.name BEGINSWITH 'Edna'
        split $source.name at ' ' into firstName, lastName
      policy RecipeToCuisine
        skip when $source.cuisine == nil
        one destination for each $source.cuisine

      """, to: "W.policy")
    let session = TestSession(in: folder)
    for line in ["load sample:Recipes", "debug sample:Kitchen --to Recipes2 \(options)"] + lines {
      #expect(session(line).status == .done, "\(line)")
    }
    return session
  }

  /// The reasons of the next stop, without its events.
  private static func reasons(_ session: TestSession, _ line: String = "continue") -> [Substring] {
    session(line).output.split(separator: "\n").filter {
      $0.hasPrefix("breakpoint ") || $0.hasPrefix("watchpoint ")
    }
  }

  @Test("a value that changes in the step that a condition on its object stops behind is named")
  func createdObject() throws {
    for watched in ["Cuisine", "Cuisine.name"] {
      let session = try Self.kitchen(
        "", "break RecipeToCuisine --when '$destination.name == \"French\"'", "watch \(watched)")
      var found: [[Substring]] = []
      for _ in 0..<3 { found.append(Self.reasons(session)) }
      // An existing object, which the fourth recipe joins, is no change.
      #expect(found[0].count == 1 && found[1].count == 2, "\(watched): \(found)")
      #expect(
        found[1].allSatisfy { $0.contains("breakpoint 1: created") || $0.contains("watchpoint 2") })
      #expect(found[2].first?.contains("watchpoint 2") != false, "\(watched): \(found)")
      let count = try #require(
        session("count destination Cuisine").output.split(separator: "\n").first)
      #expect(count == "3", "the third stop is at the third cuisine")
    }
  }

  @Test("what a movement to an event has passed is no news of the next step")
  func passedChanges() throws {
    let session = try Self.kitchen("", "watch Cuisine", "goto 38")
    let before = session("count destination Cuisine").output
    let stop = session("continue")
    #expect(!stop.output.contains("watchpoint"), "\(before) \(stop)")
  }

  @Test("a breakpoint at the place where a watched value has changed is named beside it")
  func besideWatch() throws {
    let session = try Self.kitchen("", "break Chef/p4 --once", "watch Chef/p2.lastName")
    let reasons = Self.reasons(session)
    #expect(reasons.count == 2, "\(reasons)")
    #expect(reasons.last == "breakpoint 1: Chef/p4 is next", "\(reasons)")
  }

  @Test("a loss is named although another breakpoint stops before it")
  func lossBesides() throws {
    for other in ["break Chef/p7", "break policy"] {
      let session = try Self.kitchen("--policies W.policy", "break warning", other)
      var all: [Substring] = []
      for _ in 0..<40 { all += Self.reasons(session) }
      #expect(
        all.count { $0 == "breakpoint 1: Chef/p7 -> no object" } == 1, "\(other): \(all)")
    }
  }

  @Test(
    "a trace read up to where the walk went back has every event, as that of a straight walk",
    arguments: [
      ["goto 6", "step"], ["step 3", "back 3", "goto 6", "step"],
      ["step 5", "mark here", "restart", "goto here", "step"], ["goto 99999", "step 4"],
      ["goto 12", "goto 4", "goto 9", "step"],
    ])
  func traces(walk: [String]) throws {
    let migrations = [
      ("sample:Topics/Model1", "load sample:Topics", "Model3 --strategy lightweight"),
      ("sample:Recipes/Recipes1", "load sample:Recipes", "Recipes2"),
    ]
    for (model, load, target) in migrations {
      let folder = try TemporaryFolder()
      func events(_ walk: [String], _ file: String) throws -> [Substring] {
        let session = TestSession(in: folder)
        for line in [
          "create s.sqlite --model \(model) --rows 4 --seed 1 --force", load,
          "debug s.sqlite --to \(target) --trace-json \(file)",
        ] + walk + ["abandon"] { session(line) }
        var events: [(mark: Int, line: Substring)] = []
        let text = try String(contentsOfFile: folder.path(file), encoding: .utf8)
        for line in text.split(separator: "\n") {
          let mark = try #require(line.firstMatch(of: /"mark":([0-9]+)/).flatMap { Int($0.1) })
          if line.contains("\"wentBack\"") {
            events.removeAll { $0.mark > mark }
          } else {
            events.append((mark, line))
          }
        }
        return events.map(\.line)
      }
      let found = try events(walk, "walk.json")
      let straight = try events(["continue"], "straight.json")
      #expect(!found.isEmpty && found.count <= straight.count)
      for (line, wanted) in zip(found, straight) where line != wanted {
        Issue.record("\(target): \(line) for \(wanted)")
        break
      }
    }
  }
}
