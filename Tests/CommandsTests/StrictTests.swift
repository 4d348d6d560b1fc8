import Foundation
import StrataBase
import StrataCommands
import StrataMigration
import TestSupport
import Testing

/// The exit statuses of a migration that loses something, for each category that `--strict` refuses.
@Suite("--strict")
struct StrictTests {
  /// How the store is migrated.
  enum Method: String, CaseIterable {
    case inPlace = "--strategy lightweight"
    case passes = "--mapping m.mapping"
    case output = "--strategy lightweight --output new.sqlite"
    case staged = "--stages s.stages"
    case rehearsed = "--strategy lightweight --dry-run"
    case passesRehearsed = "--mapping m.mapping --dry-run"
    case stagedRehearsed = "--stages s.stages --dry-run"

    var isRehearsal: Bool { rawValue.hasSuffix("--dry-run") }

    /// In passes by a mapping model, Core Data validates relationships too.
    func fails(_ migration: LossyMigration) -> Bool {
      migration.category == .valid && rawValue.hasPrefix("--mapping")
    }
  }

  private static let categories = [nil, "all"] + LossCategory.allCases.map(\.rawValue)

  /// A folder with models, mapping model, stages and store.
  private static func template(_ migration: LossyMigration) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let session = try migration.session(in: folder)
    try folder.write("stage lightweight V1, V2\n", to: "s.stages")
    let written = session("infer X.xcdatamodeld/V1 X.xcdatamodeld/V2 --write m.mapping")
    try #require(written.status == .done, "\(written)")
    return folder
  }

  private static func copy(_ template: TemporaryFolder) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: template.url.path) {
      try FileManager.default.copyItem(atPath: template.path(name), toPath: folder.path(name))
    }
    return folder
  }

  @Test(
    "each category refuses only its own losses, in every kind of migration", .part(3),
    arguments: LossyMigration.all)
  func statuses(migration: LossyMigration) throws {
    let template = try Self.template(migration)
    var folder = try Self.copy(template)
    var before = try folder.state()
    var session = TestSession(in: folder)
    for method in Method.allCases {
      for category in Self.categories {
        let strict = category.map { $0 == "all" ? "--strict" : "--strict=\($0)" } ?? ""
        let line = "migrate s.sqlite --to X.xcdatamodeld/V2 \(method.rawValue) \(strict)"
        let answer = session(line)
        let isRefused =
          migration.category != nil
          && (category == "all" || category == migration.category?.rawValue)
        let fails = method.fails(migration)
        let expected: StrataBase.ExitStatus =
          !isRefused && !fails ? .done : method.isRehearsal ? .no : .failed
        #expect(answer.status == expected, "\(line): \(answer)")
        if isRefused, !fails {
          #expect(
            answer.output.contains(
              "refused by --strict: \(migration.message); s.sqlite is unchanged"),
            "\(line): \(answer)")
        }
        // What is refused or rehearsed leaves nothing behind.
        if expected != .done || method.isRehearsal {
          #expect(try folder.state() == before, "\(line)")
        } else {
          folder = try Self.copy(template)
          before = try folder.state()
          session = TestSession(in: folder)
        }
      }
    }
  }

  @Test(
    "what a later hop in place loses or what stops it is refused before the first one",
    arguments: [
      (
        "<attribute name='n' optional='YES' attributeType='Integer 16'/>",
        "2 values and 1 number would be lost"
      ),
      ("", "4 values would be lost"),
      ("<attribute name='n' attributeType='Integer 64'/>", nil),
    ])
  func laterHop(attribute: String, refusal: String?) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let number = "<attribute name='n' optional='YES' attributeType='Integer 64'/>"
    let text = "<attribute name='b' optional='YES' attributeType='String'/>"
    for (version, attributes) in [("1", number), ("2", number + text), ("3", attribute + text)] {
      try folder.write(
        "<model><entity name='Item'>\(attributes)</entity></model>",
        to: "B.xcdatamodeld/V\(version).xcdatamodel/contents")
    }
    try folder.write(
      "stage custom V1 -> V2\n  did: Item: set b = 'x'\nstage custom V2 -> V3\n  did: Item: set b = 'y'\n",
      to: "B.stages")
    let session = TestSession(in: folder)
    #expect(session("create s.sqlite --model B.xcdatamodeld/V1").status == .done)
    let last = refusal == nil ? "" : " n=3"
    for values in [" n=70000", last] {
      #expect(session("insert s.sqlite Item\(values)").status == .done)
    }
    let before = try folder.state()
    let line = "migrate s.sqlite --to B.xcdatamodeld/V3 --stages B.stages"
    let answer = session(line + " --strict")
    #expect(answer.status == .failed, "\(answer)")
    #expect(answer.output.contains("s.sqlite is unchanged"), "\(answer)")
    if let refusal {
      #expect(
        answer.output.contains("refused by --strict in the hop to B/V3: \(refusal)"), "\(answer)")
    }
    #expect(try folder.state() == before)
    if refusal != nil {
      #expect(session(line + " --strict=links").status == .done)
    } else {
      // Without --strict, the first hop is done, and both answers say so.
      #expect(
        session(line + " --dry-run").output.contains(
          "s.sqlite is unchanged; a migration would leave it at B/V2"))
      #expect(session(line).output.contains("s.sqlite is at B/V2"))
    }
  }

  @Test(
    "several categories are refused together, with the same syntax at the prompt and in `debug`"
  )
  func several() throws {
    let folder = try TemporaryFolder()
    let links = try #require(LossyMigration.all.first { $0.name == "links" })
    let session = try links.session(in: folder)
    let line = "migrate s.sqlite --to X.xcdatamodeld/V2 --dry-run"
    #expect(session("\(line) --strict=rows,links").status == .no)
    #expect(session("\(line) --strict=rows,values").status == .done)
    for strict in ["--strict", "--strict=links"] {
      #expect(session("debug s.sqlite --to X.xcdatamodeld/V2 \(strict)").status == .done)
      let refused = session("commit")
      #expect(refused.status == .failed, "\(refused)")
      #expect(refused.output.contains("refused by --strict: 1 link would be lost"), "\(refused)")
      session("abandon")
    }
  }

  @Test(
    "invalid values are usage errors that list the valid ones",
    arguments: [
      ("--strict=row", "--strict has no category row: did you mean rows?"),
      (
        "--strict=rows,",
        "name the losses to refuse: rows, values, links, valid, extras and duplicates"
      ),
      ("--strict rows", "write it as: --strict=rows"),
    ])
  func usage(strict: String, says: String) throws {
    let answer = TestSession(in: try TemporaryFolder())("migrate s.sqlite --to M \(strict)")
    #expect(answer.status == .usage && answer.diagnostics.contains(says), "\(answer)")
  }

  @Test("a flag of the same name and an argument after -- are not affected")
  func others() throws {
    let folder = try TemporaryFolder()
    try folder.write("loaded\n", to: "s.strata")
    let session = TestSession(in: folder)
    #expect(session("run s.strata --strict").status == .done)
    let missing = session("migrate --to sample:Topics -- --strict")
    #expect(missing.status == .failed && missing.diagnostics.contains("--strict"), "\(missing)")
    #expect(!missing.diagnostics.contains("--strict="), "\(missing)")
  }

  @Test("the help shows that the value is optional")
  func help() throws {
    let help = TestSession(in: try TemporaryFolder())("help migrate").output
    #expect(help.contains("  --strict[=<what>]       Refuse"), "\(help)")
  }
}
