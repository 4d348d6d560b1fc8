import Foundation
import StrataBase
import TestSupport
import Testing

@testable import StrataCommands

/// Each rule of `check` has a repository that breaks it and one that does not: the same before a change.
@Suite("Rules of check")
struct CheckRuleTests {
  /// A change of a repository, after which a rule is broken.
  struct Break: Sendable {
    var rule: CheckRule.Kind
    /// Options of `check`, before and after the change.
    var options = ""
    /// What is done to the repository of ``CheckRuleTests/released()`` before.
    var prepare: @Sendable (CheckedRepository) throws -> Void = { _ in }
    var change: @Sendable (CheckedRepository) throws -> Void
  }

  @Test("every rule has a case and a page")
  func complete() {
    #expect(Set(Self.breaks.map(\.rule)) == Set(CheckRule.Kind.allCases))
    #expect(CheckRule.pages.map(\.name) == CheckRule.Kind.allCases.map(\.rawValue))
  }

  @Test("each rule is found after the change that breaks it, and not before", arguments: breaks)
  func isFound(example: Break) throws {
    let project = try Self.released()
    try example.prepare(project)
    let before = try project.check(example.options)
    #expect(before.status != .failed, "\(before.said)")
    #expect(!before.answer.rules.contains(example.rule.rawValue), "\(before.answer.findings)")
    try example.change(project)
    let after = try project.check(example.options)
    #expect(after.answer.rules.contains(example.rule.rawValue), "\(after)")
    // Also in the list of rules, with a page.
    #expect(project.session("help \(example.rule.rawValue)").status == .done)
  }

  // MARK: Repositories

  private static func attribute(_ name: String, _ type: String = "String", _ more: String = "")
    -> String
  {
    #"name="\#(name)" optional="YES" attributeType="\#(type)" \#(more)"#
  }

  /// A released version with a derived attribute.
  @Sendable private static func withDerived(_ project: CheckedRepository) throws {
    try project.version("App3", [name, color, derived("latest")])
    try project.commit(tag: "v1.2")
  }

