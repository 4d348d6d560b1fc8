import StrataBase
import StrataObjectModel
import TestSupport
import Testing

@Suite("Differences of models")
struct DifferenceTests {
  @Test("elements match by renaming identifier first, then by name")
  func matching() {
    func candidates(_ pairs: [(String, String?)]) -> [NameMatching.Candidate] {
      pairs.map { .init(name: $0.0, renamingIdentifier: $0.1) }
    }
    // content -> title -> heading: the canonical name stays content.
    let chain = NameMatching(
      source: candidates([("title", "content")]), destination: candidates([("heading", "content")]))
    #expect(chain.pairs.map(\.source) == ["title"])
    // An identifier that equals the name of a source element with another canonical name.
    let byName = NameMatching(
      source: candidates([("title", "content")]), destination: candidates([("heading", "title")]))
    #expect(byName.pairs.map(\.source) == ["title"])
    // An identifier that leads nowhere is an addition.
    let nowhere = NameMatching(
      source: candidates([("a", nil)]), destination: candidates([("b", "gone")]))
    #expect(nowhere.added == ["b"] && nowhere.removed == ["a"])
    // Two claim one identifier.
    let ambiguous = NameMatching(
      source: candidates([("a", "x"), ("b", "x")]), destination: candidates([("c", "x")]))
    #expect(ambiguous.ambiguous.map(\.destination) == ["c"])
    // Names swapped by identifiers.
    let swapped = NameMatching(
      source: candidates([("a", nil), ("b", nil)]),
      destination: candidates([("a", "b"), ("b", "a")]))
    #expect(swapped.pairs.map(\.source) == ["b", "a"])
  }

