import TestSupport

extension RuleCases {
  /// The store of beings after some statements.
  static func beings(_ sql: [String], line: String = "validate t.sqlite") -> RuleScene {
    RuleScene(
      prepare: { try BeingStore.make(at: $0.path("t.sqlite")) }, sql: sql, line: line)
  }

  /// - Parameter other: Statements after which the rule is kept.
  private static func rule(_ name: String, _ sql: String..., near other: [String]) -> RuleCase {
    RuleCase(rule: "validation.\(name)", shown: beings(sql), near: beings(other))
  }

  /// A store of a model of its own, of objects that are inserted and then changed.
  private static func rule(
    _ name: String, model: String, _ commands: [String], _ sql: [String] = [],
    near other: (commands: [String], sql: [String])
  ) -> RuleCase {
    func scene(_ commands: [String], _ sql: [String]) -> RuleScene {
      RuleScene(
        files: ["M.xcdatamodel/contents": RuleScene.model(model)],
        commands: ["create t.sqlite --model M.xcdatamodel"]
          + commands.map { "insert t.sqlite \($0)" },
        // The model that a store caches knows no bounds of dates, nor patterns.
        sql: sql, line: "validate t.sqlite --model M.xcdatamodel")
    }
    return RuleCase(
      rule: "validation.\(name)", shown: scene(commands, sql),
      near: scene(other.commands, other.sql))
  }

  private static func parts(_ counts: String) -> String {
    entity(
      "Whole",
      relationship("parts", to: "Part", inverse: "whole", "\(optional) toMany='YES' \(counts)"))
      + entity("Part", relationship("whole", to: "Whole", inverse: "parts"))
  }

  private static let bounded =
    attribute("few", "Integer 16", "\(optional) minValueString='1' maxValueString='5'")
    + attribute("day", "Date", "\(optional) minDateTimeInterval='0' maxDateTimeInterval='86400'")
    + attribute("code", "String", "\(optional) minValueString='2' maxValueString='3'")
    + attribute("word", "String", "\(optional) regularExpressionString='[a-z]+'")

  /// Gives a being a photo: the bytes of its column.
  static func photo(_ value: String) -> [String] {
    ["UPDATE ZBEING SET ZPHOTO = CAST(\(value) AS BLOB) WHERE Z_PK = 1"]
  }

  static let externalPhoto = photo("x'02' || '\(externalName)' || x'00'")

