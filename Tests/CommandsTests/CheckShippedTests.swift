import Foundation
import StrataArchives
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Which versions shipped, by tags, by the lock file, and for each bundle of a repository with several apps.
@Suite("Shipped versions of check")
struct CheckShippedTests {
  private static func attribute(_ name: String) -> String { CheckedRepository.attribute(name) }

  private func versions(_ attributes: [[String]], of project: CheckedRepository) throws {
    for (index, attributes) in attributes.enumerated() {
      try project.version("App \(index + 1)", attributes.map { Self.attribute($0) })
    }
  }

  @Test("a tag with a version number does not switch the lock file off")
  func union() throws {
    let project = try CheckedRepository()
    try versions([["a"], ["a", "b"]], of: project)
    try #require(project.session("lock --release 1.0").status == .done)
    try project.commit(tag: "lib-2.0")
    let (status, answer, said) = try project.check()
    #expect(status == .done && answer.checked.shipped == 2, "\(said)")
    #expect(answer.migrations.map(\.from) == ["App 1"])
    #expect(
      project.session("check").output.contains("2 shipped in 1 release (lib-2.0) and strata.lock"))
    try project.version("App 1", [Self.attribute("c")], makesCurrent: false)
    let edited = try project.check("--no-stores")
    #expect(edited.status == .no && edited.answer.rules.contains("version/edited"))
    // A version of both is reported once.
    try project.version("App 2", [Self.attribute("a"), Self.attribute("c")])
    let both = try project.check("--no-stores").answer.findings.filter {
      $0.finding.contains("App 2") && $0.rule == "version/edited"
    }
    #expect(Set(both.map(\.finding)).count == both.count, "\(both)")
  }

  @Test("a version of a release that was current at no tag is protected by warnings")
  func unshipped() throws {
    let project = try CheckedRepository()
    try versions([["a"], ["a", "b"], ["a", "b", "c"]], of: project)
    try project.commit(tag: "v3.0")
    var (status, answer, _) = try project.check("--no-stores")
    #expect(status == .done && answer.rules == ["version/untagged"])
    #expect(answer.findings.first?.severity == "note")
    #expect(answer.findings.first?.message.hasPrefix("App 1 and App 2 are older") == true)
    try project.version("App 1", [Self.attribute("z")], makesCurrent: false)
    try FileManager.default.removeItem(
      atPath: project.folder.path("\(CheckedRepository.bundle)/App 2.xcdatamodel"))
    (status, answer, _) = try project.check("--no-stores")
    let found = answer.findings.filter { $0.severity == "warning" }
    #expect(status == .done && Set(found.map(\.rule)) == ["version/edited", "version/gone"])
    #expect(
      found.allSatisfy { $0.message.contains("v3.0") && $0.message.contains("no release tag") })
    for command in Set(found.flatMap(\.commands)) { try project.repository.shell(command) }
    #expect(try project.check("--no-stores").answer.rules == ["version/untagged"])
    // The lock file records them.
    try #require(project.session("lock --release 2.0").status == .done)
    (status, answer, _) = try project.check("--no-stores")
    #expect(status == .done && answer.rules == [] && answer.checked.shipped == 3)
  }

  @Test("a new version that is not the current one is a note")
  func unused() throws {
    let project = try CheckedRepository()
    try project.version("App", [Self.attribute("a")])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [Self.attribute("b")], makesCurrent: false)
    let (status, answer, _) = try project.check()
    #expect(status == .done && answer.findings.map(\.finding) == ["version/unused App: App 2"])
    #expect(answer.findings.first?.severity == "note")
    // A step between others is not meant to be current.
    try project.version("Step", [Self.attribute("c")], makesCurrent: false)
    try project.folder.write("stage lightweight App, Step\n", to: "App.stages")
    #expect(
      try project.check().answer.findings.map(\.finding) == ["version/unused App: App 2"])
    try project.commit()
    #expect(try project.check("--since main").answer.checked.unchanged != nil)
    try project.current("App 2")
    #expect(try !project.check("--no-stores").answer.rules.contains("version/unused"))
  }

  // MARK: Several apps

  private func shop(_ project: CheckedRepository, _ versions: [[String]]) throws {
    for (index, attributes) in versions.enumerated() {
      let name = "Shop \(index + 1)"
      let elements = attributes.map { "<attribute \(Self.attribute($0))/>" }.joined()
      try project.folder.write(
        "<model><entity name=\"Order\">\(elements)</entity></model>",
        to: "shop/Shop.xcdatamodeld/\(name).xcdatamodel/contents")
      try project.folder.write(
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>",
        to: "shop/Shop.xcdatamodeld/.xccurrentversion")
    }
  }

  @Test("the tags of one app do not count for another, with `released` of each bundle")
  func apps() throws {
    let project = try CheckedRepository()
    try versions([["a"]], of: project)
    try shop(project, [["no"]])
    try project.commit(tag: "app-1.0")
    try project.repository.git("tag", "shop-1.0")
    // In work when the other app is released.
    try shop(project, [["no"], ["no", "x"]])
    try project.commit(tag: "app-2.0")
    try shop(project, [["no"], ["no", "y"]])
    let together = try project.check("--no-stores")
    #expect(together.status == .no && together.answer.rules.contains("version/edited"))
    try project.folder.write(
      """
      [[bundle]]
      path = "App.xcdatamodeld"
      released = "app-*"
      [[bundle]]
      path = "shop/Shop.xcdatamodeld"
      released = "shop-*"
      """, to: "strata.toml")
    let (status, answer, said) = try project.check()
    #expect(status == .done, "\(answer.findings) \(said)")
    #expect(answer.checked.shipped == 2)
    #expect(answer.checked.base == "app-2.0 and shop-1.0")
    #expect(answer.migrations.map(\.from) == ["Shop 1"])
    // The option wins.
    #expect(try project.check("--no-stores --released 'app-*'").status == .no)
    try project.repository.git("tag", "--delete", "shop-1.0")
    let untagged = try project.check("--no-stores")
    #expect(untagged.status == .failed && untagged.said.contains("no tag matches shop-*"))
  }

  // MARK: Changes of another branch

  @Test("an edited unreleased version, and what is removed from a shipped one, skip nothing")
  func notSkipped() throws {
    let project = try CheckedRepository()
    try versions([["a"], ["a", "b"]], of: project)
    try project.commit(tag: "v1.0")
    // It removes what the shipped version added: a loss on the path from it.
    try project.version("App 3", ["a", "c"].map { Self.attribute($0) })
    var rules = try project.check("--since main --no-stores").answer.rules
    #expect(!rules.contains("version/skipped") && rules.contains("loss/values"))
    try project.commit()
    try project.version("App 3", ["a", "d"].map { Self.attribute($0) })
    rules = try project.check("--since main --no-stores").answer.rules
    #expect(!rules.contains("version/skipped"), "\(rules)")
  }
}
