import Foundation
import StrataBase
import StrataCommands
import StrataRendering
import TestSupport
import Testing

/// Every command reads a store full of markers: as text and as JSON, saved, replayed and reported. None shows
/// a value but those that are asked for values.
@Suite("Privacy of stores")
struct PrivacySweepTests {
  /// The commands that show values because they are asked for them.
  static let revealing: [String: [String]] = [
    "rows": ["rows s.sqlite Secret"],
    "sql": ["sql s.sqlite 'SELECT ZTEXT, ZNUMBER FROM ZSECRET'"],
    "eval": stepping("break Secret/p1", "continue", "eval '$source.text'"),
    "source": stepping("step 2", "source"),
    "destination": stepping("step 4", "destination Secret"),
    "explain": [
      "debug s.sqlite --to Vault.xcdatamodeld/V2 --mapping maps/Computed.mapping", "step",
      "explain",
    ], "state": stepping("step", "state --json"),
  ]

  /// All others: what is typed for each.
  static let masked: [String: [String]] = [
    "load": ["load s.sqlite --as phone"], "loaded": ["load s.sqlite --as phone", "loaded"],
    "unload": ["load s.sqlite --as phone", "unload phone"], "samples": ["samples"],
    "show": ["show s.sqlite", "show gone.sqlite", "show s.sqlite.bak", "show Vault.xcdatamodeld"],
    "hash": ["hash s.sqlite", "hash s.sqlite --properties", "hash s.sqlite --explain"],
    "diff": ["diff s.sqlite Vault.xcdatamodeld/V2"],
    "try": ["load Vault.xcdatamodeld", "try V1.Secret.text optional NO"],
    "write": ["write s.sqlite Copy.xcdatamodel"],
    "metadata": ["metadata s.sqlite", "metadata x.xml"],
    "compare": [
      "compare s.sqlite other.sqlite --rows", "compare s.sqlite Vault.xcdatamodeld/V2",
      "compare s.sqlite gone.sqlite --rows", "compare other.sqlite x.xml --rows",
    ],
    "identify": ["identify s.sqlite Vault.xcdatamodeld"],
    "validate": [
      "validate s.sqlite", "validate s.sqlite --model Vault.xcdatamodeld/V3",
      "validate gone.sqlite", "validate x.xml --model Vault.xcdatamodeld/V1",
    ],
    "count": [
      "count s.sqlite Secret --where 'text != nil'",
      "count s.sqlite Secret --where 'CAST(text, \"NSDate\") != nil'",
      "count s.sqlite Secret --where 'CAST(text, \"NSNumber\") > 1'",
      "count s.sqlite Secret --where 'note MATCHES (text + \"(\")'",
      "count s.sqlite Secret --where 'CAST(number, text) != nil'",
      "count s.sqlite Secret --where 'number + text == 1'",
      "count s.sqlite Secret --where 'number * 9223372036854775807 == 1'",
      "count s.sqlite Secret --where 'text.nothing == 1'",
      "count s.sqlite Secret --where 'note == text' --explain",
    ],
    "create": ["create new.sqlite --model s.sqlite --rows 3"],
    "insert": ["insert s.sqlite Owner secrets=p1", "insert s.sqlite Owner name=nil secrets=p99"],
    "delete": [
      "delete s.sqlite Owner p1", "delete s.sqlite Secret p1", "delete s.sqlite Owner p99",
    ],
    "infer": ["infer s.sqlite Vault.xcdatamodeld/V2", "infer Vault.xcdatamodeld --all"],
    "mapping": ["mapping show maps/Guarded.mapping", "mapping lint maps/Failing.mapping"],
    "cloudkit": ["cloudkit s.sqlite"], "project": ["project", "load ."],
    "check": ["check", "check --write-accepts"], "lock": ["lock"],
    "plan": [
      "plan s.sqlite --to Vault.xcdatamodeld/V2", "plan s.sqlite --to Vault.xcdatamodeld --compare",
    ],
    "migrate": [
      "migrate s.sqlite --to Vault.xcdatamodeld/V3 --dry-run --trace-json t0.jsonl",
      "migrate s.sqlite --to Vault.xcdatamodeld/V2 --dry-run --trace-json t1.jsonl",
      "migrate s.sqlite --to Vault.xcdatamodeld/V2 --dry-run --proof",
      "migrate s.sqlite --to Vault.xcdatamodeld/V2 --mapping maps/Guarded.mapping --trace-json t2.jsonl",
      "migrate s.sqlite --to Vault.xcdatamodeld/V2 --mapping maps/Failing.mapping",
      "migrate s.sqlite --to Vault.xcdatamodeld/V2 --mapping maps/Guarded.mapping --without-policy --output made.sqlite --trace-json t3.jsonl",
      "migrate x.xml --to Vault.xcdatamodeld/V2 --dry-run --trace-json t5.jsonl",
      "migrate gone.sqlite --to Vault.xcdatamodeld/V2 --dry-run",
      "migrate s.sqlite --to Vault.xcdatamodeld/V2",
    ],
    "debug": ["debug s.sqlite --to Vault.xcdatamodeld/V2 --trace-json t4.jsonl"],
    "export": [
      "export s.sqlite page.html --to Vault.xcdatamodeld/V2",
      "export x.xml page.html --to Vault.xcdatamodeld/V2 --mapping maps/Guarded.mapping --force",
    ],
    "doctor": ["doctor .", "doctor gone.sqlite"],
    "trace": ["trace sql 4", "migrate s.sqlite --to Vault.xcdatamodeld/V2 --dry-run"],
    "save": ["metadata s.sqlite", "save first.md"],
    "forget": ["metadata s.sqlite", "forget"],
    "open": ["metadata s.sqlite", "save first.md", "open first.md"],
    "run": ["metadata s.sqlite", "save first.strata", "run first.strata"],
    "replay": ["metadata s.sqlite", "save first.md", "replay first.md --junit first.xml"],
    "expect": [
      "expect value s.sqlite Secret text nothing", "expect value s.sqlite Secret number 1",
      "expect value s.sqlite Secret day nothing", "expect all s.sqlite Secret 'text == nil'",
      "expect count s.sqlite Secret 9", "expect valid gone.sqlite",
      "expect compatible s.sqlite Vault.xcdatamodeld/V2",
      "expect value s.sqlite Secret 'CAST(text, \"NSDate\")' nothing",
    ],
    "lesson": ["lesson", "lesson versions", "lesson next"],
    "answer": ["lesson versions", "answer 1"], "task": ["lesson versions", "task"],
    "hint": ["lesson versions", "skip", "skip", "hint"], "again": ["lesson versions", "again"],
    "skip": ["lesson versions", "skip"],
    "history": ["metadata s.sqlite", "history"], "set": ["set"], "help": ["help rows"],
    "quit": ["metadata s.sqlite", "quit"], "edit": ["edit rows s.sqlite Secret"],
    "step": stepping("step", "step", "step", "step"), "next": stepping("next", "next"),
    "pass": stepping("pass", "pass", "pass"), "hop": stepping("hop"),
    "continue": stepping(
      "break SecretToSecret --when '$source.number > 1'", "continue", "continue"),
    "finish": stepping("next", "finish"), "back": stepping("step 3", "back"),
    "goto": stepping("step 3", "goto 1"), "mark": stepping("mark here", "mark"),
    "restart": stepping("step 3", "restart"),
    "break": stepping("break error", "continue", "break"),
    "watch": stepping("watch Secret/p1.note", "watch Secret/p1.number", "continue", "continue"),
    "where": stepping("step 2", "where"),
    "associations": stepping("pass", "associations", "associations Secret/p1"),
    "log": stepping("step 4", "log 100"),
    "abandon": stepping("step 2", "abandon"),
    "commit": ["debug s.sqlite --to Vault.xcdatamodeld/V2", "continue", "commit"],
  ]