  static let validation: [RuleCase] = [
    rule(
      "missing", "UPDATE ZBEING SET ZYEAR = NULL WHERE Z_PK = 1",
      near: ["UPDATE ZBEING SET ZNAME = NULL WHERE Z_PK = 1"]),
    rule(
      "unset", "UPDATE ZBEING SET ZLEVEL = NULL WHERE Z_PK = 1",
      near: ["UPDATE ZBEING SET ZLEVEL = 0 WHERE Z_PK = 1"]),
    rule(
      "wrongType", "UPDATE ZBEING SET ZYEAR = 40000 WHERE Z_PK = 1",
      near: ["UPDATE ZBEING SET ZYEAR = 30000 WHERE Z_PK = 1"]),
    rule(
      "rule", model: bounded, ["A", "A"],
      [
        "UPDATE ZA SET ZFEW = 0, ZDAY = -1, ZCODE = 'a', ZWORD = 'A1' WHERE Z_PK = 1",
        "UPDATE ZA SET ZFEW = 6, ZDAY = 86401, ZCODE = 'abcd' WHERE Z_PK = 2",
      ],
      near: (
        ["A"], ["UPDATE ZA SET ZFEW = 5, ZDAY = 86400, ZCODE = 'abc', ZWORD = 'a'"]
      )),
    rule(
      "unmatched",
      model: attribute("word", "String", "\(optional) regularExpressionString='(a*)*b'"),
      ["A"], ["UPDATE ZA SET ZWORD = '\(String(repeating: "a", count: 40))'"],
      near: (["A"], ["UPDATE ZA SET ZWORD = 'aab'"])),
    rule(
      "tooFew", model: parts("minCount='2'"), ["Whole", "Part", "Part"],
      ["UPDATE ZPART SET ZWHOLE = 1 WHERE Z_PK = 1"],
      near: (["Whole", "Part", "Part"], ["UPDATE ZPART SET ZWHOLE = 1"])),
    rule(
      "tooMany", model: parts("maxCount='2'"), ["Whole", "Part", "Part", "Part"],
      ["UPDATE ZPART SET ZWHOLE = 1"],
      near: (
        ["Whole", "Part", "Part", "Part"], ["UPDATE ZPART SET ZWHOLE = 1 WHERE Z_PK < 3"]
      )),
    rule(
      "dangling", "UPDATE ZPET SET ZKEEPER = 99 WHERE Z_PK = 1",
      near: ["UPDATE ZPET SET ZKEEPER = NULL WHERE Z_PK = 1"]),
    rule(
      "danglingOneWay", "DELETE FROM ZTHING WHERE Z_PK = 1",
      near: ["DELETE FROM ZTHING WHERE Z_PK = 1", "UPDATE ZBEING SET ZFAVOURITE = NULL"]),
    rule(
      "ownerMissing", "UPDATE ZTHING SET Z1TOYS = 88 WHERE Z_PK = 2",
      near: ["UPDATE ZTHING SET Z1TOYS = NULL WHERE Z_PK = 2"]),
    rule(
      "brokenInverse", "UPDATE ZPASSPORT SET ZOWNER = NULL",
      near: ["UPDATE ZPASSPORT SET ZOWNER = NULL", "UPDATE ZBEING SET ZPASSPORT = NULL"]),
    RuleCase(
      rule: "validation.lostData", shown: beings(externalPhoto), near: beings(photo("x'01'"))),
    rule(
      "notUnique", "DROP INDEX Z_Being_UNIQUE_name",
      "UPDATE ZBEING SET ZNAME = 'Ada' WHERE Z_PK IN (1, 3)",
      near: [
        "DROP INDEX Z_Being_UNIQUE_name", "UPDATE ZBEING SET ZNAME = NULL WHERE Z_PK IN (1, 3)",
      ]),
    rule(
      "wrongEntityNumber", "UPDATE ZPET SET Z1_KEEPER = 3 WHERE Z_PK = 1",
      near: ["UPDATE ZPET SET Z1_KEEPER = 2 WHERE Z_PK = 1"]),
    rule(
      "noOrderKey", "UPDATE ZPET SET Z_FOK_KEEPER = NULL WHERE Z_PK = 2",
      near: ["UPDATE ZPET SET Z_FOK_KEEPER = 7 WHERE Z_PK = 2"]),
    rule(
      "repeatedOrderKey", "UPDATE ZPET SET Z_FOK_KEEPER = 5 WHERE ZKEEPER = 1",
      near: ["UPDATE ZPET SET Z_FOK_KEEPER = 5 * Z_PK WHERE ZKEEPER = 1"]),
    rule(
      "noVersion", "UPDATE ZBEING SET Z_OPT = NULL WHERE Z_PK = 2",
      near: ["UPDATE ZBEING SET Z_OPT = 9 WHERE Z_PK = 2"]),
    rule(
      "joinRowsWithoutObjects", "INSERT INTO Z_1GROUPS VALUES (98, 99, 1)",
      near: ["INSERT INTO Z_1GROUPS VALUES (3, 1, 9)"]),
    rule(
      "joinRowsWithoutKeys", "INSERT INTO Z_1GROUPS VALUES (3, NULL, 9)",
      near: ["INSERT INTO Z_1GROUPS VALUES (3, 1, 9)"]),
    rule(
      "repeatedJoinRows", "CREATE TABLE copy AS SELECT * FROM Z_1GROUPS", "DROP TABLE Z_1GROUPS",
      "ALTER TABLE copy RENAME TO Z_1GROUPS", "INSERT INTO Z_1GROUPS SELECT * FROM Z_1GROUPS",
      near: [
        "CREATE TABLE copy AS SELECT * FROM Z_1GROUPS", "DROP TABLE Z_1GROUPS",
        "ALTER TABLE copy RENAME TO Z_1GROUPS",
      ]),
    rule(
      "highestKey", "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 1",
      near: ["UPDATE Z_PRIMARYKEY SET Z_MAX = 900 WHERE Z_ENT = 1"]),
    rule(
      "noEntityRow", "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 3",
      near: ["UPDATE Z_PRIMARYKEY SET Z_NAME = 'Old' WHERE Z_ENT = 3"]),
    rule(
      "wrongParent", "UPDATE Z_PRIMARYKEY SET Z_SUPER = 2 WHERE Z_ENT = 3",
      near: ["UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_ENT = 3"]),
    rule(
      "rowOfNoEntity", "INSERT INTO Z_PRIMARYKEY VALUES (8, 'Ghost', 0, 5)",
      near: ["INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 5)"]),
    rule(
      "unknownEntity", "UPDATE ZTHING SET Z_ENT = 99 WHERE Z_PK = 2",
      near: ["UPDATE ZTHING SET Z_ENT = 7 WHERE Z_PK = 2"]),
    rule(
      "keysOutOfRange", "UPDATE ZTHING SET Z_PK = 0 WHERE Z_PK = 2",
      near: ["UPDATE ZTHING SET Z_PK = 1000 WHERE Z_PK = 2"]),
  ]

  /// A file of external binary data.
  static let externalName = "374C5961-3E41-43E5-915C-383EA914074C"
}
