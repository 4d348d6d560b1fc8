import Foundation
import StrataArchives
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Rules of `check` that need other branches, CloudKit, stages or files beside a store.
@Suite("check of branches, CloudKit and external data")
struct CheckReleaseTests {
  private static func attribute(_ name: String, _ more: String = "") -> String {
    #"name="\#(name)" optional="YES" attributeType="String"\#(more)"#
  }

  /// `App` was released, and `main` has `App 2` with a color; the branch was made before it.
  private func branched(_ version: [String]) throws -> CheckedRepository {
    let project = try CheckedRepository()
    try project.version("App", [Self.attribute("name")])
    try project.commit(tag: "v1.0")
    try project.repository.git("branch", "feature")
    try project.version("App 2", [Self.attribute("name"), Self.attribute("color")])
    try project.commit()
    try project.repository.git("checkout", "--quiet", "feature")
    try project.version("App 3", version)
    try project.commit()
    return project
  }

  @Test("a current version that lacks what another branch changed is a warning with --since")
  func skipped() throws {
    let project = try branched([attribute("name"), attribute("size")])
    let (status, answer, _) = try project.check("--since main --no-stores")
    let finding = try #require(answer.findings.first { $0.rule == "version/skipped" })
    #expect(status == .done && finding.severity == "warning")
    #expect(finding.message.contains("App 2") && finding.message.contains("Card"))
    #expect(!(try project.check("--no-stores").answer.rules.contains("version/skipped")))
  }

  @Test("a version that both branches made from one skips what only the other changed")
  func partlySkipped() throws {
    let project = try CheckedRepository()
    try project.version("App", [attribute("name"), attribute("old")])
    try project.commit(tag: "v1.0")
    try project.repository.git("branch", "feature")
    try project.version("App 2", [attribute("name"), attribute("color")])
    try project.commit()
    try project.repository.git("checkout", "--quiet", "feature")
    try project.version("App 3", [attribute("name"), attribute("size")])
    try project.commit()
    let (_, answer, _) = try project.check("--since main --no-stores")
    let finding = try #require(answer.findings.first { $0.rule == "version/skipped" })
    #expect(finding.message.hasSuffix("Card.color"), "\(finding)")
  }

