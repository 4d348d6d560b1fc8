import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Random migrations with policy files, whose answers are compared with what Python finds in both stores.
@Suite("Random policies")
struct PolicyTrialTests {
  @Test(
    "lost links, different objects, and links of a store that an appended one replaces are those that Python finds"
  )
  func trials() throws {
    var lossCount = 0
    var differenceCount = 0
    var replacedCount = 0
    for seed in CaseCount.seeds(160, "STRATA_POLICY_TRIALS") {
      let folder = try TemporaryFolder()
      var trial = PolicyTrial(seed: seed)
      let session = try trial.session(in: folder)
      let rest = "--mapping m.mapping --policies p.policy --json"
      let migrated = session("migrate s.sqlite --to X.xcdatamodeld/V2 --output o.sqlite \(rest)")
      try #require(migrated.status == .done, "\(trial): \(migrated)")
      let compared = session("compare s.sqlite o.sqlite --rows \(rest)")
      let found = try PolicyTrial.Findings(
        migrated: Data(migrated.output.utf8), compared: Data(compared.output.utf8))
      let expected = try trial.expected(in: folder)
      #expect(found == expected, "\(trial)")
      let stores = ["before.sqlite", "o.sqlite"].map(folder.path)
      try FileManager.default.copyItem(atPath: stores[1], toPath: stores[0])
      trial.makeStore("z.sqlite", session, prefix: "z")
      let appended = session(
        "migrate z.sqlite --to X.xcdatamodeld/V2 --output o.sqlite --append \(rest)")
      try #require(appended.status == .done, "\(trial): \(appended)")
      let goneCount = try trial.goneCount(from: stores[0], in: stores[1])
      let told = appended.output.firstMatch(of: /policies have replaced (\d+) link/)
      #expect(told.flatMap { Int($0.1) } ?? 0 == goneCount, "\(trial)")
      replacedCount += goneCount
      lossCount += expected.lost.values.reduce(0, +)
      differenceCount += expected.changed.values.reduce(0, +)
    }
    #expect(lossCount > 0 && differenceCount > 0 && replacedCount > 0)
  }

  @Test(
    "links that a stage replaces and those that the migration drops are those that Python misses")
  func stages() throws {
    var lossCount = 0
    for seed in CaseCount.seeds(160, "STRATA_POLICY_TRIALS") {
      let folder = try TemporaryFolder()
      var trial = PolicyTrial(seed: seed)
      let session = try trial.session(in: folder)
      let stages = trial.stages()
      try folder.write(stages, to: "s.stages")
      let stores = ["s.sqlite", "o.sqlite"].map(folder.path)
      try FileManager.default.copyItem(atPath: stores[0], toPath: stores[1])
      let migrated = session(
        "migrate o.sqlite --to X.xcdatamodeld/V2 --stages s.stages --json")
      try #require(migrated.status == .done, "\(trial)\n\(stages): \(migrated)")
      #expect(session("validate o.sqlite").status == .done, "\(trial)\n\(stages)")
      let lost = try PolicyTrial.lostLinks(Data(migrated.output.utf8))
      let expected = try trial.goneCount(from: stores[0], in: stores[1], isMigrated: true)
      #expect(lost.values.reduce(0, +) == expected, "\(trial)\n\(stages)")
      lossCount += expected
    }
    #expect(lossCount > 0)
  }
}
