import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// A rule, the least that shows it, and the nearest that does not.
struct RuleCase: Sendable {
  /// `inference.missingDefault`
  var rule: String
  var shown: RuleScene
  var near: RuleScene
}

/// Files, a store, and the command line that looks at them.
struct RuleScene: Sendable {
  /// By the path in the folder.
  var files: [String: String] = [:]
  /// Makes what commands and files do not.
  var prepare: @Sendable (TemporaryFolder) throws -> Void = { _ in }
  /// Command lines that must succeed.
  var commands: [String] = []
  /// Statements that change `t.sqlite`; `FOLDER` stands for the folder.
  var sql: [String] = []
  /// Changes files of the store at last.
  var finish: @Sendable (TemporaryFolder) throws -> Void = { _ in }
  var line: String

  /// A model file of some entities; properties alone are those of an entity A.
  static func model(_ text: String) -> String {
    "<model>\(text.contains("<entity") ? text : "<entity name='A'>\(text)</entity>")</model>"
  }

  /// Where `doctor` looks for private folders, in the folder.
  static let temporaryFolder = "tmp"

  private func setUp(in folder: TemporaryFolder) throws -> TestSession {
    for (path, text) in files { try folder.write(text, to: path) }
    try prepare(folder)
    let session = TestSession(in: folder)
    session.session.temporaryFolder = { folder.path(Self.temporaryFolder) }
    for command in commands {
      let answer = session(command)
      try #require(answer.status == .done, "\(command): \(answer)")
    }
    if !sql.isEmpty {
      try StoreFixture.run(
        sql.map { $0.replacing("FOLDER", with: folder.url.path) }, on: folder.path("t.sqlite"))
    }
    try finish(folder)
    return session
  }

  /// Whether the answer in JSON has a finding of a rule.
  func shows(_ rule: String) throws -> Bool {
    let folder = try TemporaryFolder()
    let answer = try setUp(in: folder)("\(line) --json")
    try #require(answer.status != .usage, "\(line): \(answer)")
    return try !RuleAnswer.findings(of: rule, in: answer.output).isEmpty
  }

  /// What every rendering tells of a rule.
  func answer(of rule: String) throws -> RuleAnswer {
    let folder = try TemporaryFolder()
    let session = try setUp(in: folder)
    let json = session("\(line) --json")
    let text = session("\(line) --junit report.xml --annotate")
    try #require(json.status != .usage && text.status != .usage, "\(line): \(json) \(text)")
    return try RuleAnswer(
      of: rule, text: text.output, json: json.output,
      junit: String(contentsOfFile: folder.path("report.xml"), encoding: .utf8))
  }
}

/// What each rendering of an answer tells of one rule.
struct RuleAnswer {
  /// The lines of the list view, with those of the fixes.
  var text: [String] = []
  /// Findings as JSON, without the keys of former versions.
  var json: [[String: Any]]
  /// The cases of the report.
  var junit: [String]
  var annotations: [String]

  init(of rule: String, text answer: String, json: String, junit report: String) throws {
    let lines = answer.components(separatedBy: "\n")
    annotations = lines.filter { $0.hasPrefix("::") && $0.contains("::\(rule)") }
    var isOfRule = false
    for line in lines {
      if !line.hasPrefix("    ") { isOfRule = line.hasSuffix("  [\(rule)]") }
      if isOfRule { text.append(line) }
    }
    self.json = try Self.findings(of: rule, in: json)
    junit = report.components(separatedBy: "<testcase ").dropFirst().compactMap { part in
      guard part.contains("name=\"\(rule)"), let end = part.range(of: "</testcase>") else {
        return nil
      }
      return "<testcase " + part[..<end.upperBound]
    }
  }

  private static let keys: Set<String> = [
    "rule", "severity", "code", "place", "message", "fixes", "evidence",
  ]

  /// The findings of a rule anywhere in a JSON answer.
  static func findings(of rule: String, in json: String) throws -> [[String: Any]] {
    func search(_ value: Any) -> [[String: Any]] {
      if let list = value as? [Any] { return list.flatMap(search) }
      guard let object = value as? [String: Any] else { return [] }
      return object["rule"] as? String == rule
        ? [object.filter { keys.contains($0.key) }]
        : object.sorted { $0.key < $1.key }.flatMap { search($0.value) }
    }
    return search(try JSONSerialization.jsonObject(with: Data(json.utf8)))
  }

  /// The section of a recorded file.
  func section(_ rule: String) throws -> String {
    let objects = try json.map { object in
      String(
        decoding: try JSONSerialization.data(
          withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes]), as: UTF8.self)
    }
    return (["## \(rule)", ""] + text + objects + junit + annotations).joined(separator: "\n")
      + "\n"
  }
}
