import Foundation
import StrataBase
import StrataCommands
import StrataMigration
import TestSupport
import Testing

/// Migrations of a store full of markers that stop or lose values: no report of `check` shows one.
@Suite("Privacy of check")
struct CheckPrivacyTests {
  private let store: MarkedStore
  private let session: TestSession

  /// A repository whose version `V1`, that of the stores, was released.
  init() throws {
    store = try MarkedStore()
    session = TestSession(in: store.folder)
    try setCurrent("V1")
    let repository = try GitFixture(in: store.folder, name: "")
    try repository.commit()
    try repository.git("tag", "v1.0")
  }

  private func setCurrent(_ version: String) throws {
    try store.folder.write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>",
      to: "Vault.xcdatamodeld/.xccurrentversion")
  }

  private func useMapping(_ name: String) throws {
    try setCurrent("V2")
    try #require(
      session("mapping write maps/\(name).mapping \(name).xcmappingmodel").status == .done)
  }

  /// Checks the project in all forms of an answer, and that each has a finding with this message.
  private func check(finds rule: String, saying messages: String...) throws {
    let json = session("check --json").output
    let text = session("check --annotate --junit r.xml --markdown r.md --sarif r.sarif --force")
    let files = try ["r.xml", "r.md", "r.sarif"].map {
      try String(contentsOfFile: store.folder.path($0), encoding: .utf8)
    }
    for report in [json, text.output] + files {
      #expect(report.contains(rule) && messages.allSatisfy(report.contains), "\(report)")
    }
    for report in [json, text.output, text.diagnostics] + files {
      #expect(MarkedStore.markers(in: report) == [], "\(report)")
    }
  }

  @Test("a policy file that stops on a value")
  func policyFile() throws {
    try useMapping("Guarded")
    try check(finds: "mapping/type", saying: "the policy Guard stopped", "s.sqlite")
  }

  @Test("a policy in Swift that stops with a value in its message")
  func policyInSwift() throws {
    try useMapping("Guarded")
    session.session.policies = PolicyRegistry([TalkativePolicy.self])
    let migration = session(
      "migrate s.sqlite --to Vault.xcdatamodeld/V2 --mapping Guarded.xcmappingmodel --dry-run")
    #expect(MarkedStore.markers(in: migration.diagnostics) == ["geheim"], "\(migration)")
    try check(finds: "mapping/type", saying: "the policy Guard stopped: ", "s.sqlite")
  }

  @Test("an expression that cannot be evaluated for a value")
  func expression() throws {
    try useMapping("Failing")
    try check(finds: "mapping/", saying: "cannot evaluate", "s.sqlite")
  }

  @Test("values that the new version does not allow, and a required value that is missing")
  func validation() throws {
    try setCurrent("V3")
    try check(finds: "fails/required", saying: "s.sqlite")
  }

  @Test("values that are lost")
  func losses() throws {
    try setCurrent("V2")
    try check(finds: "loss/values", saying: "lost")
  }
}
