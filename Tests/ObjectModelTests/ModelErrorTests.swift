import StrataArchives
import StrataBase
import StrataObjectModel
import Testing

@Suite("Inconsistent models")
struct ModelErrorTests {
  /// Reads a model whose entities these are.
  static func model(_ entities: String) throws -> ObjectModel {
    let text = "<model>\n\(entities)\n</model>"
    return try ObjectModel(ModelDocument(reading: Array(text.utf8)))
  }

  private static let topic =
    #"<entity name="Topic"><attribute name="content" attributeType="String"/></entity>"#

  @Test("each problem is reported with the element and the line")
  func problems() throws {
    let cases: [(String, ModelError.Problem)] = [
      (#"<entity name="A" parentEntity="Topik"/>"#, .unknownParent("Topik", near: "Topic")),
      (
        #"<entity name="A"><relationship name="r" destinationEntity="Nowhere"/></entity>"#,
        .unknownDestination("Nowhere", near: nil)
      ),
      (
        #"<entity name="A"><relationship name="r" destinationEntity="Topic" inverseName="contents" inverseEntity="Topic"/></entity>"#,
        .unknownInverse("contents", of: "Topic", near: nil)
      ),
      (#"<entity name="Topic"/>"#, .duplicateEntity("Topic")),
      (
        #"<entity name="A"><attribute name="x" attributeType="String"/><attribute name="x" attributeType="String"/></entity>"#,
        .duplicateProperty("x")
      ),
      (
        #"<entity name="A"><attribute name="x" attributeType="String"/><relationship name="x" destinationEntity="Topic"/></entity>"#,
        .duplicateProperty("x")
      ),
      (
        #"<entity name="A" parentEntity="Topic"><attribute name="content" attributeType="String"/></entity>"#,
        .overriddenProperty("content", ancestor: "Topic")
      ),
      (
        #"<entity name="A"><attribute name="x" attributeType="Strnig"/></entity>"#,
        .badValue(key: "attributeType", value: "Strnig", wanted: "", near: "String")
      ),
      (
        #"<entity name="A"><attribute name="x" optional="maybe" attributeType="String"/></entity>"#,
        .badValue(key: "optional", value: "maybe", wanted: "YES or NO", near: nil)
      ),
      (
        #"<entity name="A"><relationship name="r" toMany="YES" maxCount="-2" destinationEntity="Topic"/></entity>"#,
        .badValue(key: "maxCount", value: "-2", wanted: "a number from -1 to 2147483647", near: nil)
      ),
      (
        #"<entity name="A"><relationship name="r" toMany="YES" maxCount="99999999999" destinationEntity="Topic"/></entity>"#,
        .badValue(
          key: "maxCount", value: "99999999999", wanted: "a number from -1 to 2147483647", near: nil
        )
      ),
      (
        #"<entity name="A"><relationship name="r" toMany="YES" minCount="-1" destinationEntity="Topic"/></entity>"#,
        .badValue(key: "minCount", value: "-1", wanted: "a number from 0 to 2147483647", near: nil)
      ),
      (
        "<entity name=\"A\"><attribute name=\"e\u{301}\" attributeType=\"Date\"/><attribute name=\"\u{E9}\" attributeType=\"Date\"/></entity>",
        .duplicateProperty("\u{E9}")
      ),
      (#"<entity name="A"><attribute name="x"/></entity>"#, .undefinedType),
      (
        #"<entity name="A"><attribute name="x" attributeType="String" derived="YES"/></entity>"#,
        .missingDerivation
      ),
      (
        #"<entity name="A"><attribute attributeType="String"/></entity>"#,
        .missingName(element: "attribute")
      ),
      (#"<entity name=""/>"#, .missingName(element: "entity")),
      (
        #"<entity name="A"><uniquenessConstraints><uniquenessConstraint/></uniquenessConstraints></entity>"#,
        .emptyConstraint
      ),
      (
        #"<entity name="A"><attribute name="x" attributeType="Composite" composite="C"/></entity>"#,
        .unknownComposite("C", near: nil)
      ),
      (
        #"<entity name="A"><attribute name="x" attributeType="Composite" composite="C"/></entity><composite name="C"><attribute name="y" attributeType="Composite" composite="C"/></composite>"#,
        .cyclicComposite("C")
      ),
      (
        #"<composite name="C"><attribute name="y" attributeType="String"/><attribute name="y" attributeType="String"/></composite>"#,
        .duplicateProperty("y")
      ),
      (#"<composite name="C"><attribute name="y"/></composite>"#, .undefinedType),
      (
        #"<composite name="C"><attribute name="y" attributeType="Date" derived="YES"/></composite>"#,
        .missingDerivation
      ),
      (#"<composite name="C"/><composite name="C"/>"#, .duplicateComposite("C")),
      (
        #"<configuration name="Main"><memberEntity name="Topik"/></configuration>"#,
        .unknownMember("Topik", near: "Topic")
      ),
    ]
    for (entities, problem) in cases {
      #expect(throws: ModelError.self, "\(entities)") {
        try Self.model(Self.topic + "\n" + entities)
      }
      do {
        _ = try Self.model(Self.topic + "\n" + entities)
      } catch let error as ModelError {
        #expect(Self.same(error.problem, problem), "\(entities): \(error.problem)")
        #expect(error.line == 3, "\(entities)")
        #expect(!error.diagnostic.what.isEmpty && error.diagnostic.fix != nil)
      }
    }
  }

  /// Equal but for the long list of allowed words.
  private static func same(_ a: ModelError.Problem, _ b: ModelError.Problem) -> Bool {
    if case .badValue(let key, let value, _, let near) = a,
      case .badValue(key, value, _, near) = b
    {
      return true
    }
    return a == b
  }

  @Test("a cycle of parents is reported in order")
  func circles() {
    let circle = ["A", "B", "C"].enumerated().map { index, name in
      #"<entity name="\#(name)" parentEntity="\#(["B", "C", "A"][index])"/>"#
    }.joined()
    #expect { try Self.model(circle) } throws: { error in
      guard case .cyclicParents(let names)? = (error as? ModelError)?.problem else { return false }
      return names.count == 4 && names.first == names.last
    }
  }

  @Test("a hierarchy that is too deep is rejected")
  func deepHierarchy() {
    let chain = (0..<5000).map {
      #"<entity name="E\#($0)"\#($0 > 0 ? #" parentEntity="E\#($0 - 1)""# : "")/>"#
    }
    #expect { try Self.model(chain.joined()) } throws: { error in
      if case .tooDeepHierarchy? = (error as? ModelError)?.problem { return true }
      return false
    }
  }

  @Test("models that multiply shared parts are rejected before the parts are expanded")
  func multiplication() {
    // Thirty composites, each of which holds the next one twice.
    let composites = (0..<30).map { index in
      let next =
        index < 29
        ? #"attributeType="Composite" composite="C\#(index + 1)""# : #"attributeType="Date""#
      return
        #"<composite name="C\#(index)"><attribute name="a" \#(next)/><attribute name="b" \#(next)/></composite>"#
    }
    let attribute =
      #"<entity name="A"><attribute name="x" attributeType="Composite" composite="C0"/></entity>"#
    // A parent with many attributes, and many children that inherit them.
    let attributes = (0..<1000).map { #"<attribute name="a\#($0)" attributeType="Date"/>"# }
      .joined()
    let family =
      #"<entity name="P">\#(attributes)</entity>"#
      + (0..<1000).map { #"<entity name="E\#($0)" parentEntity="P"/>"# }.joined()
    for entities in [attribute + composites.joined(), family] {
      #expect { try Self.model(entities) } throws: { error in
        if case .tooMany? = (error as? ModelError)?.problem { return true }
        return false
      }
    }
  }

  @Test("a file that is not a model is reported as such")
  func otherDocuments() {
    #expect { try ModelDocument(reading: Array("<plist/>".utf8)) } throws: { error in
      (error as? ModelError)?.problem == .notAModel(found: "plist")
    }
    #expect(throws: ArchiveError.self) { try ModelDocument(reading: Array("bplist00".utf8)) }
    let archive = PropertyList.dictionary([
      "$objects": .array([
        .string("$null"), .dictionary(["$class": .uid(2)]),
        .dictionary(["$classname": .string("NSEvil")]),
      ]),
      "$top": .dictionary(["root": .uid(1)]),
    ])
    #expect { try ModelDocument(reading: archive.encoded()) } throws: { error in
      (error as? ModelError)?.problem == .notAModel(found: "NSEvil")
    }
  }

  @Test("an archived entity that is its own superentity is reported as a cycle and does not hang")
  func cyclicArchive() {
    let archive = Self.archive(entity: ["NSSuperentity": .uid(4)])
    #expect { try ObjectModel(ModelDocument(reading: archive)) } throws: { error in
      if case .cyclicParents? = (error as? ModelError)?.problem { return true }
      return false
    }
  }

  @Test("an archived composite that contains itself twice is reported and does not hang")
  func cyclicComposite() {
    let archive = PropertyList.dictionary([
      "$objects": .array([
        .string("$null"),
        .dictionary(["$class": .uid(6), "NSEntities": .uid(2)]),
        .dictionary(["NS.keys": .array([.uid(3)]), "NS.objects": .array([.uid(4)])]),
        .string("A"),
        .dictionary(["$class": .uid(5), "NSEntityName": .uid(3), "NSProperties": .uid(7)]),
        .dictionary(["$classname": .string("NSEntityDescription")]),
        .dictionary(["$classname": .string("NSManagedObjectModel")]),
        .dictionary(["NS.keys": .array([.uid(3)]), "NS.objects": .array([.uid(8)])]),
        .dictionary([
          "$class": .uid(9), "NSPropertyName": .uid(3), "NSAttributeType": .integer(2100),
          "NSCompositeElements": .uid(10),
        ]),
        .dictionary(["$classname": .string("NSCompositeAttributeDescription")]),
        .dictionary(["NS.objects": .array([.uid(8), .uid(8)])]),
      ]),
      "$top": .dictionary(["root": .uid(1)]),
    ])
    #expect(throws: ModelError.self) { try ModelDocument(reading: archive.encoded()) }
  }

  @Test(
    "a collection that all entities of an archive share is counted for each of them",
    arguments: ["NSUniqueTuples", "NSCompoundIndexes", "NSUserInfo"])
  func sharedCollection(key: String) {
    let entityCount = 1000
    let names = PropertyList.array(Array(repeating: .uid(3), count: 1000))
    let lists = PropertyList.array(Array(repeating: .uid(6), count: 1000))
    let isList = ["NSUniqueTuples", "NSCompoundIndexes"].contains(key)
    let first = 8
    var objects: [PropertyList] = [
      .string("$null"),
      .dictionary(["$class": .uid(5), "NSEntities": .uid(2)]),
      .dictionary([
        "NS.keys": .array((0..<entityCount).map { .uid(first + 2 * $0) }),
        "NS.objects": .array((0..<entityCount).map { .uid(first + 2 * $0 + 1) }),
      ]),
      .string("name"),
      .dictionary(["$classname": .string("NSEntityDescription")]),
      .dictionary(["$classname": .string("NSManagedObjectModel")]),
      .dictionary(["NS.objects": names]),
      .dictionary(isList ? ["NS.objects": lists] : ["NS.keys": names, "NS.objects": names]),
    ]
    for number in 0..<entityCount {
      objects.append(.string("E\(number)"))
      objects.append(
        .dictionary([
          "$class": .uid(4), "NSEntityName": .uid(objects.count - 1), key: .uid(7),
        ]))
    }
    let archive = PropertyList.dictionary([
      "$objects": .array(objects), "$top": .dictionary(["root": .uid(1)]),
    ])
    #expect { try ModelDocument(reading: archive.encoded()) } throws: { error in
      if case .tooMany? = (error as? ModelError)?.problem { return true }
      return false
    }
  }

