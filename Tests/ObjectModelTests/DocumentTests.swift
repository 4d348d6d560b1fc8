import StrataArchives
import StrataObjectModel
import Testing

@Suite("Model documents")
struct DocumentTests {
  private static let text = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="2" futureKey="kept">
        <entity name="Topic" representedClassName=".Topic" isAbstract="YES" elementID="Theme" syncable="YES" strange="1">
            <attribute name="content" optional="YES" attributeType="String" minValueString="1" newKey="x">
                <userInfo>
                    <entry key="k" value="&lt;v&gt;"/>
                </userInfo>
                <unknownChild a="b"/>
            </attribute>
            <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Topic"/>
            <fetchedProperty name="recent" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Topic" predicateString="content != nil"/>
            </fetchedProperty>
            <fetchIndex name="byContent">
                <fetchIndexElement property="content" type="Binary" order="descending"/>
            </fetchIndex>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="content"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <fetchRequest name="All" entity="Topic" predicateString="TRUEPREDICATE" fetchLimit="5"/>
        <configuration name="Main">
            <memberEntity name="Topic"/>
        </configuration>
        <elements>
            <element name="Topic" positionX="-54" positionY="0" width="128" height="73"/>
        </elements>
    </model>
    """

  @Test("everything is read, and unknown parts are preserved")
  func reading() throws {
    let document = try ModelDocument(reading: Array(Self.text.utf8))
    let entity = document.entities[0]
    #expect(document.versionIdentifiers == ["2"])
    #expect(document.extras.attributes["futureKey"] == "kept")
    #expect(
      entity.className == ".Topic" && entity.isAbstract && entity.renamingIdentifier == "Theme")
    #expect(entity.extras.attributes["strange"] == "1")
    #expect(entity.attributes[0].userInfo == [UserInfoEntry(key: "k", value: "<v>")])
    #expect(entity.attributes[0].extras.elements.map(\.name) == ["unknownChild"])
    #expect(
      entity.fetchedProperties[0].extras.elements[0].attributes["predicateString"]
        == "content != nil")
    #expect(entity.fetchIndexes[0].elements[0].isAscending == false)
    #expect(entity.uniquenessConstraints == [["content"]])
    #expect(document.fetchRequests[0].extras.attributes["fetchLimit"] == "5")
    #expect(document.configurations[0].entityNames == ["Topic"])
    #expect(document.extras.elements.map(\.name) == ["elements"])
  }

  @Test("writing preserves the content, and writing again gives equal bytes")
  func writing() throws {
    let document = try ModelDocument(reading: Array(Self.text.utf8))
    let written = document.encodedXML()
    let again = try ModelDocument(reading: written)
    #expect(again == document)
    #expect(again.encodedXML() == written)
  }

  @Test("old tools' true and false are read")
  func oldFlags() throws {
    let text =
      #"<model><entity name="A" isAbstract="true"><attribute name="x" optional="false" attributeType="Date"/></entity></model>"#
    let entity = try ModelDocument(reading: Array(text.utf8)).entities[0]
    #expect(entity.isAbstract && !entity.attributes[0].isOptional)
  }

  @Test("a configuration selects entities of a model, and unknown ones are rejected")
  func configurations() throws {
    let model = try ObjectModel(ModelDocument(reading: Array(Self.text.utf8)))
    #expect(try model.entityNames(inConfiguration: "Main") == ["Topic"])
    #expect(try model.entityNames(inConfiguration: nil) == ["Topic"])
    #expect { try model.entityNames(inConfiguration: "Mian") } throws: { error in
      (error as? ModelError)?.problem == .unknownConfiguration("Mian", near: "Main")
    }
  }

  @Test("merged models contain the entities of both, and conflicting ones are rejected")
  func merging() throws {
    let a = try ModelErrorTests.model(
      #"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#)
    let b = try ModelErrorTests.model(
      #"<entity name="B"/><entity name="A"><attribute name="x" attributeType="Date"/></entity>"#)
    let other = try ModelErrorTests.model(#"<entity name="A"/>"#)
    let merged = try ObjectModel(merging: [a, b])
    #expect(merged.entityNames == ["A", "B"])
    #expect(merged.versionHashes()["A"] == a.versionHashes()["A"])
    #expect { try ObjectModel(merging: [a, other]) } throws: { error in
      (error as? ModelError)?.problem == .conflictingEntity("A")
    }
  }

  @Test(
    "of different composites with one name, the second gets another: each entity keeps its hash")
  func mergedComposites() throws {
    func model(_ entity: String, _ type: String) throws -> ObjectModel {
      try ModelErrorTests.model(
        """
        <entity name="\(entity)"><attribute name="c" optional="YES" attributeType="Composite" composite="L"/></entity>
        <composite name="L"><attribute name="x" optional="YES" attributeType="\(type)"/></composite>
        """)
    }
    let (a, b) = (try model("A", "Date"), try model("B", "Date"))
    let merged = try ObjectModel(merging: [a, b]).versionHashes()
    #expect(merged["A"] == a.versionHashes()["A"] && merged["B"] == b.versionHashes()["B"])
    let (other, third) = (try model("B", "String"), try model("C", "Double"))
    for models in [[a, other, third], [third, other, a]] {
      let merged = try ObjectModel(merging: models)
      for model in models {
        for (entity, hash) in model.versionHashes() {
          #expect(merged.versionHashes()[entity] == hash, "\(entity)")
        }
      }
      #expect(Set(merged.document.composites.map(\.name)) == ["L", "L2", "L3"])
    }
  }

  @Test("a type of equal elements is another one where one of them contains another type")
  func mergedNestedComposites() throws {
    func model(_ entity: String, _ type: String) throws -> ObjectModel {
      try ModelErrorTests.model(
        """
        <entity name="\(entity)"><attribute name="c" optional="YES" attributeType="Composite" composite="K"/></entity>
        <composite name="K"><attribute name="l" optional="YES" attributeType="Composite" composite="L"/></composite>
        <composite name="L"><attribute name="x" optional="YES" attributeType="\(type)"/></composite>
        """)
    }
    let models = [try model("A", "Date"), try model("B", "String")]
    let merged = try ObjectModel(merging: models)
    for model in models {
      for (entity, hash) in model.versionHashes() {
        #expect(merged.versionHashes()[entity] == hash, "\(entity)")
      }
    }
  }

  @Test("a configuration that lacks what an entity needs is named, not the model")
  func incompleteConfiguration() throws {
    for needed in [#"parentEntity="P""#, ""] {
      let link =
        needed.isEmpty
        ? #"<relationship name="r" optional="YES" maxCount="1" destinationEntity="P"/>"# : ""
      let model = try ModelErrorTests.model(
        #"<entity name="P"/><entity name="K" \#(needed)>\#(link)</entity>"#
          + #"<configuration name="C"><memberEntity name="K"/></configuration>"#)
      #expect {
        try model.narrowed(toConfiguration: "C")
      } throws: { error in
        (error as? ModelError)?.problem
          == .incompleteConfiguration("C", entity: "K", missing: "P")
      }
    }
  }

  @Test("an entity is renamed in all that refers to it, and an unknown property is an error")
  func edits() throws {
    var document = try ModelDocument(reading: Array(Self.text.utf8))
    try document.apply(.rename(.entity("Topic"), to: "Subject"))
    #expect(document.fetchRequests.map(\.entityName) == ["Subject"])
    #expect(document.configurations.map(\.entityNames) == [["Subject"]])
    #expect(document.entities[0].relationships.map(\.destinationName) == ["Subject"])
    _ = try ObjectModel(document)
    #expect(throws: ModelEditError.unknownProperty("contents", entity: "Subject", near: "content"))
    {
      try document.apply(.remove(.property("contents", of: "Subject")))
    }
  }

  @Test("a property is renamed in all texts that refer to it, and nothing else is changed")
  func renamedInTexts() throws {
    func text(_ name: String, _ list: String) -> String {
      """
      <model><entity name="Base"><attribute name="\(name)" optional="YES" attributeType="String"/>
      <attribute name="lower" optional="YES" attributeType="String" derived="YES" derivationExpression="lowercase:(\(name))"/></entity>
      <entity name="Topic" parentEntity="Base"><attribute name="other" optional="YES" attributeType="String"/>
      <relationship name="\(list)" optional="YES" maxCount="1" destinationEntity="List" inverseName="topics" inverseEntity="List"/>
      <fetchedProperty name="near" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" entity="List" predicateString="name == $FETCH_SOURCE.name AND ANY topics.\(name) == &quot;name&quot;"/></fetchedProperty>
      <fetchIndex name="i" predicate="\(name) != nil AND other == 'name'"><fetchIndexElement property="other" type="Binary" order="ascending"/></fetchIndex></entity>
      <entity name="List"><attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="count" optional="YES" attributeType="Integer 16" derived="YES" derivationExpression="topics.@count"/>
      <relationship name="topics" optional="YES" toMany="YES" destinationEntity="Topic" inverseName="\(list)" inverseEntity="Topic"/></entity>
      <fetchRequest name="r" entity="Topic" predicateString="SELF.\(name) BEGINSWITH[c] 'name' AND \(list).name == &quot;name&quot; AND #\(name) != nil"/>
      </model>
      """
    }
    func written(_ document: ModelDocument) -> [UInt8] {
      var document = document
      for index in document.entities.indices {
        for place in document.entities[index].attributes.indices {
          document.entities[index].attributes[place].renamingIdentifier = nil
        }
        for place in document.entities[index].relationships.indices {
          document.entities[index].relationships[place].renamingIdentifier = nil
        }
      }
      return document.encodedXML()
    }
    var document = try ModelDocument(reading: Array(text("name", "list").utf8))
    try document.apply(.rename(.property("name", of: "Base"), to: "heading"))
    try document.apply(.rename(.property("list", of: "Topic"), to: "owner"))
    let expected = try ModelDocument(reading: Array(text("heading", "owner").utf8))
    #expect(
      written(document) == written(expected),
      "\(String(decoding: document.encodedXML(), as: UTF8.self))")
    // A fetched property has a name and keys too.
    try document.apply(.rename(.property("near", of: "Topic"), to: "similar"))
    try document.apply(.set(.property("similar", of: "Topic"), key: "optional", value: nil))
    let fetched = try #require(document.entities.first { $0.name == "Topic" }?.fetchedProperties)
    #expect(fetched.map(\.name) == ["similar"] && fetched.map(\.isOptional) == [false])
  }

  @Test("requests of other entities keep their entity")
  func otherRequests() throws {
    var document = try ModelDocument(
      reading: Array(
        "<model><entity name='A'/><entity name='B'/><fetchRequest name='As' entity='A'/><fetchRequest name='Bs' entity='B'/></model>"
          .utf8))
    try document.apply(.rename(.entity("A"), to: "C"))
    #expect(document.fetchRequests.map(\.entityName) == ["C", "B"])
  }
}
