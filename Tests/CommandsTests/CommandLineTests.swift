import ArgumentParser
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Command lines")
struct CommandLineTests {
  @Test(
    "words are split as in a shell",
    arguments: [
      ("load a b", ["load", "a", "b"]), ("  show   x  ", ["show", "x"]), ("", []),
      ("# nothing", []),
      ("a # b", ["a"]), ("a#b", ["a#b"]), ("show 'Moody 2'", ["show", "Moody 2"]),
      (#"show "a \"b\" \\ \n""#, ["show", #"a "b" \ \n"#]), (#"a\ b"#, ["a b"]), ("''", [""]),
      ("a'b'c", ["abc"]), ("'#'", ["#"]), ("a\\\nb", ["ab"]),
      ("'$source.x == \"y\"'", [#"$source.x == "y""#]),
      ("é 'ü x'", ["é", "ü x"]),
    ])
  func tokens(line: String, expected: [String]) {
    guard case .complete(let tokens) = CommandLineLexer.tokens(of: line) else {
      Issue.record("incomplete: \(line)")
      return
    }
    #expect(tokens.map(\.text) == expected)
    for word in tokens {
      #expect(word.range.lowerBound >= 0 && word.range.upperBound <= line.utf8.count)
    }
  }

  @Test(
    "an open quote or a final backslash is incomplete", arguments: ["a 'b", "a \"b", "a \\", "'"])
  func incomplete(line: String) {
    #expect(CommandLineLexer.tokens(of: line) == .incomplete)
  }

  @Test("a line joined from words is split into the same words")
  func roundTrip() {
    var generator = SeededRandom(seed: 3)
    let letters = Array("\u{301}ab '\"\\#\n\t$é🎈-=<>|;")
    for _ in 0..<2000 {
      let arguments = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        String(
          (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            letters.randomElement(using: &generator)!
          })
      }
      guard
        case .complete(let read) = CommandLineLexer.tokens(
          of: CommandLineLexer.line(of: arguments))
      else {
        Issue.record("\(arguments)")
        continue
      }
      #expect(read.map(\.text) == arguments)
    }
  }

  @Test("every example of every command succeeds")
  func examples() throws {
    for type in CommandTable.all {
      for example in type.examples {
        let folder = try TemporaryFolder()
        let session = TestSession(in: folder)
        for line in example.lines {
          let evaluation = session(line)
          #expect(evaluation.status.rawValue <= 1, "\(line): \(evaluation.diagnostics)")
          #expect(!evaluation.output.isEmpty || line.hasPrefix("#"), "\(line)")
        }
        withExtendedLifetime(folder) {}
      }
    }
  }

  @Test("every command of the stepper has an example in the stepper")
  func stepperExamples() {
    for type in CommandTable.stepping {
      let name = type._commandName
      #expect(
        type.examples.contains { example in
          let lines = example.lines.drop { !$0.hasPrefix("debug ") }
          return lines.contains { $0 == name || $0.hasPrefix(name + " ") }
        }, "\(name)")
    }
  }

  @Test("every command has a page of help, by help and by --help")
  func help() throws {
    let session = TestSession(in: try TemporaryFolder())
    for name in CommandTable.names {
      let page = session("help \(name)")
      #expect(page.status == .done && page.output.contains("USAGE: strata \(name)"), "\(name)")
      if name != "help" { #expect(session("\(name) --help").output == page.output, "\(name)") }
    }
  }

  @Test(
    "wrong usage gives exit status 64 and a fix",
    arguments: [
      "hepl", "hash", "hash a b", "hash a --nope", "load", "load a b --as c", "trace migration 9",
      "trace nothing 1", "migrate a --to b --force", "try", "hash 'open",
      "load sample:Topics --as ''",
      "load sample:Topics --as a+b", "show Model1 | head",
    ])
  func usage(line: String) throws {
    let evaluation = TestSession(in: try TemporaryFolder())(line)
    #expect(evaluation.status == .usage, "\(evaluation)")
    #expect(evaluation.diagnostics.contains("fix: "))
  }

  @Test(
    "a word that is none of an argument's values is answered with all of them, an id with its help")
  func likelyMistakes() throws {
    let session = TestSession(in: try TemporaryFolder())
    let verb = session("mapping list")
    #expect(verb.diagnostics.contains("one of the following: "), "\(verb)")
    #expect(verb.diagnostics.contains("lint"), "\(verb)")
    for id in ["mapping.gap", "store.noModel", "134110"] {
      #expect(session("\(id)").diagnostics.contains("`help \(id)` explains it"), "\(id)")
      #expect(session("help \(id)").status == .done)
    }
    #expect(session("expect incompatible A B").diagnostics.contains("did you mean not compatible?"))
  }

  @Test("a line that is canonically equivalent to an earlier one is another line")
  func equivalentLines() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model1")
    for title in ["Zoe\u{308}", "Zo\u{EB}"] {
      #expect(session("insert t.sqlite TopicList title='\(title)'").status == .done)
      #expect(session("count t.sqlite TopicList --where \"title == '\(title)'\"").output == "1\n")
    }
    let bytes = session("sql t.sqlite 'SELECT hex(ZTITLE) FROM ZTOPICLIST ORDER BY Z_PK'").output
    #expect(bytes.contains("5A6F65CC88") && bytes.contains("5A6FC3AB"), "\(bytes)")
  }

  @Test("`plan` says no where `migrate` refuses to lose all objects")
  func nothingStays() throws {
    let session = TestSession(in: try TemporaryFolder())
    let plan = session("plan sample:Phone --to sample:Recipes")
    #expect(plan.status == .no && plan.diagnostics.contains("[migration.nothingStays]"), "\(plan)")
    #expect(session("migrate sample:Phone --to sample:Recipes --dry-run").status == .no)
    #expect(session("plan sample:Phone --to sample:Topics/Model2").status == .done)
  }
}