  @Test("a changed hash has a change that explains it, an unchanged hash has none")
  func causes() throws {
    let base =
      #"<entity name="Base"><attribute name="a" attributeType="String"/></entity><entity name="Sub" parentEntity="Base"><relationship name="r" optional="YES" maxCount="1" destinationEntity="Base"/></entity>"#
    let edits: [(String, String)] = [
      (#"name="a" attributeType="String""#, #"name="a" attributeType="Date""#),
      (#"name="a""#, #"name="b" elementID="a""#), (#"name="a""#, #"name="b""#),
      (#"parentEntity="Base""#, ""), (#"optional="YES""#, ""),
      (#"name="a""#, #"name="a" transient="YES""#),
      (#"name="a""#, #"name="a" defaultValueString="1""#),
      (#"<entity name="Base">"#, #"<entity name="Base" versionHashModifier="2">"#),
      (#"maxCount="1""#, #"toMany="YES""#),
      ("<entity name=\"Base\">", "<entity name=\"Base\" isAbstract=\"YES\">"),
    ]
    let before = try ModelErrorTests.model(base)
    for (old, new) in edits {
      let after = try ModelErrorTests.model(base.replacing(old, with: new))
      let difference = after.difference(from: before)
      #expect(!difference.isEmpty, "\(new)")
      #expect(
        difference.isCompatible == (before.versionHashes() == after.versionHashes()), "\(new)")
      for entity in difference.entities {
        #expect(
          entity.movesHash == entity.changes.contains(where: \.movesHash),
          "\(new) \(entity.name) \(entity.changes)")
      }
    }
  }

  private static let wide = """
    <entity name="A"><attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>
    <attribute name="day" optional="YES" attributeType="String" derived="YES" derivationExpression="text"/>
    <attribute name="text" optional="YES" attributeType="String"/>
    <fetchedProperty name="recent" optional="YES"><fetchRequest name="r" entity="A" predicateString="text != nil"/>
    </fetchedProperty><fetchIndex name="byText"><fetchIndexElement property="text" type="Binary" order="ascending"/>
    </fetchIndex></entity>
    <fetchRequest name="all" entity="A" predicateString="TRUEPREDICATE" fetchLimit="3"/>
    <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="A"/></configuration>
    <composite name="Address"><attribute name="street" optional="YES" attributeType="String"/>
    <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/></composite>
    <composite name="Place"><attribute name="x" optional="YES" attributeType="Double"/></composite>
    <composite name="Spare"><attribute name="s" optional="YES" attributeType="Double"/></composite>
    <userInfo><entry key="team" value="red"/></userInfo>
    """

  private static let inHome = "attribute home: elements of the composite Address changed"
  private static let inPlace = "composite Address.place: elements of the composite Place changed"

  @Test(
    "each part that changes is named, and marked as hashed exactly where it changes the hash",
    arguments: [
      (
        #"name="street" optional="YES""#, #"name="street""#,
        [inHome: true, "composite Address.street: optional -> required": true]
      ),
      (
        #"name="street""#, #"name="street" defaultValueString="x""#,
        [inHome: false, "composite Address.street: default none -> x": false]
      ),
      (
        #"name="street""#, #"name="street" defaultValueString="none""#,
        [inHome: false, #"composite Address.street: default none -> "none""#: false]
      ),
      (
        #"name="x" optional="YES" attributeType="Double""#,
        #"name="x" optional="YES" attributeType="Float""#,
        [inHome: true, inPlace: true, "composite Place.x: type Double -> Float": true]
      ),
      (
        #"name="x""#, #"name="x" customClassName="K""#,
        [inPlace: false, "composite Place.x: customClassName none -> K": false]
      ),
      (
        #"name="x""#, #"name="y" elementID="x""#,
        [inHome: true, inPlace: true, "composite Place.x renamed Place.y": true]
      ),
      // Nothing has this type.
      (
        #"name="s" optional="YES" attributeType="Double""#,
        #"name="s" optional="YES" attributeType="Float""#,
        ["composite Spare.s: type Double -> Float": false]
      ),
      (
        #"<composite name="Place">"#,
        #"<composite name="Place"><attribute name="z" attributeType="Date"/>"#,
        [inHome: true, inPlace: true, "+ composite Place.z: Date, required": true]
      ),
      (
        #"name="day" optional="YES" attributeType="String" derived="YES" derivationExpression="text""#,
        #"name="day" attributeType="String" derived="YES" derivationExpression="text.length""#,
        [
          "attribute day: optional -> required": false,
          "attribute day: derivation text -> text.length": true,
        ]
      ),
      (
        #"predicateString="text != nil""#, #"predicateString="text = nil""#,
        [
          "fetched property recent: fetchRequest.predicateString text != nil -> text = nil": false
        ]
      ),
      (
        #"name="recent""#, #"name="latest" elementID="recent""#,
        ["fetched property recent renamed latest": false]
      ),
      (
        #"order="ascending""#, #"order="descending""#,
        ["fetch indexes + byText(text descending) - byText(text)": false]
      ),
      (
        #"<fetchIndex name="byText">"#, #"<fetchIndex name="byText" predicate="text != nil">"#,
        ["fetch indexes + byText(text) where text != nil - byText(text)": false]
      ),
      (
        #"property="text" type="Binary""#, #"expression="length(text)" type="RTree""#,
        ["fetch indexes + byText(length(text) R-tree) - byText(text)": false]
      ),
      (#"fetchLimit="3""#, #"fetchLimit="4""#, ["fetch request all: fetchLimit 3 -> 4": false]),
      (
        "TRUEPREDICATE", "FALSEPREDICATE",
        ["fetch request all: predicateString TRUEPREDICATE -> FALSEPREDICATE": false]
      ),
      (
        #" usedWithCloudKit="YES""#, "",
        ["configuration Cloud: usedWithCloudKit YES -> none": false]
      ),
      (#"value="red""#, #"value="blue""#, ["userInfo.team red -> blue": false]),
      // Its hash has no name, but the order of names decides.
      (
        #"name="home""#, #"name="zip" elementID="home""#,
        ["attribute home renamed zip": true]
      ),
      // Its own flags are not hashed, whatever its elements do.
      (
        #"name="place" optional="YES" attributeType="Composite""#,
        #"name="place" transient="YES" attributeType="Composite""#,
        [
          inHome: false, "composite Address.place: optional -> required": false,
          "composite Address.place: stored -> transient": false,
        ]
      ),
      (
        #"<fetchRequest name="r" entity="A" predicateString="text != nil"/>"#, "",
        [
          "fetched property recent: fetchRequest.entity A -> none": false,
          "fetched property recent: fetchRequest.name r -> none": false,
          "fetched property recent: fetchRequest.predicateString text != nil -> none": false,
        ]
      ),
      // What the compiler writes anyway.
      (#"name="text""#, #"name="text" elementID="text""#, [:]),
      (#"name="A">"#, #"name="A" elementID="A" representedClassName="NSManagedObject">"#, [:]),
    ])
  func parts(old: String, new: String, texts: [String: Bool]) throws {
    let before = try ModelErrorTests.model(Self.wide)
    let after = try ModelErrorTests.model(Self.wide.replacing(old, with: new))
    let difference = after.difference(from: before)
    let changes = difference.entities.flatMap(\.changes) + difference.modelChanges
    #expect(Dictionary(first: changes.map { ($0.text, $0.movesHash) }) == texts)
    #expect(difference.isCompatible == (before.versionHashes() == after.versionHashes()))
    #expect(difference.isCompatible == !texts.values.contains(true))
  }

  @Test("flags of a composite attribute are not hashed beside its elements, which are")
  func flagsBesideElements() throws {
    let before = try ModelErrorTests.model(Self.wide)
    let after = try ModelErrorTests.model(
      Self.wide.replacing(#"name="home" optional="YES""#, with: #"name="home""#)
        .replacing(#"name="street" optional="YES""#, with: #"name="street""#))
    let changes = after.difference(from: before).entities.flatMap(\.changes)
    #expect(
      Dictionary(first: changes.map { ($0.text, $0.movesHash) }) == [
        "attribute home: optional -> required": false, Self.inHome: true,
      ])
  }

  @Test("a property that moves to the parent is no other one in the entity")
  func movedUp() throws {
    let attribute = #"<attribute name="x" optional="YES" attributeType="Date"/>"#
    let before = try ModelErrorTests.model(
      #"<entity name="P"/><entity name="S" parentEntity="P">\#(attribute)</entity>"#)
    let after = try ModelErrorTests.model(
      #"<entity name="P">\#(attribute)</entity><entity name="S" parentEntity="P"/>"#)
    for (old, new, text) in [
      (before, after, "attribute x: its own -> of P"),
      (after, before, "attribute x: of P -> its own"),
    ] {
      let changes = new.difference(from: old).entities.first { $0.name == "S" }?.changes ?? []
      #expect(changes.map(\.text) == ["through its parent P, whose hash changed", text])
      #expect(changes.map(\.movesHash) == [true, false])
    }
  }

  @Test("a property that takes the name of a renamed one is added, whoever is the parent")
  func takenName() throws {
    let text = #"<attribute name="x" optional="YES" attributeType="Date"/>"#
    let others =
      #"<attribute name="x" optional="YES" attributeType="Date" elementID="z"/>"#
      + #"<attribute name="y" optional="YES" attributeType="Date" elementID="x"/>"#
    for parents in [("P", "P"), ("P", "Q")] {
      func model(_ parent: String, _ attributes: String) throws -> ObjectModel {
        try ModelErrorTests.model(
          #"<entity name="P"/><entity name="Q"/><entity name="S" parentEntity="\#(parent)">\#(attributes)</entity>"#
        )
      }
      let old = try model(parents.0, text)
      let new = try model(parents.1, others)
      let found = new.difference(from: old).entities.first { $0.name == "S" }?.changes ?? []
      let changes = found.filter { $0.element == .attribute }
      #expect(
        changes.map(\.text) == [
          "+ attribute x: Date, optional, renamed from z", "attribute x renamed y",
        ],
        "\(found.map(\.text))")
      #expect(changes.map(\.movesHash) == [true, true])
    }
  }

  @Test("a model has no difference from itself")
  func identity() throws {
    let model = try ModelErrorTests.model(
      #"<entity name="A"><attribute name="a" attributeType="String"/></entity>"#)
    #expect(model.difference(from: model).isEmpty)
  }

  @Test("a property is described on one line with all that matters")
  func summaries() throws {
    let model = try ObjectModel(
      brief: """
        A
          a String derived derivationExpression=b.name
          c Binary transient external required
          d Integer_16 required defaultValueString=5 from=old versionHashModifier=2
          b -> B
          bs -> B many ordered transient required minCount=2 maxCount=3 inverse=as deletionRule=Cascade
        B
          name String
          as -> A many transient inverse=bs
        """)
    let attributes = Dictionary(
      uniqueKeysWithValues: model.allAttributes(of: "A").map {
        ($0.property.name, $0.property.summary)
      })
    #expect(
      attributes == [
        "a": "String, derived from b.name, optional",
        "c": "Binary, transient, required, external storage",
        "d": "Integer 16, required, default 5, hash modifier 2, renamed from old",
      ])
    let relationships = model.allRelationships(of: "A").map(\.property)
    #expect(
      Set(relationships.map(\.summary)) == [
        "to-one B, optional, no inverse, Nullify",
        "to-many B, transient, required, ordered, at least 2, at most 3, inverse as, Cascade",
      ])
  }

  @Test("a derived attribute has no rules, and a to-one relationship must not be empty")
  func validation() throws {
    let model = try ObjectModel(
      brief: """
        A
          a String required derived derivationExpression=b.name
          c String required
          b -> B required
          bs -> B many required
          cs -> B many required minCount=2
        B
          name String
        """)
    let problems = model.allAttributes(of: "A").map {
      AttributeValidator($0.property).problem(of: .null)
    }
    #expect(Set(problems) == [nil, .missing] && problems.count == 2)
    let counts = model.allRelationships(of: "A").map(\.property).map { relationship in
      [0, 1, 2].map { relationship.problem(ofCount: $0) }
    }
    #expect(
      Set(counts) == [
        [.missing, nil, .tooMany(count: 2, maximum: 1)], [nil, nil, nil],
        [.tooFew(count: 0, minimum: 2), .tooFew(count: 1, minimum: 2), nil],
      ])
  }
}