  @Test("a collection that all entities of an old archive share is counted for each of them")
  func sharedElements() {
    let entityCount = 1000
    let first = 8
    func dictionary(keys: [PropertyList], objects: [PropertyList]) -> PropertyList {
      .dictionary(["NS.keys": .array(keys), "NS.objects": .array(objects)])
    }
    var objects: [PropertyList] = [
      .string("$null"),
      .dictionary(["$class": .uid(5), "_xd_rootPackage": .uid(2)]),
      .dictionary(["XDBucketForClassesstorage": .uid(3)]),
      dictionary(
        keys: (0..<entityCount).map { .uid(first + 2 * $0) },
        objects: (0..<entityCount).map { .uid(first + 2 * $0 + 1) }),
      .dictionary(["$classname": .string("XDPMEntity")]),
      .dictionary(["$classname": .string("XDPMModel")]),
      dictionary(
        keys: (0..<entityCount).map { .uid(first + 2 * $0) },
        objects: Array(repeating: .uid(7), count: entityCount)),
      .dictionary(["XDBucketForOwnedAttributesstorage": .uid(3)]),
    ]
    for number in 0..<entityCount {
      objects.append(.string("E\(number)"))
      objects.append(
        .dictionary(["$class": .uid(4), "XDBucketForStereotypesstorage": .uid(6)]))
    }
    let archive = PropertyList.dictionary([
      "$objects": .array(objects), "$top": .dictionary(["root": .uid(1)]),
    ])
    #expect { try ModelDocument(reading: archive.encoded()) } throws: { error in
      if case .tooMany? = (error as? ModelError)?.problem { return true }
      return false
    }
  }

  @Test("a long string that is shared in an archive is counted at each use")
  func sharedText() {
    let limit = 8 << 20
    let text = PropertyList.string(String(repeating: "x", count: limit / 2))
    let archive = Self.archive(
      entity: [
        "NSEntityName": text, "NSClassNameForEntity": text, "NSVersionHashModifier": text,
      ])
    #expect { _ = try ModelDocument(reading: archive) } throws: { error in
      (error as? ModelError)?.problem == .tooMany("bytes of text", limit: limit)
    }
  }

  @Test("long names are counted for every entity that inherits them")
  func inheritedNames() {
    let name = String(repeating: "x", count: 10_000)
    let children = (0..<1000).map { "<entity name='E\($0)' parentEntity='A'/>" }.joined()
    #expect {
      try Self.model(
        "<entity name='A'><attribute name='\(name)' attributeType='Date'/></entity>" + children)
    } throws: { error in
      if case .tooMany? = (error as? ModelError)?.problem { return true }
      return false
    }
  }

  @Test("archived references outside of the archive are rejected")
  func archiveOutOfRange() {
    let archive = Self.archive(entity: ["NSProperties": .uid(99)])
    #expect(throws: ArchiveError.outOfRange(what: "UID", value: 99, count: 7)) {
      try ModelDocument(reading: archive)
    }
  }

  /// A model of one entity "A" with these further keys.
  static func archive(entity keys: [String: PropertyList]) -> [UInt8] {
    let entity: [String: PropertyList] = ["$class": .uid(5), "NSEntityName": .uid(3)]
    return PropertyList.dictionary([
      "$objects": .array([
        .string("$null"),
        .dictionary(["$class": .dictionary([:]), "NSEntities": .uid(2)]),
        .dictionary(["NS.keys": .array([.uid(3)]), "NS.objects": .array([.uid(4)])]),
        .string("A"),
        .dictionary(entity.merging(keys) { $1 }),
        .dictionary(["$classname": .string("NSEntityDescription")]),
        .dictionary(["$classname": .string("NSManagedObjectModel")]),
      ]),
      "$top": .dictionary(["root": .uid(1)]),
    ]).encoded(replacingClassOfRoot: 6)
  }
}

extension PropertyList {
  /// Encodes an archive after pointing the root's class at this UID.
  fileprivate func encoded(replacingClassOfRoot uid: Int) -> [UInt8] {
    guard case .dictionary(var archive) = self, case .array(var objects)? = archive["$objects"],
      case .dictionary(var root) = objects[1]
    else { return encoded() }
    root["$class"] = .uid(uid)
    objects[1] = .dictionary(root)
    archive["$objects"] = .array(objects)
    return PropertyList.dictionary(archive).encoded()
  }
}
