internal import Foundation

/// Core Data's XML document of objects: what XML stores and `.xcmappingmodel` bundles hold.
///
/// Names are as the document has them: entities in upper case, properties in lower case.
///
/// ```swift
/// let database = try XMLDatabase(reading: bytes)
/// database.objects[0].type                // "XDDEVENTITYMAPPING"
/// database.objects[0]["name"]?.text       // "TopicToTopic"
/// ```
///
/// Source: the mapping models and the XML stores of the corpus (19 documents).
public struct XMLDatabase: Sendable, Hashable {
  public struct Attribute: Sendable, Hashable {
    public var name: String
    /// `string`, `int16`, `int32`, `int64`, `float`, `double`, `decimal`, `bool`, `date`, `binary` …
    public var type: String
    /// The value as text, escapes resolved; of `binary`, base64 without line ends.
    public var text: String

    public init(name: String, type: String, text: String) {
      self.name = name
      self.type = type
      self.text = text
    }

    /// A value of bytes, as base64.
    public init(name: String, bytes: [UInt8]) {
      self.init(name: name, type: "binary", text: Data(bytes).base64EncodedString())
    }

    /// The bytes that the text stands for; `nil` where it is no base64.
    public var bytes: [UInt8]? { Data(base64Encoded: text).map(Array.init) }
  }

  public struct Relationship: Sendable, Hashable {
    public var name: String
    /// Least and greatest count: `0/1`, `1/1`, `0/0`.
    public var type: String
    public var destination: String
    /// The objects that it leads to, in their order.
    public var references: [String]

    public init(name: String, type: String, destination: String, references: [String]) {
      self.name = name
      self.type = type
      self.destination = destination
      self.references = references
    }
  }

  public struct Object: Sendable, Hashable {
    /// The entity.
    public var type: String
    /// `z102`.
    public var id: String
    public var attributes: [Attribute]
    public var relationships: [Relationship]

    public init(
      type: String, id: String, attributes: [Attribute] = [], relationships: [Relationship] = []
    ) {
      self.type = type
      self.id = id
      self.attributes = attributes
      self.relationships = relationships
    }

    public subscript(attribute: String) -> Attribute? {
      attributes.first { $0.name == attribute }
    }

    public func relationship(_ name: String) -> Relationship? {
      relationships.first { $0.name == name }
    }
  }

  /// What stands in `databaseInfo`; a document may have none.
  public struct Info: Sendable, Hashable {
    /// `134481920` in every known document.
    public var version: String
    public var uuid: String
    /// The highest id that was handed out, in spite of its name.
    public var nextObjectID: Int64
    public var metadata: [String: PropertyList]

    public init(
      version: String = "134481920", uuid: String, nextObjectID: Int64,
      metadata: [String: PropertyList]
    ) {
      self.version = version
      self.uuid = uuid
      self.nextObjectID = nextObjectID
      self.metadata = metadata
    }
  }

  public var info: Info?
  public var objects: [Object]
  /// What the XML declaration says; older systems said no.
  public var isStandalone: Bool

  public init(info: Info?, objects: [Object], isStandalone: Bool = true) {
    self.info = info
    self.objects = objects
    self.isStandalone = isStandalone
  }
}
