import Foundation
import StrataCommands
import StrataDiagnostics
import StrataMigration
import TestSupport
import Testing

/// The exit statuses of a migration that loses something, for each category that `--strict` refuses.
@Suite("--strict")
struct StrictTests {
  /// How the store is migrated.
  enum Road: String, CaseIterable {
    case inPlace, passes, output, staged, rehearsed

    var options: String {
      switch self {
      case .inPlace: ""
      case .passes: "--mapping m.mapping"
      case .output: "--output new.sqlite"
      case .staged: "--stages s.stages"
      case .rehearsed: "--dry-run"
      }
    }

    /// In passes, Core Data validates relationships, and fails.
    func fails(_ migration: LossyMigration) -> Bool {
      migration.category == .valid && (self == .passes || self == .output)
    }
  }

  private static let categories = [nil, "all"] + LossCategory.allCases.map(\.rawValue)

  private static func prepare(
    _ migration: LossyMigration, _ road: Road, in folder: TemporaryFolder
  ) throws -> TestSession {
    let session = try migration.session(in: folder)
    if road == .staged {
      try folder.write("stage lightweight V1, V2\n", to: "s.stages")
    }
    if road == .passes {
      let written = session("infer X.xcdatamodeld/V1 X.xcdatamodeld/V2 --write m.mapping")
      try #require(written.status == .done, "\(written)")
    }
    return session
  }

  @Test(
    "each category refuses what is of it, on every road, and nothing else",
    arguments: LossyMigration.all, Road.allCases)
  func statuses(migration: LossyMigration, road: Road) throws {
    for category in Self.categories {
      let folder = try TemporaryFolder()
      let session = try Self.prepare(migration, road, in: folder)
      let before = try folder.state()
      let strict = category.map { $0 == "all" ? "--strict" : "--strict=\($0)" } ?? ""
      let answer = session("migrate s.sqlite --to X.xcdatamodeld/V2 \(road.options) \(strict)")
      let isRefused =
        migration.category != nil
        && (category == "all" || category == migration.category?.rawValue)
      let fails = road.fails(migration)
      let expected: StrataDiagnostics.ExitStatus =
        !isRefused && !fails ? .done : road == .rehearsed ? .no : .failed
      #expect(answer.status == expected, "\(strict): \(answer)")
      if isRefused, !fails {
        #expect(
          answer.output.contains("refused by --strict: \(migration.words); s.sqlite is unchanged"),
          "\(strict): \(answer)")
      }
      // What is refused or rehearsed leaves nothing behind.
      if expected != .done || road == .rehearsed {
        #expect(try folder.state() == before, "\(strict)")
      }
    }
  }

  @Test("several categories are refused together, and the word is the same at the prompt and in `debug`")
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
    "wrong values are wrong usage, and say what is right",
    arguments: [
      ("--strict=row", "--strict has no category row: did you mean rows?"),
      ("--strict=rows,", "name what to refuse: rows, values, links, valid and extras"),
      ("--strict rows", "write it as: --strict=rows"),
    ])
  func usage(strict: String, says: String) throws {
    let answer = TestSession(in: try TemporaryFolder())("migrate s.sqlite --to M \(strict)")
    #expect(answer.status == .usage && answer.diagnostics.contains(says), "\(answer)")
  }

  @Test("a flag of the same name, and a word behind --, stay as they are")
  func others() throws {
    let folder = try TemporaryFolder()
    try folder.write("loaded\n", to: "s.strata")
    let session = TestSession(in: folder)
    #expect(session("run s.strata --strict").status == .done)
    let missing = session("migrate --to sample:Topics -- --strict")
    #expect(missing.status == .failed && missing.diagnostics.contains("--strict"), "\(missing)")
    #expect(!missing.diagnostics.contains("--strict="), "\(missing)")
  }

  @Test("the help shows that the value may be left out")
  func help() throws {
    let help = TestSession(in: try TemporaryFolder())("help migrate").output
    #expect(help.contains("  --strict[=<what>]       Refuse"), "\(help)")
  }
}
