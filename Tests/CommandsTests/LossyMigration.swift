import Foundation
import StrataBase
import StrataCommands
import StrataMigration
import TestSupport
import Testing

/// A migration that loses something of one category and nothing else: its models, and what the store holds.
struct LossyMigration: Sendable, CustomTestStringConvertible {
  var name: String
  /// What it loses; `nil` for nothing.
  var category: LossCategory?
  /// What `--strict` says of it.
  var message = ""
  var before: String
  var after: String
  var commands: [String] = []
  var sql: [String] = []

  var testDescription: String { name }

  private static func entity(_ properties: String = "") -> String {
    "<entity name=\"A\"><attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>\(properties)</entity>"
  }

  private static func attribute(_ name: String, _ type: String) -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>"
  }

  /// The links of an A to its parts.
  private static func parts(_ options: String) -> String {
    entity(
      "<relationship name=\"parts\" optional=\"YES\" toMany=\"YES\" \(options) "
        + "destinationEntity=\"Part\" inverseName=\"whole\" inverseEntity=\"Part\"/>")
      + "<entity name=\"Part\"><relationship name=\"whole\" optional=\"YES\" maxCount=\"1\" "
      + "destinationEntity=\"A\" inverseName=\"parts\" inverseEntity=\"A\"/></entity>"
  }

  private static func friend(_ options: String) -> String {
    entity(
      "<relationship name=\"friend\" \(options) maxCount=\"1\" destinationEntity=\"A\"/>")
  }

  private static let insertA = "insert s.sqlite A title=one"

  /// One of each kind that can be lost.
  static let all: [LossyMigration] = [
    LossyMigration(
      name: "nothing", before: entity(), after: entity(attribute("new", "String")),
      commands: [insertA]),
    LossyMigration(
      name: "rows", category: .rows, message: "2 rows would be lost",
      before: entity() + "<entity name=\"D\"/>", after: entity(),
      commands: [insertA, "insert s.sqlite D", "insert s.sqlite D"]),
    LossyMigration(
      name: "values of a removed attribute", category: .values, message: "1 value would be lost",
      before: entity(attribute("y", "String")), after: entity(),
      commands: ["insert s.sqlite A y=text", insertA]),
    LossyMigration(
      name: "numbers that do not fit", category: .values, message: "1 number would be lost",
      before: entity(attribute("y", "Integer 64")), after: entity(attribute("y", "Integer 16")),
      commands: ["insert s.sqlite A y=70000", "insert s.sqlite A y=7"]),
    LossyMigration(
      name: "fractions", category: .values, message: "1 fraction would be lost",
      before: entity(attribute("y", "Double")), after: entity(attribute("y", "Integer 16")),
      commands: ["insert s.sqlite A y=1.5", "insert s.sqlite A y=7"]),
    LossyMigration(
      name: "links", category: .links, message: "1 link would be lost",
      before: friend("optional=\"YES\""), after: entity(),
      commands: [insertA, "insert s.sqlite A friend=p1"]),
    LossyMigration(
      name: "the order of links", category: .links,
      message: "the order of links in 1 object would be lost",
      before: parts("ordered=\"YES\""), after: parts(""),
      commands: [insertA, insertA] + [1, 1, 2].map { "insert s.sqlite Part whole=p\($0)" }),
    LossyMigration(
      name: "all links but one", category: .links, message: "1 link would be lost",
      before: parts(""),
      after: parts("").replacing("toMany=\"YES\"", with: "maxCount=\"1\""),
      commands: [insertA, insertA] + [1, 1, 2].map { "insert s.sqlite Part whole=p\($0)" }),
    LossyMigration(
      name: "objects that could not be saved", category: .valid,
      message: "1 object could not be saved",
      before: friend("optional=\"YES\""), after: friend(""),
      commands: [insertA, "insert s.sqlite A friend=p1"]),
    LossyMigration(
      name: "a trigger", category: .extras, message: "1 item outside the model would be lost",
      before: entity(attribute("y", "String")), after: entity(), commands: [insertA],
      sql: ["CREATE TRIGGER audit AFTER UPDATE ON ZA BEGIN SELECT NEW.ZY; END"]),
  ]

  /// Makes the models and the store, `s.sqlite` at V1.
  func session(in folder: TemporaryFolder) throws -> TestSession {
    try folder.writeBundle(["V1": before, "V2": after])
    let session = TestSession(in: folder)
    for command in ["create s.sqlite --model X.xcdatamodeld/V1"] + commands {
      let done = session(command)
      try #require(done.status == .done, "\(done)")
    }
    try StoreFixture.run(sql, on: folder.path("s.sqlite"))
    return session
  }
}