  private static func derived(_ name: String) -> String {
    attribute(name, "Date", #"derived="YES" derivationExpression="now:()""#)
  }

  private static let (name, color) = (attribute("name"), attribute("color"))

  /// Versions `App` with a name, and `App2` with a color too; both were released.
  private static func released() throws -> CheckedRepository {
    let project = try CheckedRepository()
    try project.version("App", [name])
    try project.commit(tag: "v1.0")
    try project.version("App2", [name, color])
    try project.commit(tag: "v1.1")
    return project
  }

  /// Writes a mapping model from one version to another.
  ///
  /// - Parameter lines: The lines of its entity mapping.
  @Sendable private static func map(
    _ project: CheckedRepository, from old: String = "App2", to new: String = "App3",
    _ lines: String..., as name: String = "M"
  ) throws {
    let bundle = CheckedRepository.bundle
    let text =
      ["mapping from \(bundle)/\(old) to \(bundle)/\(new)", "", "CardToCard: Card -> Card"]
      + lines.map { "  " + $0 }
    try project.folder.write(text.joined(separator: "\n") + "\n", to: ".git/\(name).mapping")
    let answer = project.session(
      "mapping write .git/\(name).mapping \(name).xcmappingmodel --force")
    try #require(answer.status == .done, "\(answer)")
  }

  /// An entity Tag, with which Card has a to-many relationship.
  private static func tags(_ relationship: String?) -> (card: String, more: String) {
    (
      name + "/>"
        + (relationship.map {
          #"<relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="cards" inverseEntity="Card" deletionRule="Nullify" \#($0)/>"#
        } ?? "") + "<attribute " + color,
      #"<entity name="Tag" representedClassName="Tag"><attribute \#(name)/>"#
        + (relationship == nil
          ? ""
          : #"<relationship name="cards" optional="YES" toMany="YES" destinationEntity="Card" inverseName="tags" inverseEntity="Card" deletionRule="Nullify"/>"#)
        + "</entity>"
    )
  }

  private static func setTags(
    _ project: CheckedRepository, _ version: String, _ relationship: String?
  ) throws {
    let (card, more) = tags(relationship)
    try project.version(version, [card], more: more)
  }

  @Sendable private static func withTags(_ project: CheckedRepository) throws {
    try setTags(project, "App3", "ordered=\"YES\"")
    try project.commit(tag: "v1.2")
  }

  private static func configure(_ project: CheckedRepository, _ lines: String) throws {
    try project.folder.write(
      "[[bundle]]\npath = \"\(CheckedRepository.bundle)\"\n\(lines)\n", to: "strata.toml")
  }

  private static func store(
    _ project: CheckedRepository, _ version: String = "App", _ name: String = "old.sqlite"
  ) throws {
    let answer = project.session(
      "create \(name) --model \(CheckedRepository.bundle)/\(version) --rows 3")
    try #require(answer.status == .done, "\(answer)")
  }

  private static let unique =
    "/><uniquenessConstraints><uniquenessConstraint><constraint value=\"name\"/></uniquenessConstraint></uniquenessConstraints><attribute "

  /// Replaces the tags by a lock file.
  @Sendable private static func lock(_ project: CheckedRepository) throws {
    try project.repository.git("tag", "--delete", "v1.0", "v1.1")
    try #require(project.session("lock").status == .done)
    try project.commit()
  }

  // MARK: Cases

  static let breaks: [Break] = versions + paths + losses + failures + mappings + others

  private static let versions = [
    Break(rule: .versionEdited) { try $0.version("App", [color], makesCurrent: false) },
    Break(rule: .versionGone) {
      try FileManager.default.removeItem(
        atPath: $0.folder.path("\(CheckedRepository.bundle)/App.xcdatamodel"))
    },
    Break(rule: .versionCurrent) { try $0.current("App") },
    Break(
      rule: .versionSkipped, options: "--since main",
      prepare: {
        try $0.repository.git("checkout", "--quiet", "-b", "feature", "v1.0")
        try $0.version("App3", [name, color, attribute("size")])
      }, change: { try $0.version("App3", [name, attribute("size")]) }),
    Break(rule: .versionTwins) { try $0.version("App3", [name, color]) },
    Break(rule: .versionUnused) {
      try $0.version("App3", [name, color, attribute("size")], makesCurrent: false)
    },
    Break(rule: .versionUntagged) { try $0.repository.git("tag", "--delete", "v1.0") },
    Break(rule: .lockMissing, prepare: lock) {
      try $0.folder.write("model App\n", to: "strata.lock")
    },
    Break(rule: .lockRewritten, prepare: lock) {
      let text = try String(contentsOfFile: $0.folder.path("strata.lock"), encoding: .utf8)
      try $0.folder.write(text.replacing("shipped App2", with: "shipped 9.9"), to: "strata.lock")
    },
  ]

  private static let paths = [
    Break(rule: .pathNone) { try $0.version("App3", [name, attribute("color", "Date")]) },
    Break(
      rule: .pathChanged,
      prepare: {
        try map($0, from: "App", to: "App2")
        try $0.commit(tag: "v1.2")
      }, change: { try $0.version("App3", [name, color, attribute("size")]) }),
    Break(
      rule: .pathMissingStep,
      prepare: { try $0.folder.write("stage lightweight App, App2\n", to: "App.stages") },
      change: { try $0.version("App3", [name, color, attribute("size")]) }),
    Break(
      rule: .pathShadowed,
      prepare: {
        try configure($0, "strategy = \"staged\"")
        try $0.folder.write("stage lightweight App, App2\n", to: "App.stages")
      }, change: { try $0.folder.write("stage lightweight App, App2\n", to: "B.stages") }),
  ]

  private static let losses = [
    Break(rule: .lossValues) { try $0.version("App3", [name, attribute("size", "Double")]) },
    Break(rule: .lossObjects, prepare: withTags) { try $0.version("App4", [name, color]) },
    Break(rule: .lossLinks, prepare: withTags) { try setTags($0, "App4", nil) },
    Break(rule: .lossOrder, prepare: withTags) { try setTags($0, "App4", "") },
    Break(rule: .renameLikely) { try $0.version("App3", [name, attribute("colour")]) },
  ]

  private static let failures = [
    Break(rule: .failsRequired) {
      try $0.version("App3", [name, color, #"name="size" attributeType="Double""#])
    },
    Break(rule: .failsUnique) { try $0.version("App3", [name + unique + color]) },
    Break(
      rule: .failsUnsavable, prepare: { try store($0) },
      change: {
        try $0.version(
          "App3", [attribute("name", "String", "maxValueString=\"1\""), color, attribute("size")])
      }),
    Break(
      rule: .failsColumn,
      prepare: withDerived, change: { try $0.version("App4", [name, color, derived("last")]) }),
    // Edited as it is, which changes no hash.
    Break(
      rule: .failsColumn,
      prepare: withDerived, change: { try $0.version("App3", [name, color, derived("last")]) }),
  ]

  private static let mappings = [
    Break(
      rule: .mappingStale, prepare: { try map($0, from: "App", to: "App2") },
      change: { try $0.version("App2", [name, color, attribute("size")]) }),
    Break(
      rule: .mappingAmbiguous, prepare: { try map($0, from: "App", to: "App2") },
      change: { try map($0, from: "App", to: "App2", "color = $source.name", as: "N") }),
    Break(
      rule: .mappingShadowed, prepare: { try map($0, from: "App", to: "App2") },
      change: { try configure($0, "strategy = \"lightweight\"") }),
    Break(
      rule: .mappingUnreachable, prepare: { try map($0, from: "App", to: "App2") },
      change: { try $0.version("App3", [name, color, attribute("size")]) }),
    Break(rule: .mappingText) { project in
      let ends = ["App", "App2"].map { "\(CheckedRepository.bundle)/\($0)" }
      try project.folder.write(
        "mapping from \(ends[0]) to \(ends[1])\n\nCardToCard: Card -> Card\n", to: "M.mapping")
    },
    Break(
      rule: .mappingKeyPath,
      prepare: { try map($0, from: "App", to: "App2", "color = $source.name") },
      change: { try map($0, from: "App", to: "App2", "color = $source.nme") }),
    Break(
      rule: .mappingType, prepare: { try map($0, from: "App", to: "App2", "color = 'red'") },
      change: { try map($0, from: "App", to: "App2", "color = 5") }),
    Break(
      rule: .policyUnknown, prepare: { try map($0, from: "App", to: "App2") },
      change: { try map($0, from: "App", to: "App2", "policy Missing") }),
  ]

  private static let others = [
    Break(
      rule: .cloudKitModel, prepare: { try $0.version("App3", [name + unique + color]) },
      change: {
        try configure($0, "cloudkit = true")
      }),
    Break(
      rule: .cloudKitSchema, prepare: { try configure($0, "cloudkit = true") },
      change: {
        try $0.version("App3", [name])
      }),
    Break(
      rule: .storeUnreadable, prepare: { try store($0) },
      change: {
        let file = $0.folder.url.appending(path: "old.sqlite")
        try Data(contentsOf: file).prefix(5000).write(to: file)
      }),
    Break(
      rule: .storeUnknownVersion, prepare: { try store($0) },
      change: {
        try #require(
          $0.session("create other.sqlite --model sample:Topics/Model1").status == .done)
      }),
    Break(
      rule: .storeExternalMissing,
      prepare: {
        let photo = attribute("photo", "Binary", "allowsExternalBinaryDataStorage=\"YES\"")
        try $0.version("App3", [name, color, photo])
        try $0.folder.write(String(repeating: "x", count: 200_000), to: "photo.bin")
        try store($0, "App3", "a.sqlite")
        try #require($0.session("insert a.sqlite Card photo=@photo.bin").status == .done)
      }, change: { try FileManager.default.removeItem(atPath: $0.folder.path(".a_SUPPORT")) }),
    Break(
      rule: .acceptReason,
      prepare: { try $0.version("App3", [name, attribute("size", "Double")]) },
      change: { try #require($0.session("check --write-accepts").status == .done) }),
    Break(
      rule: .acceptUnused,
      prepare: {
        try $0.version("App3", [name, attribute("size", "Double")])
        try #require($0.session("check --write-accepts").status == .done)
      }, change: { try $0.version("App3", [name, color, attribute("size", "Double")]) }),
  ]
}
