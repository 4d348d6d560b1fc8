import Foundation
import StrataArchives
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Bad mapping models are refused with message, location and fix")
struct BadMappingTests {
  /// The document of a mapping model of Topics, for a test to break.
  private static func document() throws -> XMLDatabase {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    #expect(
      session("mapping write sample:Topics/Model3ToModel4 M.xcmappingmodel").status == .done)
    return try XMLDatabase(reading: FileBytes.read(folder.path("M.xcmappingmodel/xcmapping.xml")))
  }

  private static func expectRefusal(
    of bytes: [UInt8], file: String = "M.xcmappingmodel/xcmapping.xml", id: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("M.xcmappingmodel"), withIntermediateDirectories: true)
    try folder.write(bytes, to: file)
    let name = file.split(separator: "/").first.map(String.init) ?? file
    for line in ["mapping show \(name)", "load \(name)", "show \(name)", "mapping lint \(name)"] {
      let answer = TestSession(in: folder)(line)
      #expect(answer.status == .failed, "\(line): \(answer)", sourceLocation: sourceLocation)
      #expect(
        answer.diagnostics.contains("[\(id)]"), "\(line): \(answer.diagnostics)",
        sourceLocation: sourceLocation)
      #expect(answer.diagnostics.contains(name), sourceLocation: sourceLocation)
      #expect(answer.diagnostics.contains("  fix: "), sourceLocation: sourceLocation)
    }
  }

  private static func changed(
    _ change: (inout XMLDatabase) throws -> Void
  ) throws -> [UInt8] {
    var document = try document()
    try change(&document)
    return document.encoded()
  }

  private static func replace(
    _ name: String, by bytes: [UInt8], in document: inout XMLDatabase
  ) {
    for place in document.objects.indices {
      for index in document.objects[place].attributes.indices
      where document.objects[place].attributes[index].name == name {
        document.objects[place].attributes[index] = XMLDatabase.Attribute(name: name, bytes: bytes)
      }
    }
  }

  @Test("a broken archive inside")
  func brokenArchives() throws {
    for (name, id) in [
      ("valueexpressiondata", "archive.notAPropertyList"),
      ("sourcemodeldata", "archive.notAPropertyList"),
      ("destinationmodeldata", "archive.notAPropertyList"),
    ] {
      try Self.expectRefusal(
        of: Self.changed { Self.replace(name, by: Array("garbage".utf8), in: &$0) }, id: id)
    }
    try Self.expectRefusal(
      of: Self.changed { document in
        for place in document.objects.indices {
          for index in document.objects[place].attributes.indices
          where document.objects[place].attributes[index].name == "valueexpressiondata" {
            document.objects[place].attributes[index].text = "no base64!"
          }
        }
      }, id: "mapping.malformed")
  }

  @Test("an expression that refers to its parts again and again, or to itself")
  func expressionBombs() throws {
    // Thirty levels, each the product of the one below with itself: a billion parts when written out.
    var writer = KeyedArchiveWriter()
    var part = writer.add(
      "NSConstantValueExpression",
      ["NSConstantValue": writer.value(.integer(2)), "NSExpressionType": .integer(0)])
    for _ in 0..<30 {
      let operand = writer.add(
        "NSConstantValueExpression",
        [
          "NSConstantValueClassName": writer.string("_NSPredicateUtilities"),
          "NSExpressionType": .integer(0),
        ])
      part = writer.add(
        "NSFunctionExpression",
        [
          "NSOperand": operand, "NSSelectorName": writer.string("multiply:by:"),
          "NSExpressionType": .integer(4),
          "NSArguments": writer.add("NSArray", elements: [part, part]),
        ])
    }
    let shared = writer.encoded(root: part)
    try Self.expectRefusal(
      of: Self.changed { Self.replace("valueexpressiondata", by: shared, in: &$0) },
      id: "model.tooMany")
    var loop = KeyedArchiveWriter()
    let place = loop.reserve()
    loop.fill(
      place, "NSFunctionExpression",
      [
        "NSOperand": place, "NSSelectorName": loop.string("self"), "NSExpressionType": .integer(4),
        "NSArguments": loop.add("NSArray", elements: []),
      ])
    let circle = loop.encoded(root: place)
    try Self.expectRefusal(
      of: Self.changed { Self.replace("valueexpressiondata", by: circle, in: &$0) },
      id: "model.tooMany")
  }

  @Test("lists that many entity mappings share")
  func sharedLists() throws {
    try Self.expectRefusal(
      of: Self.changed { document in
        guard
          let place = document.objects.firstIndex(where: { $0.type == "XDDEVENTITYMAPPING" }),
          let model = document.objects.firstIndex(where: { $0.type == "XDDEVMAPPINGMODEL" })
        else { return }
        let list = document.objects[place].relationship("attributemappings")?.references ?? []
        let many = Array(repeating: list, count: 300).flatMap { $0 }
        for index in document.objects[place].relationships.indices
        where document.objects[place].relationships[index].name == "attributemappings" {
          document.objects[place].relationships[index].references = many
        }
        for number in 0..<80 {
          var copy = document.objects[place]
          copy.id = "z9\(number)"
          document.objects.append(copy)
          document.objects[model].relationships[0].references.append(copy.id)
        }
      }, id: "mapping.malformed")
  }

  @Test("dangling references, and a document of another kind")
  func malformed() throws {
    try Self.expectRefusal(
      of: Self.changed { document in
        for place in document.objects.indices {
          for index in document.objects[place].relationships.indices {
            document.objects[place].relationships[index].references = ["z99999"]
          }
        }
      }, id: "mapping.malformed")
    try Self.expectRefusal(
      of: Self.changed { $0.objects.removeAll { $0.type == "XDDEVMAPPINGMODEL" } },
      id: "mapping.notAMappingModel")
    try Self.expectRefusal(of: Array("<database>".utf8), id: "archive.notWellFormed")
  }

  @Test("the error of an invalid text has the line")
  func texts() throws {
    try Self.expectRefusal(
      of: Array("A: B -> C\n  x = )\n".utf8), file: "M.mapping", id: "mapping.syntax")
    let folder = try TemporaryFolder()
    try folder.write(Array("A: B -> C\n  x = )\n".utf8), to: "M.mapping")
    #expect(TestSession(in: folder)("mapping show M.mapping").diagnostics.contains("M.mapping:2:7"))
    // Deep nesting is refused before it costs anything.
    let bomb = "A: B -> C\n  x = " + String(repeating: "(", count: 100_000) + "\n"
    try folder.write(Array(bomb.utf8), to: "B.mapping")
    #expect(
      TestSession(in: folder)("mapping show B.mapping").diagnostics.contains("mapping.syntax"))
    try folder.write(
      Array("mapping from Nowhere to sample:Topics/Model2\nA: B -> C\n".utf8), to: "N.mapping")
    #expect(
      TestSession(in: folder)("mapping show N.mapping").diagnostics.contains("[reference.unknown]"))
  }

  @Test("a mapping model for other models gives a list of errors")
  func otherModels() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("mapping write sample:Topics/Model1ToModel2 A.xcmappingmodel")
    let lint = session(
      "mapping lint A.xcmappingmodel --from sample:Recipes/Recipes1 --to sample:Recipes/Recipes2")
    #expect(lint.status == .no && lint.output.contains("the source model has no entity Topic"))
    #expect(session("mapping fits A.xcmappingmodel sample:Recipes").status == .no)
    #expect(session("mapping find sample:Recipes/Recipes1 sample:Recipes/Recipes2").status == .done)
    #expect(session("hash A.xcmappingmodel").diagnostics.contains("[reference.notAModel]"))
    #expect(session("rows A.xcmappingmodel Topic").diagnostics.contains("[reference.notAStore]"))
  }

  private static let versions: [(String, TemporaryProject.Version)] = [
    ("M1", ["Book": ["title": "String", "old": "String"], "User": ["name": "String"]]),
    ("M2", ["Book": ["title": "String"], "User": ["name": "String"]]),
  ]

  @Test(
    "the first line of a text names versions by path, or by the name of a bundle beside it",
    arguments: [
      ("App.xcdatamodeld/M1", nil), ("App/M1", nil), ("App/M7", "where: T.mapping:1"),
      ("App/M", "did you mean App/M1?"),
      ("Apq.xcdatamodeld/M1", "did you mean App.xcdatamodeld/M1?"),
      ("Other", "where: T.mapping:1"),
    ] as [(String, String?)])
  func header(name: String, problem: String?) throws {
    let project = try TemporaryProject(Self.versions)
    try project.folder.write(
      "mapping from \"\(name)\" to App.xcdatamodeld/M2\n\nBookToBook: Book -> Book\nUserToUser: User -> User\n",
      to: "T.mapping")
    let shell = TestSession(in: project.folder)
    shell("create s.sqlite --model App.xcdatamodeld/M1")
    for line in [
      "mapping lint T.mapping",
      "migrate s.sqlite --to App.xcdatamodeld/M2 --mapping T.mapping --dry-run",
      "mapping write T.mapping T.xcmappingmodel",
    ] {
      let answer = shell(line)
      #expect((answer.status == .failed) == (problem != nil), "\(line): \(answer)")
      #expect(problem.map { answer.diagnostics.contains($0) } ?? true, "\(line): \(answer)")
    }
    // Named models count, whatever the text says.
    for line in ["mapping lint T.mapping", "mapping write T.mapping U.xcmappingmodel"] {
      let answer = shell("\(line) --from App.xcdatamodeld/M1 --to App.xcdatamodeld/M2")
      #expect(answer.status != .failed, "\(answer)")
    }
  }

  @Test(
    "lint lists losses beside errors and missing entity mappings, and a refusal names its command")
  func lossesBesideErrors() throws {
    let project = try TemporaryProject(Self.versions)
    let head = "mapping from App/M1 to App/M2\n\nBookToBook: Book -> Book\n"
    for rest in ["UserToUser: User -> User\n", "", "UserToUser: User -> User\n  nme = 'x'\n"] {
      try project.folder.write(head + rest, to: "T.mapping")
      let shell = TestSession(in: project.folder)
      let answer = shell("mapping lint T.mapping")
      #expect(answer.output.contains("Book.old"), "\(rest): \(answer)")
      shell("create s.sqlite --model App.xcdatamodeld/M1 --force")
      let refused = shell("migrate s.sqlite --to App.xcdatamodeld/M2 --mapping T.mapping --dry-run")
      #expect(refused.diagnostics.contains("[migration.badMapping]") == rest.contains("nme"))
      guard rest.contains("nme") else { continue }
      #expect(refused.diagnostics.contains("fix: `mapping lint T.mapping`"), "\(refused)")
      #expect(refused.diagnostics.contains("note: UserToUser.nme: "), "\(refused)")
    }
  }
}
