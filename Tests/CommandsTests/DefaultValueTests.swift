import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Default values of a model")
struct DefaultValueTests {
  @Test(
    "a migration stores the default that a new object gets, on every road",
    arguments: [
      "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "Boolean", "String",
      "URI",
    ])
  func roads(type: String) throws {
    for text in ["2", "-1", "0", "YES", "NO", "0.5", "7.9", "true", "abc"] {
      let folder = try TemporaryFolder()
      let session = TestSession(in: folder)
      func write(_ name: String, _ attribute: String) throws {
        try folder.write(
          "<model><entity name='E'><attribute name='p' optional='YES' attributeType='String'/>\(attribute)</entity></model>",
          to: "D.xcdatamodeld/\(name).xcdatamodel/contents")
      }
      try write("A", "")
      try write(
        "B",
        "<attribute name='v' optional='YES' attributeType='\(type)' defaultValueString='\(text)'/>")
      session("create new.sqlite --model D.xcdatamodeld/B")
      session("create old.sqlite --model D.xcdatamodeld/A")
      for store in ["new", "old"] { session("insert \(store).sqlite E p=x") }
      let migrated = session("migrate old.sqlite --to D.xcdatamodeld/B --proof")
      #expect(migrated.status == .done, "\(type) \(text): \(migrated)")
      let values = try ["new", "old"].map {
        try Python.value("SELECT quote(ZV) || typeof(ZV) FROM ZE", in: folder.path("\($0).sqlite"))
      }
      #expect(values[0] == values[1], "\(type) \(text): \(values)")
      let valid = session("validate old.sqlite")
      #expect(valid.status == .done, "\(type) \(text): \(valid)")
    }
  }

  @Test("each required attribute without a value is a problem of its own, with its fix")
  func problems() throws {
    let project = try TemporaryProject([("M1", ["E": ["p": "String"]])])
    try project.folder.write(
      "<model><entity name='E'><attribute name='p' optional='YES' attributeType='String'/>"
        + ["a", "b"].map { "<attribute name='\($0)' attributeType='String'/>" }.joined()
        + "</entity></model>", to: "App.xcdatamodeld/M2.xcdatamodel/contents")
    let shell = TestSession(in: project.folder)
    shell("create s.sqlite --model App.xcdatamodeld/M1 --rows 2")
    let answer = shell("migrate s.sqlite --to App.xcdatamodeld/M2 --dry-run")
    for name in ["a", "b"] {
      #expect(
        answer.output.contains(
          "  E.\(name) is a required value (1570) in 2 objects: p1, p2\n    fix: "),
        "\(answer)")
    }
  }
}
