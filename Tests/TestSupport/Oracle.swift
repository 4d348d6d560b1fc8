internal import Foundation

/// `Tests/Oracle`, which says by rules of its own what a store or a migration has wrong: one Python process
/// for many stores.
package final class Oracle {
  /// A rule, and what breaks it.
  package struct Finding: Decodable, Hashable, Sendable {
    package var rule: String
    package var text: String

    package init(rule: String, text: String) {
      self.rule = rule
      self.text = text
    }

    package init(from decoder: any Decoder) throws {
      var pair = try decoder.unkeyedContainer()
      rule = try pair.decode(String.self)
      text = try pair.decode(String.self)
    }
  }

  private struct Validation: Encodable {
    let command = "validate"
    var store: String
    var model: OracleModel
    var keepsDerived: Bool
  }

  private struct Roughening: Encodable {
    let command = "roughen"
    var store: String
    var model: OracleModel
    var seed: UInt64
  }

  private struct Comparison: Encodable {
    let command = "compare"
    var source: String
    var target: String
    var description: OracleDescription
    var inPlace: Bool
    var named: [String]
  }

  private struct ReceiptCheck: Encodable {
    let command = "receipt"
    var source: String
    var target: String
    var description: OracleDescription
    var receipt: OracleReceipt
  }

  private struct Answer: Decodable {
    var findings: [Finding]
    var skipped: Int?
  }

  /// `Tests/Oracle/check_migration.py`.
  private static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Oracle/check_migration.py").path

  private let process = Process()
  private let (questions, answers) = (Pipe(), Pipe())
  private var unread = Data()
  /// How many relationships could not be compared, since two stories are told of them.
  package private(set) var skipped = 0

  package init() throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", Self.program, "serve"]
    process.standardInput = questions
    process.standardOutput = answers
    try process.run()
  }

  deinit {
    try? questions.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// What must hold in every store of the model.
  ///
  /// - Parameter keepsDerived: Whether derived attributes are up to date: triggers do that since iOS 13.
  package func validate(
    _ store: String, _ model: OracleModel, keepsDerived: Bool = true
  ) throws -> [Finding] {
    try send(Validation(store: store, model: model, keepsDerived: keepsDerived)).findings
  }

  /// Makes a generated store as rough as one that has been used for years.
  package func roughen(_ store: String, _ model: OracleModel, seed: UInt64) throws {
    let findings = try send(Roughening(store: store, model: model, seed: seed)).findings
    if let finding = findings.first { throw StoreFixture.Failure(message: finding.text) }
  }

  /// What a migration has not kept.
  ///
  /// - Parameter named: What the migration said would go, in words.
  package func compare(
    _ source: String, to target: String, _ description: OracleDescription, inPlace: Bool,
    named: [String] = []
  ) throws -> [Finding] {
    let answer = try send(
      Comparison(
        source: source, target: target, description: description, inPlace: inPlace, named: named))
    skipped += answer.skipped ?? 0
    return answer.findings
  }

  /// What a receipt says otherwise than both stores.
  package func check(
    _ receipt: OracleReceipt, of source: String, to target: String,
    _ description: OracleDescription
  ) throws -> [Finding] {
    try send(
      ReceiptCheck(source: source, target: target, description: description, receipt: receipt)
    ).findings
  }

  private func send(_ question: some Encodable) throws -> Answer {
    let encoder = JSONEncoder()
    try questions.fileHandleForWriting.write(
      contentsOf: encoder.encode(question) + [UInt8(ascii: "\n")])
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(unread[..<end])
        unread = Data(unread[(end + 1)...])
        return try JSONDecoder().decode(Answer.self, from: line)
      }
      let more = answers.fileHandleForReading.availableData
      guard !more.isEmpty else { throw StoreFixture.Failure(message: "the oracle has ended") }
      unread += more
    }
  }
}

/// Findings of many migrations, rule by rule.
package struct OracleRecord {
  private var findings: [String: [(place: String, text: String)]] = [:]

  package init() {}

  package mutating func note(_ found: [Oracle.Finding], at place: String) {
    for finding in found { findings[finding.rule, default: []].append((place, finding.text)) }
  }

  package mutating func note(_ rule: String, _ text: String, at place: String) {
    note([Oracle.Finding(rule: rule, text: text)], at: place)
  }

  /// A line for each broken rule: how often, where, and the first case of each road.
  package var summary: [String] {
    findings.sorted { $0.key < $1.key }.map { rule, found in
      var places: [String] = []
      var first: [String] = []
      for (place, text) in found where places.last != place && !places.contains(place) {
        places.append(place)
        if first.count < 3 { first.append("\(place): \(text)") }
      }
      return "\(rule): \(found.count) findings in \(places.count) migrations"
        + " (\(places.prefix(12).joined(separator: ", ")))\n  " + first.joined(separator: "\n  ")
    }
  }
}
