internal import StrataEssentials

/// Core Data's XML document of objects: what XML stores and `.xcmappingmodel` bundles hold.
///
/// Names are as the document has them: entities in upper case, properties in lower case.
///
/// ```swift
/// let database = try XMLDatabase(reading: FileBytes.read("xcmapping.xml"))
/// database.objects[0].type                // "XDDEVENTITYMAPPING"
/// database.objects[0]["name"]?.text       // "TopicToTopic"
/// ```
///
/// Source: `Docs/Facts/binary-store.md`, section 2 (19 documents).
package struct XMLDatabase: Sendable, Hashable {
  package struct Attribute: Sendable, Hashable {
    package var name: String
    /// `string`, `int16`, `int32`, `int64`, `float`, `double`, `decimal`, `bool`, `date`, `binary` …
    package var type: String
    /// The value as text, escapes resolved; of `binary`, base64 without line ends.
    package var text: String

    package init(name: String, type: String, text: String) {
      self.name = name
      self.type = type
      self.text = text
    }

    /// A value of bytes, as base64.
    package init(name: String, bytes: [UInt8]) {
      self.init(name: name, type: "binary", text: Data(bytes).base64EncodedString())
    }

    /// The decoded bytes; `nil` if the text is not base64.
    package var bytes: [UInt8]? { Data(base64Encoded: text).map(Array.init) }
  }

  package struct Relationship: Sendable, Hashable {
    package var name: String
    /// Least and greatest count: `0/1`, `1/1`, `0/0`.
    package var type: String
    package var destination: String
    /// The objects that it points to, in their order.
    package var references: [String]

    package init(name: String, type: String, destination: String, references: [String]) {
      self.name = name
      self.type = type
      self.destination = destination
      self.references = references
    }
  }

  package struct Object: Sendable, Hashable {
    /// The entity.
    package var type: String
    /// `z102`.
    package var id: String
    package var attributes: [Attribute] = []
    package var relationships: [Relationship] = []

    package init(type: String, id: String) {
      (self.type, self.id) = (type, id)
    }

    package subscript(attribute: String) -> Attribute? {
      attributes.first { $0.name == attribute }
    }

    package func relationship(_ name: String) -> Relationship? {
      relationships.first { $0.name == name }
    }
  }

  /// The content of `databaseInfo`; a document may have none.
  package struct Info: Sendable, Hashable {
    /// `134481920` in every known document.
    package var version = "134481920"
    package var uuid: String
    /// The highest id that was assigned, in spite of its name.
    package var nextObjectID: Int64
    package var metadata: [String: PropertyList]

    package init(uuid: String, nextObjectID: Int64, metadata: [String: PropertyList]) {
      self.uuid = uuid
      self.nextObjectID = nextObjectID
      self.metadata = metadata
    }
  }

  package var info: Info?
  package var objects: [Object]
  /// The `standalone` of the XML declaration; older systems wrote `no`.
  package var isStandalone: Bool

  package init(info: Info?, objects: [Object], isStandalone: Bool = true) {
    self.info = info
    self.objects = objects
    self.isStandalone = isStandalone
  }
}
