import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// A loss is an error if the plan at the base does not have it, however it is lost.
@Suite("Losses of check")
struct CheckLossTests {
  private static func attribute(_ name: String, _ type: String = "String") -> String {
    CheckedRepository.attribute(name, type)
  }

  private static let names = ["name", "color"]

  /// Versions `App` and `App 2`, both released, with a name and a color; `App 2` has a size too.
  private func released() throws -> CheckedRepository {
    let project = try CheckedRepository()
    try project.version("App", Self.names.map { Self.attribute($0) })
    try project.commit(tag: "v1.0")
    try project.version(
      "App 2", Self.names.map { Self.attribute($0) } + [Self.attribute("size", "Double")])
    try project.commit(tag: "v1.1")
    return project
  }

  /// A change of the color in `App 3`.
  struct Change: Sendable {
    var what: String
    /// The attribute in place of the color; empty if it is deleted.
    var color: String
    /// Whether a renaming identifier is set.
    var isKept = false
  }

  static let changes = [
    Change(what: "deleted", color: ""),
    Change(what: "renamed", color: attribute("colour")),
    Change(what: "renamed to another name", color: attribute("tint")),
    Change(what: "with a misspelled identifier", color: attribute("tint") + " elementID=\"colr\""),
    Change(
      what: "required with a default value",
      color: #"name="tint" attributeType="String" defaultValueString="red""#),
    Change(
      what: "with an identifier", color: attribute("tint") + " elementID=\"color\"", isKept: true),
  ]

  static let options = ["", "--no-stores", "--since main", "--since main --no-stores", "--staged"]

  @Test("a rename without a renaming identifier is an error like a deletion", arguments: changes)
  func renames(change: Change) throws {
    let project = try released()
    try project.version(
      "App 3",
      [Self.attribute("name")] + (change.color.isEmpty ? [] : [change.color])
        + [Self.attribute("size", "Double")])
    try project.repository.git("add", "--all")
    for options in Self.options {
      let (status, answer, said) = try project.check(options)
      let errors = answer.findings.filter { $0.severity == "error" }.map(\.finding)
      #expect(
        errors == (change.isKept ? [] : ["loss/values App: App 2 -> App 3: Card.color"]),
        "\(change.what) \(options): \(answer.findings) \(said)")
      #expect(status == (change.isKept ? .done : .no))
    }
  }

  @Test("a rename without a renaming identifier is an error by the versions of a lock file too")
  func lockedRename() throws {
    let project = try released()
    try project.repository.git("tag", "--delete", "v1.0", "v1.1")
    try #require(project.session("lock").status == .done)
    try project.commit()
    try project.version(
      "App 3", [Self.attribute("name"), Self.attribute("colour"), Self.attribute("size", "Double")])
    for options in ["", "--since main"] {
      let (status, answer, _) = try project.check(options)
      #expect(status == .no && answer.findings.first?.rule == "loss/values", "\(answer.findings)")
    }
  }