  @Test("what a base has gained since a branch left it is no change of the branch")
  func behind() throws {
    let project = try CheckedRepository()
    try project.version("App", [attribute("name"), attribute("old")])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [attribute("name")])
    try project.commit(tag: "v1.1")
    try project.repository.git("branch", "feature")
    try project.version("App 3", [attribute("name"), attribute("color")])
    try project.map(from: "App", to: "App 3", "color = $source.old", as: "Old")
    try project.commit()
    try project.repository.git("checkout", "--quiet", "feature")
    try project.folder.write("x", to: "README")
    try project.commit()
    let unchanged = project.session("check --since main --no-stores")
    #expect(
      unchanged.status == .done && unchanged.output.hasPrefix("nothing changed since main"),
      "\(unchanged)")
    try project.version("App 4", [attribute("name"), attribute("size")])
    try project.commit()
    let (status, answer, _) = try project.check("--since main --no-stores")
    #expect(status == .done, "\(answer.findings)")
    #expect(answer.rules.contains("version/skipped") && !answer.rules.contains("path/changed"))
  }

  @Test("a version with the changes of the other branch skips nothing")
  func notSkipped() throws {
    let project = try branched([attribute("name"), attribute("color"), attribute("size")])
    #expect(try project.check("--since main --no-stores").answer.rules == [])
  }

  @Test("of two versions of one name that both branches made, the one here skips the other")
  func namesakes() throws {
    let project = try CheckedRepository()
    try project.version("App", [attribute("name")])
    try project.commit(tag: "v1.0")
    try project.repository.git("branch", "feature")
    try project.version("App 2", [attribute("name"), attribute("color")])
    try project.commit()
    try project.repository.git("checkout", "--quiet", "feature")
    try project.version("App 2", [attribute("name"), attribute("size")])
    try project.commit()
    let (status, answer, _) = try project.check("--since main --no-stores")
    let finding = try #require(answer.findings.first { $0.rule == "version/skipped" })
    #expect(status == .done && finding.severity == "warning")
    #expect(finding.message.contains("App 2 at main changed: Card.color"), "\(finding)")
    // A branch that was made with the version edits it.
    try project.repository.git("checkout", "--quiet", "-b", "later", "main")
    try project.version("App 2", [attribute("name"), attribute("size")])
    try project.commit()
    #expect(try !project.check("--since main --no-stores").answer.rules.contains("version/skipped"))
  }

  private func attribute(_ name: String) -> String { Self.attribute(name) }

  @Test("equal versions are an error with the strategy staged, which refuses them")
  func stagedTwins() throws {
    let project = try CheckedRepository()
    try project.version("App", [attribute("name")])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [attribute("name")])
    let severity = { (options: String) in
      try project.check("--no-stores " + options).answer.findings
        .first { $0.rule == "version/twins" }?.severity
    }
    #expect(try severity("") == "note")
    #expect(try severity("--strategy staged") == "error")
  }

  // MARK: CloudKit

  /// Elements that break a rule of mirroring, with the part of the message and the property.
  static let unmirrored = [
    (
      #"name="name" attributeType="String""#, "optional, or have a default value",
      "Card.name", 4
    ),
    (
      #"name="name" optional="YES" attributeType="String"/><uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints><attribute name="size" optional="YES" attributeType="String""#,
      "unique constraints", "Card.name", 4
    ),
  ]

  private func mark(_ project: CheckedRepository, _ version: String) throws {
    let file = "\(CheckedRepository.bundle)/\(version).xcdatamodel/contents"
    let text = String(decoding: try FileBytes.read(project.folder.path(file)), as: UTF8.self)
    try project.folder.write(
      text.replacing(
        #"documentVersion="1.0""#, with: #"documentVersion="1.0" usedWithCloudKit="YES""#), to: file
    )
  }

  @Test("a model for CloudKit that breaks a rule is an error", arguments: unmirrored)
  func cloudKitModel(attribute: String, message: String, subject: String, line: Int) throws {
    let project = try CheckedRepository()
    try project.version("App", [attribute])
    try project.commit(tag: "v1.0")
    #expect(try project.check("--no-stores").answer.rules == [])
    try mark(project, "App")
    let (status, answer, _) = try project.check("--no-stores")
    #expect(status == .no && answer.rules == ["cloudkit/model"])
    let finding = try #require(answer.findings.first)
    #expect(finding.message.contains(message) && finding.line == line)
    #expect(finding.finding == "cloudkit/model App: App: \(subject)")
    // The configuration wins.
    try project.folder.write(
      "[[bundle]]\npath = \"App.xcdatamodeld\"\ncloudkit = false\n", to: "strata.toml")
    #expect(try project.check("--no-stores").answer.rules == [])
  }

  @Test("with CloudKit, a change since the last release that is no addition is an error")
  func cloudKitSchema() throws {
    let project = try CheckedRepository()
    try project.folder.write(
      "[[bundle]]\npath = \"App.xcdatamodeld\"\ncloudkit = true\n", to: "strata.toml")
    try project.version("App", [attribute("name"), attribute("color")])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [attribute("name"), attribute("color"), attribute("size")])
    #expect(try project.check("--no-stores").answer.rules == [])
    try project.version(
      "App 2", [attribute("name"), Self.attribute("tint", #" elementID="color""#)])
    let found = try project.check("--no-stores").answer.findings
      .filter { $0.rule == "cloudkit/schema" }
    #expect(found.map(\.finding) == ["cloudkit/schema App: App -> App 2: Card.tint"])
    #expect(found.first?.message.contains("renamed from color") == true)
  }

  // MARK: Mapping models

  @Test("a mapping model whose migration another one performs is shadowed")
  func shadowed() throws {
    let project = try CheckedRepository()
    try project.version("App", [attribute("name")])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [attribute("name"), attribute("color")])
    let pair = "App.xcdatamodeld/App 'App.xcdatamodeld/App 2'"
    #expect(project.session("infer \(pair) --write App1To2.xcmappingmodel").status == .done)
    #expect(try project.check("--no-stores").answer.rules == [])
    let (status, answer, _) = try project.check("--no-stores --strategy lightweight")
    #expect(status == .done && answer.rules == ["mapping/shadowed"])
    #expect(answer.findings.first?.message.contains("an inferred mapping model") == true)
  }

  // MARK: External data

  @Test("a store whose files of binary data are missing is a warning")
  func externalData() throws {
    let project = try CheckedRepository()
    let photo =
      #"name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES""#
    try project.version("App", [photo])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [photo, attribute("color")])
    try project.folder.write(String(repeating: "x", count: 200_000), to: "photo.bin")
    #expect(project.session("create a.sqlite --model App.xcdatamodeld/App").status == .done)
    #expect(project.session("insert a.sqlite Card photo=@photo.bin").status == .done)
    var (status, answer, said) = try project.check()
    #expect(status == .done && answer.rules == [], "\(answer.findings) \(said)")
    try FileManager.default.removeItem(atPath: project.folder.path(".a_SUPPORT"))
    (status, answer, said) = try project.check()
    let finding = answer.findings.first { $0.rule == "store/external-missing" }
    #expect(finding?.severity == "warning" && finding?.file == "a.sqlite", "\(answer) \(said)")
    // Once: other commands warn of it.
    #expect(
      status == .done && answer.rules == ["store/external-missing"] && said.isEmpty, "\(said)")
  }

  @Test(
    "a store whose -wal or -journal a migration refuses is an error, and is not migrated",
    arguments: ["damaged -wal", "foreign -wal", "foreign -journal"])
  func companions(kind: String) throws {
    let project = try CheckedRepository()
    try project.version("App", [attribute("name")])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [attribute("name"), attribute("color")])
    #expect(
      project.session("create a.sqlite --model App.xcdatamodeld/App --rows 3").status == .done)
    switch kind {
    case "damaged -wal":
      try project.folder.write(String(repeating: "\0", count: 4152), to: "a.sqlite-wal")
    case "foreign -wal":
      try project.session.putForeignWAL(besideStore: "a.sqlite", in: project.folder)
    default: try project.session.putForeignJournal(besideStore: "a.sqlite", in: project.folder)
    }
    try? FileManager.default.removeItem(atPath: project.folder.path("other"))
    let (status, answer, said) = try project.check()
    let finding = answer.findings.first { $0.rule == "store/unreadable" }
    #expect(finding?.severity == "error" && finding?.file == "a.sqlite", "\(answer) \(said)")
    #expect(status == .no && said.isEmpty, "\(said)")
    let refused = project.session("migrate a.sqlite --to 'App.xcdatamodeld/App 2' --dry-run")
    #expect(refused.status == .failed)
  }

  @Test(
    "a version without a path is told the strategy that gives it one, and that does",
    arguments: [
      ("default", nil, "hybrid"), ("lightweight", nil, "hybrid"), ("custom", nil, "hybrid"),
      (
        "default", "stage custom App -> App 2\nstage lightweight App 3\n",
        "staged"
      ),
    ] as [(String, String?, String)])
  func otherStrategy(strategy: String, stages: String?, other: String) throws {
    let project = try CheckedRepository()
    for (version, type) in [("App", "String"), ("App 2", "Integer 16"), ("App 3", "Integer 32")] {
      // Each stage is inferred: in the version between, the attribute has another name.
      let name = stages != nil && version == "App 2" ? "b" : "a"
      try project.version(version, [CheckedRepository.attribute(name, type)])
      if version == "App" { try project.commit(tag: "v1.0") }
    }
    if let stages {
      try project.folder.write(stages, to: "App.stages")
    } else {
      try project.map(from: "App", to: "App 2", "a = $source.a.integerValue", as: "M")
    }
    func check(by strategy: String) throws -> CheckedRepository.Answer {
      try project.folder.write(
        "[[bundle]]\npath = \"App.xcdatamodeld\"\nstrategy = \"\(strategy)\"\n", to: "strata.toml")
      return try project.check("--no-stores").answer
    }
    let answer = try check(by: strategy)
    let finding = try #require(answer.findings.first { $0.finding.hasPrefix("path/none") })
    #expect(
      finding.fixes.first?.hasPrefix("set strategy = \"\(other)\" for the bundle in strata.toml")
        == true, "\(finding)")
    #expect(try !check(by: other).rules.contains("path/none"))
  }

  @Test(
    "a fix with a means that the strategy does not use names the strategy that does",
    arguments: ["default", "lightweight", "custom", "progressive", "hybrid", "staged"])
  func meansOfFixes(strategy: String) throws {
    let project = try CheckedRepository()
    let parts = ("<entity name=\"Part\"/>", "destinationEntity=\"Part\"")
    try project.version(
      "App", [CheckedRepository.attribute("a"), Self.attribute("b")], more: parts.0)
    try project.commit(tag: "v1.0")
    let relationship = "<relationship name=\"b\" optional=\"YES\" maxCount=\"1\" \(parts.1)/>"
    var fixes: [(text: String, commands: [String])] = []
    for (name, type) in [("a", "Integer 16"), ("c", "String")] {
      try project.version(
        "App 2", [CheckedRepository.attribute(name, type)],
        more: "\(parts.0)<entity name=\"Other\">\(relationship)</entity>")
      try project.folder.write(
        "stage custom App -> App 2\n", to: "App.stages")
      try project.folder.write(
        "[[bundle]]\npath = \"App.xcdatamodeld\"\nstrategy = \"\(strategy)\"\n", to: "strata.toml")
      for finding in try project.check("--no-stores").answer.findings {
        fixes += finding.fixes.map { ($0, finding.commands) }
      }
    }
    #expect(!fixes.isEmpty)
    for (text, commands) in fixes {
      let usesMapping =
        commands.contains { $0.contains("--write") && $0.contains(".mapping") }
        && (text.contains("mapping") || text.contains("policy"))
      let usesStages = text.hasPrefix("split the migration")
      let names = text.contains("strategy = \"")
      let hasMapping = !["lightweight", "staged"].contains(strategy)
      #expect(!usesMapping || hasMapping || names, "\(text)")
      #expect(!usesStages || (strategy == "staged") != names, "\(text)")
    }
  }

  @Test("a current version that was set back is chosen again by the command of its finding")
  func setBack() throws {
    let project = try CheckedRepository()
    for (version, tag) in [("App", "v1.0"), ("App 2", "v2.0")] {
      try project.version(version, [Self.attribute(version == "App" ? "a" : "b")])
      try project.commit(tag: tag)
    }
    try project.current("App")
    func finding() throws -> CheckedRepository.Answer.Finding? {
      try project.check("--no-stores").answer.findings.first { $0.rule == "version/current" }
    }
    let command = try #require(try finding()?.commands.first)
    #expect(project.session(command.replacing("strata ", with: "")).status == .done, "\(command)")
    #expect(try finding() == nil)
  }
}
