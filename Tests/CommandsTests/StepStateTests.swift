import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("state, and the details of trace events")
struct StepStateTests {
  private typealias Object = [String: Any]

  private static func object(_ text: String) throws -> Object {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
  }

  @Test("state has the association tables of every part, and statements with their origin")
  func state() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("create t.sqlite --model Model4 --rows 5 --seed 2")
    let begun = session("debug t.sqlite --to Model5 --strategy hybrid")
    #expect(begun.status == .done, "\(begun)")
    var counts: [Int] = []
    var tags: Set<String> = []
    for _ in 0..<200 {
      let state = try Self.object(session("state --json").output)
      let parts = try #require(state["associations"] as? [Object])
      #expect(parts.compactMap { $0["part"] as? Int } == [1, 2, 3])
      let tables = parts.map { $0["tables"] as? [Object] ?? [] }
      #expect(tables.allSatisfy { $0.count == 3 })
      let now = tables.joined().compactMap { $0["count"] as? Int }
      // A finished part keeps its pairs.
      #expect(counts.isEmpty || zip(counts, now).allSatisfy { $0 <= $1 })
      counts = now
      for pair in tables.joined().flatMap({ $0["pairs"] as? [Object] ?? [] }) {
        #expect((pair["source"] as? Object)?["side"] as? String == "source")
        #expect((pair["destination"] as? Object)?["side"] as? String == "destination")
      }
      let next = try #require(state["next"] as? Object)
      for statement in next["statements"] as? [Object] ?? [] {
        tags.insert(statement["tag"] as? String ?? "")
      }
      if (state["place"] as? Object)?["isAtEnd"] as? Bool == true { break }
      session("step")
    }
    #expect(counts.reduce(0, +) > 0 && tags == ["CoreData", "Strata"], "\(counts) \(tags)")
    let state = try Self.object(session("state --json").output)
    #expect((state["mappings"] as? [Any])?.count == 3)
    #expect(
      (state["policies"] as? [Object])?.contains { $0["name"] as? String == "TopicToTopic" } == true
    )
  }

  @Test(
    "what commands read between two steps is no part of the next step",
    arguments: ["Model2", "Model4"])
  func reading(version: String) throws {
    func walk(reading commands: [String]) throws -> [String] {
      let folder = try TemporaryFolder()
      let session = TestSession(in: folder)
      session("load sample:Topics")
      session("create t.sqlite --model Model1 --rows 3 --seed 2")
      #expect(session("debug t.sqlite --to \(version)").status == .done)
      session("break strata sql 'no such statement'")
      var steps: [String] = []
      while steps.count < 40 {
        for command in commands { #expect(session(command).status < .usage, "\(command)") }
        steps.append(session("step --json").output)
        steps.append(session("state --json").output)
        if steps[steps.count - 2].contains(#""reason" : "end""#) { break }
      }
      #expect(steps.contains { $0.contains(#""sql" : "INSERT"#) }, "\(steps)")
      return steps
    }
    let plain = try walk(reading: [])
    for commands in [
      ["state --json"], ["source Topic", "destination Topic", "where", "log"],
      [
        "eval '$source != nil'", "associations", "explain",
        "sql source 'SELECT count(*) FROM ZTOPIC'",
      ],
    ] {
      let read = try walk(reading: commands)
      #expect(read.count == plain.count)
      let different = zip(plain, read).enumerated().first { $1.0 != $1.1 }
      #expect(different == nil, "\(commands): \(different.map { "\($0)" } ?? "")")
    }
  }

  @Test("in a trace file, each lookup is a pair that pass 1 made, and details follow their event")
  func traceFile() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Recipes")
    session("create k.sqlite --model Recipes1 --rows 6 --seed 4")
    let answer = session("migrate k.sqlite --to Recipes2 --dry-run --trace-json t.jsonl")
    #expect(answer.status == .done, "\(answer)")
    let lines = try String(contentsOfFile: folder.path("t.jsonl"), encoding: .utf8)
      .split(separator: "\n").map { try Self.object(String($0)) }
    var pairs: Set<String> = []
    var (lookups, changes, last) = (0, 0, 0)
    for line in lines {
      let (event, mark) = (line["event"] as? String ?? "", line["mark"] as? Int ?? 0)
      switch event {
      case "objectCreated", "objectJoined":
        let names = [line["mapping"], line["source"], line["destination"]].map {
          $0 as? String ?? ""
        }
        pairs.insert(names.joined(separator: " "))
      case "relationshipSet":
        #expect(mark == last)
        for lookup in line["lookups"] as? [Object] ?? [] {
          let source = (lookup["source"] as? Object)?["object"] as? String ?? ""
          for destination in lookup["destinations"] as? [Object] ?? [] {
            lookups += 1
            let table = line["table"] as? String ?? ""
            let pair = "\(table) \(source) \(destination["object"] as? String ?? "")"
            #expect(pairs.contains(pair), "\(pair)")
          }
        }
        changes += (line["changes"] as? [Object] ?? []).count
      default: break
      }
      last = mark
    }
    #expect(lookups > 5 && changes > 5, "\(lookups) \(changes)")
    #expect(lines.contains { $0["event"] as? String == "policyDecided" })
    #expect(lines.contains { $0["event"] as? String == "objectsValidated" })
  }

  @Test("associations of an object: what it became, and what it comes from")
  func associations() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Recipes")
    session("create k.sqlite --model Recipes1")
    for name in ["French", "French", "Indian"] {
      session("insert k.sqlite Recipe name=x cuisine=\(name)")
    }
    session("debug k.sqlite --to Recipes2")
    session("pass")
    #expect(
      session("associations Recipe/p2").output.contains(
        "RecipeToCuisine  1 pair\n    Recipe/p2 -> Cuisine/p1"))
    let cuisine = try Self.object(session("associations Cuisine/p1 --json").output)
    let origins = try #require(
      (cuisine["asDestination"] as? [Object])?.first?["pairs"] as? [Object])
    #expect(origins.compactMap { $0["source"] as? String } == ["Recipe/p1", "Recipe/p2"])
    #expect((cuisine["asSource"] as? [Object])?.isEmpty == true)
    #expect(session("associations Cuisne/p1").diagnostics.contains("did you mean Cuisine?"))
  }
}