  /// Lines in the stepper, by passes, with a policy that refuses the object at last.
  private static func stepping(_ lines: String...) -> [String] {
    [
      "debug s.sqlite --to Vault.xcdatamodeld/V2 --mapping maps/Guarded.mapping --trace-json steps.jsonl"
    ] + lines
  }

  /// What the lines are typed after: traces tell as much as they can.
  private static let beginnings = ["trace sql 4", "trace migration 3"]

  @Test("every command is in one of the two lists")
  func lists() {
    #expect(Set(Self.revealing.keys).isDisjoint(with: Self.masked.keys))
    #expect(Set(CommandTable.names) == Set(Self.revealing.keys).union(Self.masked.keys))
    // Reports leave out the answers of those that are asked for values, and of those that run others.
    let showing = CommandTable.names.filter { CommandTable.named($0)?.showsValues == true }
    #expect(
      Set(showing)
        == Set(Self.revealing.keys).union(["run", "open", "replay", "lesson", "again", "skip"]))
  }

  @Test("the commands that write files or change stores are known as such")
  func changing() {
    let changing = CommandTable.names.filter { CommandTable.named($0)?.changesFiles == true }
    #expect(
      Set(changing) == [
        "again", "check", "commit", "create", "delete", "doctor", "export", "infer", "insert",
        "lesson", "lock", "mapping", "migrate", "open", "replay", "run", "samples", "save", "skip",
        "try", "write",
      ])
  }

  @Test(
    "no command shows a value, as text or JSON", arguments: masked.keys.sorted(), [false, true])
  func answers(name: String, asJSON: Bool) throws {
    let store = try MarkedStore()
    let session = TestSession(in: store.folder)
    for line in Self.beginnings + (Self.masked[name] ?? []) {
      let isJSON = asJSON && !line.hasPrefix("help")
      let answer = session(line + (isJSON ? " --json" : ""))
      Self.check(answer.output + answer.diagnostics, line)
      #expect(answer.status != .usage || name == "edit", "\(line): \(answer)")
    }
    for (file, text) in try store.writtenFiles() { Self.check(text, file) }
  }

  @Test(
    "no saved session shows a value, nor does its replay in any report",
    arguments: CaseCount.some(of: masked.keys.sorted()))
  func savedAndReplayed(name: String) throws {
    let store = try MarkedStore()
    let session = TestSession(in: store.folder)
    for line in Self.beginnings + (Self.masked[name] ?? []) { session(line) }
    guard session("save kept.md --all --force").status == .done else { return }
    let kept = try String(contentsOfFile: store.folder.path("kept.md"), encoding: .utf8)
    Self.check(kept, "kept.md")
    // Answers that differ are told in full; of the store as it was.
    for text in [kept, Self.withOtherAnswers(kept)] {
      let fresh = try MarkedSession(document: ("again.md", text))
      for line in [
        "replay again.md", "replay again.md --json",
        "replay again.md --annotate --junit report.xml",
      ] {
        let answer = fresh(line)
        Self.check(answer.output + answer.diagnostics, line)
      }
      let report = try fresh.store.writtenFiles()["report.xml"]
      Self.check(try #require(report), "report.xml")
    }
  }

  @Test(
    "reports of a replay omit the answers of commands that show values",
    arguments: revealing.keys.sorted())
  func reports(name: String) throws {
    let store = try MarkedStore()
    let session = TestSession(in: store.folder)
    let lines = Self.revealing[name] ?? []
    for line in lines.dropLast() { session(line) }
    let answer = session(lines.last ?? "")
    #expect(!MarkedStore.markers(in: answer.output).isEmpty, "\(answer)")
    #expect(!MarkedStore.markers(in: session((lines.last ?? "") + " --json").output).isEmpty)
    // Saved, the answer is left out, and a replay takes any; with --reveal it stays.
    #expect(session("save kept.md").output.contains("hidden: --reveal saves their values"))
    let hidden = try String(contentsOfFile: store.folder.path("kept.md"), encoding: .utf8)
    Self.check(hidden, "kept.md")
    #expect(try MarkedSession(document: ("hidden.md", hidden))("replay hidden.md").status == .done)
    session("save kept.md --reveal")
    let kept = try String(contentsOfFile: store.folder.path("kept.md"), encoding: .utf8)
    let fresh = try MarkedSession(document: ("changed.md", Self.withOtherAnswers(kept)))
    let json = fresh("replay changed.md --json")
    Self.check(json.output + json.diagnostics, "--json")
    let text = fresh("replay changed.md --quiet --annotate --junit report.xml")
    let annotations = text.output.split(separator: "\n").filter { $0.hasPrefix("::error") }
    #expect(annotations.count >= 1)
    Self.check(annotations.joined(separator: "\n"), "--annotate")
    let report = try fresh.store.writtenFiles()["report.xml"]
    Self.check(try #require(report), "report.xml")
    #expect(
      !MarkedStore.markers(in: fresh("replay changed.md --json --reveal").output).isEmpty)
  }

  /// What `--reveal` shows: so the markers are values that could be shown.
  static let revealed = [
    ["metadata s.sqlite --reveal"], ["metadata s.sqlite --reveal --json"],
    ["compare s.sqlite other.sqlite --rows --reveal"],
    ["compare s.sqlite other.sqlite --rows --reveal --json"],
    ["migrate s.sqlite --to Vault.xcdatamodeld/V2 --mapping maps/Guarded.mapping --reveal"],
    ["expect value s.sqlite Secret text nothing --reveal"],
    ["expect all s.sqlite Secret 'text == nil' --reveal"],
    stepping("watch Secret/p1.note --reveal", "continue"),
    [
      "trace migration 2", "trace sql 3 --reveal",
      "migrate s.sqlite --to Vault.xcdatamodeld/V2 --mapping maps/Guarded.mapping",
    ],
  ]

  @Test("--reveal shows values", arguments: revealed)
  func reveals(lines: [String]) throws {
    let session = try MarkedSession()
    let answers = lines.map { session($0) }.map { $0.output + $0.diagnostics }
    #expect(!MarkedStore.markers(in: answers.last ?? "").isEmpty, "\(answers)")
  }

  @Test("a trace shows values on the terminal, and in a trace file with --reveal")
  func traces() throws {
    let store = try MarkedStore()
    let live = TestSession(
      Session(folder: store.folder.url.path, renderer: Renderer(style: .plain, isLive: true)))
    for line in ["trace sql 3", "trace migration 2"] { live(line) }
    let migrate =
      "migrate s.sqlite --to Vault.xcdatamodeld/V2 --mapping maps/Guarded.mapping --without-policy --output made.sqlite"
    let shown = live(migrate + " --trace-json revealed.jsonl --reveal").output
    #expect(!MarkedStore.markers(in: shown).isEmpty)
    live("save live.md")
    let files = try store.writtenFiles()
    Self.check(files["live.md"] ?? "", "live.md")
    #expect(!MarkedStore.markers(in: files["revealed.jsonl"] ?? "").isEmpty)
  }

  private static func check(
    _ text: String, _ subject: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = MarkedStore.markers(in: text)
    let lines = text.split(separator: "\n").filter { !MarkedStore.markers(in: String($0)).isEmpty }
    #expect(
      found.isEmpty, "\(subject) shows \(found): \(lines.prefix(5))",
      sourceLocation: sourceLocation)
  }

  /// A notebook whose every recorded answer is another one.
  private static func withOtherAnswers(_ notebook: String) -> String {
    notebook.replacing("\n> ", with: "\nanother line\n> ").replacing(
      "```strata\nanother line\n", with: "```strata\n")
  }
}