  @Test("a probable rename has the fix that infer prints, which sets the identifier")
  func renameFix() throws {
    let project = try released()
    try project.version(
      "App 3", [Self.attribute("name"), Self.attribute("colour"), Self.attribute("size", "Double")])
    let answer = try project.check("--no-stores").answer
    let loss = try #require(answer.findings.first { $0.rule == "loss/values" })
    #expect(loss.fixes.first == "set the renaming identifier of colour to color")
    #expect(
      loss.commands == [
        "strata try 'App.xcdatamodeld/App 3.Card.colour' elementID color --write"
      ])
    let rename = try #require(answer.findings.first { $0.rule == "rename/likely" })
    #expect(rename.severity == "note")
    #expect(rename.fixes == ["set its renaming identifier to color"])
    #expect(rename.commands == loss.commands)
  }

  @Test("the rename of an entity without a renaming identifier loses its objects")
  func renamedEntity() throws {
    let project = try CheckedRepository()
    let entity = { (name: String) in
      #"<entity name="\#(name)"><attribute \#(Self.attribute("title"))/></entity>"#
    }
    for (version, tag) in [("App", "v1.0"), ("App 2", "v1.1")] {
      try project.version(
        version, [Self.attribute("name")] + (tag == "v1.0" ? [] : [Self.attribute("size")]),
        more: entity("Tag"))
      try project.commit(tag: tag)
    }
    try project.version(
      "App 3", [Self.attribute("name"), Self.attribute("size")], more: entity("Label"))
    let (status, answer, _) = try project.check("--no-stores")
    #expect(status == .no)
    #expect(
      answer.findings.filter { $0.severity == "error" }.map(\.finding) == [
        "loss/objects App: App 2 -> App 3: Tag"
      ])
  }

  @Test(
    "an identifier that continues only the last of two renames loses the values of older stores")
  func chain() throws {
    let project = try CheckedRepository()
    try project.version("App", [Self.attribute("color")])
    try project.commit(tag: "v1.0")
    try project.version("App 2", [Self.attribute("tint") + " elementID=\"color\""])
    try project.commit(tag: "v1.1")
    #expect(try project.check("--no-stores").status == .done)
    try project.version("App 3", [Self.attribute("shade") + " elementID=\"tint\""])
    let (status, answer, _) = try project.check("--no-stores")
    #expect(status == .no)
    #expect(answer.findings.first?.finding == "loss/values App: App -> App 3: Card.color")
    #expect(try project.check("--no-stores --strategy progressive").status == .done)
    try project.version("App 3", [Self.attribute("shade") + " elementID=\"color\""])
    #expect(try project.check("--no-stores").status == .done)
  }

  // MARK: Counted losses

  @Test("objects that a filter leaves to no entity mapping are lost, by each mapping model")
  func filtered() throws {
    let project = try released()
    try project.version(
      "App 3",
      (Self.names + ["more"]).map { Self.attribute($0) } + [Self.attribute("size", "Double")])
    try project.map(from: "App 2", to: "App 3", "where size > 1000000000", as: "M")
    var (status, answer, _) = try project.check()
    #expect(status == .no)
    let loss = try #require(answer.findings.first { $0.rule == "loss/objects" })
    // To accept it accepts no deletion of the entity.
    #expect(
      loss.severity == "error" && loss.finding == "loss/objects App: App 2 -> App 3: Card: some")
    #expect(loss.fixes.first?.contains("widen a filter") == true)
    // Once it has shipped, the loss has happened.
    try project.commit(tag: "v1.2")
    (status, answer, _) = try project.check()
    #expect(status == .done, "\(answer.findings)")
    // Without a base, the version can still be changed.
    (status, answer, _) = try project.check("--since v1.1")
    #expect(status == .no && answer.rules.contains("loss/objects"))
  }

  @Test("a filter that loses more objects than at the base is an error")
  func narrowerFilter() throws {
    let project = try released()
    try project.version(
      "App 3",
      (Self.names + ["more"]).map { Self.attribute($0) } + [Self.attribute("size", "Double")])
    try project.map(from: "App 2", to: "App 3", "where size > 0 OR size == nil", as: "M")
    try project.commit(tag: "v1.2")
    let before = try project.check()
    #expect(before.status == .done, "\(before.answer.findings)")
    try project.map(from: "App 2", to: "App 3", "where size > 1000000000", as: "M")
    let after = try project.check()
    #expect(after.status == .no)
    #expect(after.answer.findings.first?.rule == "loss/objects", "\(after.answer.findings)")
  }

  // MARK: Migrations that were not performed

  @Test("an unknown policy is status 2, unless it is accepted, and the first line counts")
  func unknownPolicy() throws {
    let project = try released()
    try project.version(
      "App 3",
      Self.names.map { Self.attribute($0) } + [
        Self.attribute("size", "Double"), Self.attribute("more"),
      ])
    try project.map(from: "App 2", to: "App 3", "policy Missing", as: "M")
    let (status, answer, said) = try project.check()
    #expect(status == .failed && said.contains("[check.unknownPolicy]"), "\(said)")
    let finding = try #require(answer.findings.first { $0.rule == "policy/unknown" })
    #expect(finding.severity == "warning")
    #expect(project.session("check").output.contains("1 of 2 migrations performed"))
    // Nothing was to be performed.
    #expect(try project.check("--no-stores").status == .done)
    try project.folder.write(
      "[[accept]]\nfinding = \"\(finding.finding)\"\nreason = \"tested in the app\"\n",
      to: "strata.toml")
    let accepted = try project.check()
    #expect(accepted.status == .done, "\(accepted)")
  }

  // MARK: Fixes

  @Test("a type change has the fixes of infer, and no renaming identifier")
  func typeChange() throws {
    let project = try released()
    try project.version("App 3", [Self.attribute("name"), Self.attribute("color", "Date")])
    let finding = try #require(try project.check("--no-stores").answer.findings.first)
    #expect(finding.rule == "path/none")
    #expect(finding.fixes.contains("keep the type"), "\(finding.fixes)")
    #expect(!finding.fixes.contains { $0.contains("renaming") })
  }

  @Test("each finding has a fix, and each command of Strata names the program")
  func fixes() throws {
    let project = try released()
    let unique =
      "/><uniquenessConstraints><uniquenessConstraint><constraint value=\"name\"/></uniquenessConstraint></uniquenessConstraints><attribute "
    try project.version(
      "App 3", [Self.attribute("name") + unique + #"name="code" attributeType="String""#])
    try project.version("App 4", [Self.attribute("name")], makesCurrent: false)
    for options in ["", "--no-stores"] {
      let answer = try project.check(options).answer
      #expect(answer.findings.count > 3)
      for finding in answer.findings {
        #expect(!finding.fixes.isEmpty, "\(finding)")
        for command in finding.commands {
          #expect(command.hasPrefix("strata ") || command.hasPrefix("git "), "\(command)")
        }
      }
    }
  }

  @Test("a deleted mapping model is named, with the command that restores it")
  func deletedMapping() throws {
    let project = try released()
    try project.map(from: "App", to: "App 2", "size = 5", as: "M")
    try project.commit(tag: "v1.2")
    #expect(try project.check("--no-stores").status == .done)
    try FileManager.default.removeItem(atPath: project.folder.path("M.xcmappingmodel"))
    let answer = try project.check("--no-stores").answer
    let finding = try #require(answer.findings.first { $0.rule == "path/changed" })
    #expect(finding.message.hasSuffix("; M was deleted since"))
    #expect(finding.commands == ["git checkout v1.2 -- M.xcmappingmodel"])
    try project.repository.shell(finding.commands[0])
    #expect(try project.check("--no-stores").status == .done)
  }

  @Test("a mapping model that is stale by an edit of a shipped version refers to that edit")
  func staleByEdit() throws {
    let project = try released()
    try project.map(from: "App", to: "App 2", "size = 5", as: "M")
    try project.commit()
    try project.version("App 2", [Self.attribute("name"), Self.attribute("size", "Float")])
    let answer = try project.check("--no-stores").answer
    #expect(answer.rules.contains("version/edited"))
    let finding = try #require(answer.findings.first { $0.rule == "mapping/stale" })
    #expect(finding.fixes == ["restore the version App 2: see version/edited"], "\(finding)")
    // One of two files with one name is named by its place, also where the index is checked in a private folder.
    try project.repository.shell("mkdir copy && cp -R M.xcmappingmodel copy && git add --all")
    let found = try ["--no-stores", "--no-stores --staged"].map { options in
      try project.check(options).answer.findings.filter { $0.rule == "mapping/stale" }.map(
        \.finding)
    }
    #expect(found[0] == found[1] && found[0].count == 2, "\(found)")
  }

  @Test("an edit of a shipped version hides what is unused: nothing is said of that")
  func hidden() throws {
    let project = try released()
    try project.map(from: "App", to: "App 2", "size = 5", as: "M")
    try project.folder.write(
      "[[bundle]]\npath = \"App.xcdatamodeld\"\nstrategy = \"lightweight\"\n\n[[accept]]\n"
        + "finding = \"loss/values App: App -> App 2: Card.gone\"\nreason = \"old\"\n",
      to: "strata.toml")
    try project.commit()
    let unused: Set = ["accept/unused", "mapping/unreachable", "mapping/shadowed"]
    #expect(!unused.isDisjoint(with: try project.check().answer.rules))
    try project.version("App 2", [Self.attribute("name"), Self.attribute("size", "Float")])
    let rules = try project.check().answer.rules
    #expect(rules.contains("version/edited") && unused.isDisjoint(with: rules), "\(rules)")
  }

  @Test(
    "links that a version loses are one finding, whatever its ends are called",
    arguments: ["Ann", "Zoe"])
  func ends(name: String) throws {
    let project = try CheckedRepository()
    for (version, ends) in [("App", "many"), ("App 2", "")] {
      let entities = BriefModel.entities(
        """
        Item
          a String
          tags -> \(name) \(ends) inverse=tagged
        \(name)
          tagged -> Item many inverse=tags
        """)
      try project.folder.write(
        "<model>\(entities)</model>",
        to: "\(CheckedRepository.bundle)/\(version).xcdatamodel/contents")
      try project.current(version)
      if version == "App" { try project.commit(tag: "v1.0") }
    }
    let output = project.session("check").output
    #expect(output.matches(of: /\[loss\/links\]/).count == 1, "\(output)")
  }

  @Test(
    "generated objects that break a rule before a migration are no finding after it; others are",
    arguments: [("old", [] as [String]), ("new", ["fails/unsavable"])])
  func brokenBefore(place: String, rules: [String]) throws {
    func attributes(_ pattern: String, _ others: String...) -> [String] {
      let name = "name=\"name\" optional=\"YES\" attributeType=\"String\""
      return [name + (pattern.isEmpty ? "" : " regularExpressionString=\"\(pattern)\"")]
        + others.map { "name=\"\($0)\" optional=\"YES\" attributeType=\"String\"" }
    }
    let pattern = ".+@.+"
    let project = try CheckedRepository()
    try project.version("App", attributes(place == "old" ? pattern : ""))
    try project.commit(tag: "v1.0")
    try project.version("App 2", attributes(pattern, "other"))
    let found = project.session("check").output
      .matches(of: /\[(fails[^\]]*)\]/).map { String($0.1) }
    #expect(found == rules, "\(project.session("check"))")
  }
}
