import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// `check`: each rule has a repository that breaks it and one that does not.
@Suite("check")
struct CheckTests {
  private static let (name, color) = (
    #"name="name" optional="YES" attributeType="String""#,
    #"name="color" optional="YES" attributeType="String""#
  )

  private static let size = #"name="size" optional="YES" attributeType="Integer 16""#

  /// Two released versions: App adds nothing, App 2 adds a color.
  private func released() throws -> CheckedRepository {
    let project = try CheckedRepository()
    try project.version("App", [Self.name])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [Self.name, Self.color])
    try project.commit(tag: "v1.1")
    return project
  }

  @Test("a project whose shipped versions all reach the current one has no findings")
  func sound() throws {
    let project = try released()
    let (status, answer, said) = try project.check()
    #expect(status == .done, "\(said)")
    #expect(answer.rules == [])
    #expect(answer.checked.releases == ["v1.0", "v1.1"])
    #expect(answer.checked.shipped == 2)
    #expect(answer.checked.base == "v1.1")
    #expect(answer.migrations.map(\.from) == ["App"])
    #expect(answer.migrations.allSatisfy { $0.objects == 10 && $0.lost == 0 && $0.problem == nil })
    let text = project.session("check").output
    #expect(
      text.hasPrefix(
        "checked App.xcdatamodeld: 2 versions, 2 shipped in 2 releases (v1.0 … v1.1), 0 mapping models, 0 stores, 1 migration; compared with v1.1\nno problems found"
      ), "\(text)")
  }

  /// Edits of an attribute of a shipped version, as pairs of texts of its XML.
  static let hashedEdits = [
    (#"optional="YES" "#, ""), ("\"String\"", "\"Integer 16\""),
    ("name=\"name\"", "name=\"title\""),
    ("attributeType", #"versionHashModifier="2" attributeType"#),
    ("attributeType", #"transient="YES" attributeType"#),
    ("\"String\"", #""Binary" allowsExternalBinaryDataStorage="YES""#),
    ("attributeType", #"preserveAfterDeletion="YES" attributeType"#),
    (#"<entity name="Card""#, #"<entity name="Card" isAbstract="YES""#),
    (#"<entity name="Card""#, #"<entity name="Card" versionHashModifier="2""#),
    ("name=\"Card\"", "name=\"Ticket\""),
    (
      "  </entity>",
      #"<uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints></entity>"#
    ),
    ("  </entity>", "</entity>\n<entity name=\"New\"/>"),
  ]

  @Test(
    "each edit of a shipped version that changes a hash is found, with its line",
    arguments: hashedEdits)
  func edited(old: String, new: String) throws {
    let project = try released()
    let file = "\(CheckedRepository.bundle)/App.xcdatamodel/contents"
    let text = try String(contentsOf: project.folder.url.appending(path: file), encoding: .utf8)
    #expect(text.contains(old))
    try project.folder.write(text.replacing(old, with: new, maxReplacements: 1), to: file)
    let (status, answer, _) = try project.check()
    #expect(status == .no)
    let found = answer.findings.filter { $0.rule == "version/edited" }
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.file == file && $0.message.contains("shipped in v1.0") })
    // The command of the fix restores the version.
    try project.repository.shell(try #require(found.first?.commands.first))
    #expect(try project.check().status == .done)
  }

  static let unhashedEdits = [
    (#"representedClassName="Card""#, #"representedClassName="Karte""#),
    ("attributeType", #"defaultValueString="x" attributeType"#),
    ("attributeType", #"renamingIdentifier="old" attributeType"#),
    ("attributeType", #"minValueString="2" attributeType"#),
    ("attributeType", #"regularExpressionString="a+" attributeType"#),
    ("attributeType", #"indexed="YES" attributeType"#),
    ("attributeType", #"spotlightIndexingEnabled="YES" attributeType"#),
    ("/>", #"><userInfo><entry key="a" value="b"/></userInfo></attribute>"#),
    (#"documentVersion="1.0""#, #"documentVersion="1.0" userDefinedModelVersionIdentifier="x""#),
  ]

  @Test("an edit of a shipped version that changes no hash is no finding", arguments: unhashedEdits)
  func unhashed(old: String, new: String) throws {
    let project = try released()
    let file = "\(CheckedRepository.bundle)/App.xcdatamodel/contents"
    let text = try String(contentsOf: project.folder.url.appending(path: file), encoding: .utf8)
    #expect(text.contains(old))
    try project.folder.write(text.replacing(old, with: new, maxReplacements: 1), to: file)
    let (status, answer, said) = try project.check()
    #expect(status == .done && answer.rules == [], "\(answer.findings) \(said)")
  }

  @Test("a shipped version that is gone is found; one that was renamed is not")
  func gone() throws {
    let project = try released()
    let versions = project.folder.url.appending(path: CheckedRepository.bundle)
    try FileManager.default.moveItem(
      at: versions.appending(path: "App.xcdatamodel"),
      to: versions.appending(path: "App 0.xcdatamodel"))
    #expect(try project.check().status == .done)
    try FileManager.default.removeItem(at: versions.appending(path: "App 0.xcdatamodel"))
    let (status, answer, _) = try project.check()
    #expect(status == .no && answer.rules == ["version/gone"])
    #expect(answer.findings.first?.finding == "version/gone App: App")
    try project.repository.shell(try #require(answer.findings.first?.commands.first))
    #expect(try project.check().status == .done)
  }

  @Test("a bundle that is gone is found; one that was renamed is the same bundle")
  func goneBundle() throws {
    let project = try released()
    let root = project.folder.url
    try project.folder.write("", to: "Other.xcdatamodeld/.keep")
    try FileManager.default.removeItem(at: root.appending(path: "Other.xcdatamodeld"))
    try FileManager.default.moveItem(
      at: root.appending(path: CheckedRepository.bundle),
      to: root.appending(path: "Renamed.xcdatamodeld"))
    var (status, answer, _) = try project.check()
    #expect(status == .done && answer.checked.shipped == 2, "\(answer.findings)")
    #expect(project.session("samples --write Samples").status == .done)
    try project.repository.git("add", "Samples")
    try FileManager.default.removeItem(at: root.appending(path: "Renamed.xcdatamodeld"))
    (status, answer, _) = try project.check("--no-stores")
    #expect(status == .no)
    #expect(
      answer.findings.filter { $0.rule == "version/gone" }.map(\.finding) == [
        "version/gone App.xcdatamodeld: App", "version/gone App.xcdatamodeld: App 2",
      ])
    for finding in answer.findings where finding.rule == "version/gone" {
      try project.repository.shell(try #require(finding.commands.first))
    }
    #expect(try project.check("--no-stores").answer.rules.contains("version/gone") == false)
  }

  @Test("a loss that the last release has too is a note, also for a newer version")
  func oldLoss() throws {
    let project = try released()
    try project.version("App 3", [Self.name, Self.size])
    try project.commit(tag: "v1.2")
    try project.version(
      "App 4", [Self.name, Self.size, #"name="weight" optional="YES" attributeType="Double""#])
    var (status, answer, _) = try project.check()
    #expect(status == .done, "\(answer.findings)")
    #expect(answer.findings.map(\.severity) == ["note"])
    // Since a revision that does not have it, it is new.
    (status, answer, _) = try project.check("--since v1.1")
    #expect(status == .no && answer.findings.map(\.rule) == ["loss/values"], "\(answer.findings)")
  }

  @Test("a bundle that was moved is the same bundle")
  func moved() throws {
    let project = try released()
    let root = project.folder.url
    try FileManager.default.createDirectory(
      at: root.appending(path: "Model"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: root.appending(path: CheckedRepository.bundle),
      to: root.appending(path: "Model/\(CheckedRepository.bundle)"))
    var (status, answer, _) = try project.check()
    #expect(status == .done && answer.checked.shipped == 2)
    // Its versions come back from where they were.
    try FileManager.default.removeItem(
      at: root.appending(path: "Model/\(CheckedRepository.bundle)/App.xcdatamodel"))
    (status, answer, _) = try project.check()
    #expect(status == .no && answer.rules == ["version/gone"])
    try project.repository.shell(try #require(answer.findings.first?.commands.first))
    #expect(try project.check().status == .done)
  }

  @Test("the current version must exist, and be the last shipped one or a newer one")
  func current() throws {
    let project = try released()
    try project.current("App")
    var (status, answer, _) = try project.check()
    #expect(status == .no && answer.rules.contains("version/current"))
    try project.current("App 7")
    (status, answer, _) = try project.check()
    #expect(answer.rules.contains("version/current"))
    try project.version(
      "App 3", [Self.name, Self.color, #"name="size" optional="YES" attributeType="Integer 16""#])
    (status, answer, _) = try project.check()
    #expect(status == .done && answer.rules == [])
  }

  @Test("two versions with equal hashes are a note")
  func twins() throws {
    let project = try released()
    try project.version("App 3", [Self.name, Self.color])
    let (status, answer, _) = try project.check()
    #expect(status == .done && answer.rules == ["version/twins"])
    #expect(try project.check("--fail-on note").status == .no)
  }

  @Test("a version without a path to the current one is found, with the obstacle")
  func noPath() throws {
    let project = try released()
    try project.version("App 3", [Self.name, #"name="color" optional="YES" attributeType="Date""#])
    let (status, answer, _) = try project.check()
    #expect(status == .no)
    let found = answer.findings.filter { $0.rule == "path/none" }
    #expect(found.map(\.finding) == ["path/none App: App 2 -> App 3: Card.color"])
    #expect(found.first?.message.contains("String -> Date") == true, "\(found)")
    #expect(found.first?.line == 5)
  }

  @Test("losses on the way to a new version are errors, and notes once that version has shipped")
  func losses() throws {
    let project = try released()
    try project.version("App 3", [Self.name, Self.size])
    var (status, answer, _) = try project.check()
    #expect(status == .no)
    #expect(answer.findings.map(\.finding).contains("loss/values App: App 2 -> App 3: Card.color"))
    #expect(answer.migrations.first { $0.from == "App 2" }?.lost ?? 0 > 0)
    try project.commit(tag: "v1.2")
    (status, answer, _) = try project.check()
    #expect(status == .done, "\(answer.findings)")
    #expect(answer.findings.allSatisfy { $0.severity == "note" })
  }

  @Test(
    "a loss that the base of a change has too is a note, which says so; the next release still has the error"
  )
  func knownLosses() throws {
    let project = try released()
    try project.version("App 3", [Self.name, Self.size])
    try project.commit()
    try project.version(
      "App 3", [Self.name, Self.size, CheckedRepository.attribute("tag", "Boolean")])
    let (status, answer, _) = try project.check("--since HEAD --no-stores")
    let loss = answer.findings.first { $0.rule == "loss/values" }
    #expect(status == .done && loss?.severity == "note", "\(answer.findings)")
    #expect(loss?.fixes.last?.contains("none for this change") == true, "\(answer.findings)")
    // The text alone is no mapping model of the project.
    let released = try project.check("--no-stores")
    let fix = released.answer.findings.first { $0.rule == "loss/values" }
    #expect(released.status == .no && fix?.severity == "error")
    for command in fix?.commands.filter({ !$0.contains("--split") }) ?? [] {
      let line = command.replacing("strata ", with: "", maxReplacements: 1)
      #expect(project.session(line).status == .done, "\(command)")
    }
    #expect(try project.check("--no-stores").answer.checked.shipped > 0)
    #expect(
      FileManager.default.fileExists(atPath: project.folder.path("App 2ToApp 3.xcmappingmodel")))
  }

  @Test(
    "a required attribute without a default fails: if it is new, by the models; otherwise, by a store"
  )
  func required() throws {
    let project = try released()
    try project.version("App 3", [#"name="name" attributeType="String""#, Self.color])
    var (status, answer, _) = try project.check("--no-stores")
    #expect(status == .done && Set(answer.rules) == ["fails/required"])
    #expect(answer.findings.allSatisfy { $0.severity == "warning" })
    try project.version(
      "App 3", [Self.name, Self.color, #"name="size" attributeType="Integer 16""#])
    (status, answer, _) = try project.check("--no-stores")
    #expect(status == .no && Set(answer.rules) == ["fails/required"])
    #expect(answer.findings.allSatisfy { $0.severity == "error" })
    (status, answer, _) = try project.check()
    #expect(status == .no && Set(answer.rules) == ["fails/required"])
    #expect(answer.findings.allSatisfy { $0.severity == "error" })
    try project.version(
      "App 3",
      [Self.name, Self.color, #"name="size" attributeType="Integer 16" defaultValueString="1""#])
    #expect(try project.check().status == .done)
  }

  @Test("an inherited property has one finding, with the objects of all its entities")
  func inherited() throws {
    let project = try CheckedRepository()
    let children = ["A", "B"].map {
      "<entity name=\"\($0)\" representedClassName=\"\($0)\" parentEntity=\"Card\"/>"
    }.joined()
    try project.version("App", [Self.name], more: children)
    try project.commit(tag: "v1.0")
    let needed = #"name="size" attributeType="Integer 16""#
    try project.version("App 2", [Self.name, needed], more: children)
    let findings = try project.check().answer.findings
    #expect(findings.map(\.rule) == ["fails/required"], "\(findings)")
    #expect(findings.first?.finding.contains("Card.size") == true, "\(findings)")
    #expect(
      findings.first?.message.contains(": 30 objects of A, B and Card, in") == true, "\(findings)")
    #expect(findings.first?.commands.count == 2, "\(findings)")
  }

  @Test("a mapping model that no longer ends at the current version is path/changed")
  func changedPath() throws {
    let project = try CheckedRepository()
    #expect(project.session("samples --write .").status == .done)
    let bundle = project.folder.url.appending(path: "Topics.xcdatamodeld")
    for name in try FileManager.default.contentsOfDirectory(atPath: project.folder.url.path)
    where name != "Topics.xcdatamodeld" && name != "Model1ToModel2.xcmappingmodel" && name != ".git"
    {
      try FileManager.default.removeItem(at: project.folder.url.appending(path: name))
    }
    func current(_ name: String) throws {
      try project.folder.write(
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>",
        to: "Topics.xcdatamodeld/.xccurrentversion")
    }
    for version in ["Model3", "Model4", "Model5"] {
      try FileManager.default.moveItem(
        at: bundle.appending(path: "\(version).xcdatamodel"),
        to: project.folder.url.appending(path: ".\(version)"))
    }
    try project.folder.write(".Model*\n", to: ".gitignore")
    try current("Model1")
    try project.commit(tag: "1.0")
    try current("Model2")
    try project.commit(tag: "1.1")
    #expect(try project.check().answer.rules.contains("path/changed") == false)
    // A new name of its file changes no migration.
    let (mapping, renamed) = ("Model1ToModel2.xcmappingmodel", "Renamed.xcmappingmodel")
    try FileManager.default.moveItem(
      at: project.folder.url.appending(path: mapping),
      to: project.folder.url.appending(path: renamed))
    #expect(try project.check().answer.rules.contains("path/changed") == false)
    try FileManager.default.moveItem(
      at: project.folder.url.appending(path: renamed),
      to: project.folder.url.appending(path: mapping))
    try FileManager.default.moveItem(
      at: project.folder.url.appending(path: ".Model3"),
      to: bundle.appending(path: "Model3.xcdatamodel"))
    try current("Model3")
    let (status, answer, _) = try project.check()
    #expect(status == .no)
    #expect(
      answer.findings.filter { $0.rule == "path/changed" }.map(\.message) == [
        "at 1.1 stores were migrated with Model1ToModel2 to Model2; the mapping model is now inferred"
      ])
    // From version to version the mapping model is still used.
    #expect(
      try project.check("--strategy progressive").answer.rules.contains("path/changed") == false)
    // The edit of a shipped version makes the mapping model stale.
    let file = "Topics.xcdatamodeld/Model2.xcdatamodel/contents"
    let text = try String(contentsOf: project.folder.url.appending(path: file), encoding: .utf8)
    try project.folder.write(
      text.replacing(#"optional="YES""#, with: "", maxReplacements: 1), to: file)
    #expect(
      Set(try project.check().answer.rules).isSuperset(of: ["version/edited", "mapping/stale"]))
  }

  @Test("a store of the folder is migrated; one that no version wrote is found")
  func stores() throws {
    let project = try released()
    #expect(
      project.session("create old.sqlite --model 'App.xcdatamodeld/App' --rows 3").status == .done)
    var (status, answer, _) = try project.check()
    #expect(status == .done)
    #expect(answer.migrations.map(\.store) == [nil, "old.sqlite"])
    #expect(answer.migrations.last?.objects == 3)
    #expect(
      project.session("create other.sqlite --model sample:Topics/Model1 --rows 1").status == .done)
    (status, answer, _) = try project.check()
    #expect(status == .no && answer.rules == ["store/unknown-version"])
  }

  @Test(
    "the nearest version tells what a store of no version has; a shared name of no entity is said")
  func unknownStores() throws {
    let project = try released()
    try project.folder.write(
      "<model><entity name=\"Card\"><attribute name=\"x\" attributeType=\"String\"/></entity></model>",
      to: "outside/Other.xcdatamodel/contents")
    #expect(
      project.session("create in.sqlite --model outside/Other.xcdatamodel --rows 1").status == .done
    )
    #expect(try project.check().answer.rules == [], "a model outside bundles wrote it")
    try FileManager.default.removeItem(atPath: project.folder.path("outside"))
    var found = try #require(try project.check().answer.findings.first)
    #expect(
      found.message
        == "no version of the project wrote this store; of App, Card differs")
    #expect(found.commands == ["strata identify in.sqlite App.xcdatamodeld"])
    let command = found.commands.first?.dropFirst("strata ".count) ?? ""
    #expect(project.session(String(command)).status == .no, "it runs, and names none")
    try FileManager.default.removeItem(atPath: project.folder.path("in.sqlite"))
    #expect(
      project.session("create other.sqlite --model sample:Topics/Model1 --rows 1").status == .done)
    found = try #require(try project.check().answer.findings.first)
    #expect(found.message == "no version of the project has an entity of this store")
    #expect(found.commands == [])
  }

  @Test("a store of one configuration, or of models merged from two bundles, is migrated")
  func partialStores() throws {
    let project = try CheckedRepository()
    let note = "<attribute name=\"text\" optional=\"YES\" attributeType=\"String\"/>"
    func write(_ version: String, more attribute: String) throws {
      try project.version(
        version, [Self.name],
        more: """
          <entity name="Note">\(note)\(attribute)</entity>
          <configuration name="Local"><memberEntity name="Note"/></configuration>
          """)
    }
    try write("App 1", more: note.replacing("text", with: "old"))
    let other = "<model><entity name=\"User\"><attribute name=\"mail\" attributeType=\"String\"/>"
    try project.folder.write(
      other + "</entity></model>", to: "Other.xcdatamodeld/Other.xcdatamodel/contents")
    try project.commit(tag: "v1.0")
    for line in [
      "create local.sqlite --model 'App.xcdatamodeld/App 1' --configuration Local --rows 3",
      "create both.sqlite --framework 500 --rows 3 --model 'App.xcdatamodeld/App 1+Other.xcdatamodeld/Other'",
    ] { #expect(project.session(line).status == .done, "\(project.session(line))") }
    // Nothing to migrate yet.
    #expect(try project.check().answer.migrations.map(\.store) == [])
    try write("App 2", more: "")
    let (status, answer, _) = try project.check()
    // The loss of a value is new; no store is unknown.
    #expect(status == .no && answer.rules.allSatisfy { $0 == "loss/values" }, "\(answer.findings)")
    #expect(answer.migrations.map(\.store) == [nil, "both.sqlite", "local.sqlite"])
    #expect(answer.migrations.map(\.problem) == [nil, nil, nil])
    #expect(answer.migrations.suffix(2).map(\.from) == ["App 1+Other", "App 1 (Local)"])
    #expect(answer.migrations.suffix(2).map(\.objects) == [9, 3])
  }

  @Test("stages that do not lead to the current version are found")
  func missingStep() throws {
    let project = try released()
    try project.folder.write("stage lightweight App, App 2\n", to: "App.stages")
    #expect(try project.check().answer.rules == [])
    try project.version("App 3", [Self.name, Self.color, Self.size])
    let (status, answer, _) = try project.check()
    #expect(status == .no && answer.rules == ["path/missing-step"])
    #expect(answer.findings.first?.message == "App 2 -> App 3 is in no stage")
    // The fix does what it says.
    #expect(answer.findings.first?.fixes == ["add the line `stage lightweight App 3`"])
    try project.folder.write(
      "stage lightweight App, App 2\nstage lightweight App 3\n", to: "App.stages")
    #expect(try project.check().status == .done)
    try project.folder.write("stage lightweight App, App 2, App 3\n", to: "App.stages")
    #expect(try project.check().status == .done)
  }

  private func migrateInStages(_ project: CheckedRepository) throws {
    try project.folder.write(
      "[[bundle]]\npath = \"\(CheckedRepository.bundle)\"\nstrategy = \"staged\"\n",
      to: "strata.toml")
  }

  @Test(
    "a stages file with an error cannot be checked, for the reason and at the line that `plan` says",
    arguments: [
      ("stagee lightweight App, App 2", "expected a stage", ":1:1"),
      ("stage lightweight App, App 9, App 2", "there is no version App 9", ":1:24"),
      ("stage lightweight App\nstage lightweight App", "App is in two stages", ":2:19"),
      ("stage lightweight App, App 2\nstage lightweight App 2", "App 2 is in two stages", ":2:19"),
      (
        "stage custom App -> App 2\n  will: run missing.strata",
        "there is no script missing.strata",
        ""
      ),
    ])
  func wrongStages(text: String, reason: String, position: String) throws {
    let project = try released()
    try migrateInStages(project)
    try project.folder.write(text + "\n", to: "App.stages")
    let (status, answer, said) = try project.check()
    #expect(status == .failed && answer.rules == [], "\(answer.findings) \(said)")
    #expect(said.contains(reason) && said.contains("App.stages\(position)"), "\(said)")
    let planned = project.session(
      "plan 'App.xcdatamodeld/App' --to 'App.xcdatamodeld/App 2' --stages App.stages")
    #expect(planned.status == .failed && planned.diagnostics.contains(reason), "\(planned)")
    // A second file, which can be used, does not hide it.
    try project.folder.write("stage lightweight App, App 2\n", to: "Z.stages")
    let both = try project.check()
    #expect(both.status == .failed && both.answer.rules == [], "\(both.answer.findings)")
    #expect(both.said.contains(reason) && both.answer.migrations.count == 1, "\(both.said)")
  }

  @Test("without a stages file for a bundle in stages there is no path")
  func withoutStages() throws {
    let project = try released()
    try migrateInStages(project)
    let (status, answer, _) = try project.check()
    #expect(status == .no && answer.rules == ["path/none"], "\(answer.findings)")
  }

  @Test("of several stages files the first one is used, and the others are a warning")
  func severalStages() throws {
    let project = try released()
    try project.folder.write("stage lightweight App, App 2\n", to: "A.stages")
    try project.folder.write("stage lightweight App\nstage lightweight App 2\n", to: "B.stages")
    // No migration is in stages.
    #expect(try project.check().answer.rules == [])
    try migrateInStages(project)
    let (status, answer, _) = try project.check()
    #expect(status == .done && answer.rules == ["path/shadowed"], "\(answer.findings)")
    #expect(
      answer.findings.first?.message
        == "2 files have stages of App: A.stages is used, and B.stages is not")
    #expect(answer.findings.first?.file == "B.stages")
  }

  @Test("a mapping model that no path uses is a warning")
  func unreachable() throws {
    let project = try released()
    #expect(
      project.session(
        "infer 'App.xcdatamodeld/App' 'App.xcdatamodeld/App 2' --write A.xcmappingmodel"
      ).status == .done)
    #expect(try project.check().answer.rules == [])
    try project.version("App 3", [Self.name, Self.color, Self.size])
    let (status, answer, _) = try project.check()
    #expect(status == .done && answer.rules == ["mapping/unreachable"], "\(answer.findings)")
  }

  @Test("several mapping models that fit are ambiguous")
  func ambiguous() throws {
    let project = try released()
    #expect(
      project.session(
        "infer 'App.xcdatamodeld/App' 'App.xcdatamodeld/App 2' --write A.xcmappingmodel"
      ).status == .done)
    try FileManager.default.copyItem(
      atPath: project.folder.path("A.xcmappingmodel"),
      toPath: project.folder.path("B.xcmappingmodel"))
    // A copy does the same: only one of them counts.
    let copied = try project.check()
    #expect(copied.status == .done && copied.answer.rules == ["mapping/shadowed"])
    let text = ".git/C.mapping"
    project.session(
      "infer 'App.xcdatamodeld/App' 'App.xcdatamodeld/App 2' --write \(text)")
    let inferred = try String(contentsOfFile: project.folder.path(text), encoding: .utf8)
    try project.folder.write(inferred + "  where 1 == 1\n", to: text)
    #expect(project.session("mapping write \(text) C.xcmappingmodel").status == .done)
    let (status, answer, _) = try project.check()
    #expect(status == .no && answer.rules.contains("mapping/ambiguous"), "\(answer.findings)")
  }

  @Test("a damaged store is found")
  func damaged() throws {
    let project = try released()
    #expect(
      project.session("create old.sqlite --model 'App.xcdatamodeld/App' --rows 3").status == .done)
    let file = project.folder.url.appending(path: "old.sqlite")
    try Data(contentsOf: file).prefix(5000).write(to: file)
    let (status, answer, _) = try project.check()
    #expect(status == .no && answer.rules == ["store/unreadable"], "\(answer.findings)")
  }

  // MARK: What cannot be checked

  @Test("a shallow clone is status 2, and never a pass")
  func shallow() throws {
    let project = try released()
    let clone = try TemporaryFolder()
    try project.repository.git(
      "clone", "--quiet", "--depth", "1", "file://\(project.folder.url.path)", clone.path("clone"))
    let answer = TestSession(in: clone)("check clone")
    #expect(answer.status == .failed)
    #expect(answer.diagnostics.contains("[check.shallow]"), "\(answer.diagnostics)")
    #expect(answer.diagnostics.contains("fetch-depth: 0"))
    // Also if nothing has changed.
    for option in ["--since HEAD", "--staged"] {
      let same = TestSession(in: clone)("check clone \(option)")
      #expect(same.status == .failed && same.output.hasPrefix("checked"), "\(same)")
      #expect(same.diagnostics.contains("[check.shallow]"), "\(same)")
    }
    // A lock file has the releases.
    #expect(TestSession(in: clone)("lock clone --release 1.1").status == .done)
    let cloned = try GitFixture(in: clone, existing: "clone")
    try cloned.commit()
    let locked = TestSession(in: clone)("check clone --since HEAD")
    #expect(locked.status == .done && locked.output.hasPrefix("nothing changed"), "\(locked)")
  }

  @Test("without releases, without a repository and without a bundle the status is 2")
  func nothing() throws {
    let project = try CheckedRepository()
    #expect(project.session("check").status == .failed)
    #expect(project.session("check").diagnostics.contains("[check.nothing]"))
    try project.version("App", [Self.name])
    try project.commit(tag: "nightly")
    let answer = project.session("check")
    #expect(
      answer.status == .failed && answer.diagnostics.contains("[check.noReleases]"), "\(answer)")
    #expect(answer.output.hasPrefix("checked App.xcdatamodeld"))
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    #expect(session("samples --write .").status == .done)
    let apart = session("check")
    #expect(
      apart.status == .failed && apart.diagnostics.contains("[git.notARepository]"), "\(apart)")
  }

  @Test("tags of releases have a version number and no mark of a prerelease")
  func releases() throws {
    let project = try CheckedRepository()
    try project.version("App", [Self.name])
    let tags = ["v1.0", "2.0.1", "release-3", "App/4.0"]
    for tag in tags + ["v5.0-beta.1", "v6-rc1", "nightly-7", "canary-4", "2.0b1"] {
      try project.commit(tag: tag)
    }
    #expect(Set(try project.check().answer.checked.releases) == Set(tags))
    #expect(try project.check("--released 'v*'").answer.checked.releases.contains("v5.0-beta.1"))
  }
}
