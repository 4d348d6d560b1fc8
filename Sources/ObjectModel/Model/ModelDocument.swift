/// What a model's file says, in whatever state: the thing that is read, edited and written.
///
/// Nothing is checked here; ``ObjectModel`` is the document that holds together.
public struct ModelDocument: ModelElement {
  /// In the order of the file.
  public var entities: [Entity]
  public var fetchRequests: [FetchRequestTemplate]
  public var configurations: [ModelConfiguration]
  public var composites: [CompositeType]
  /// The names that the model gives this version: none, one (XML), or several (merged, archived).
  public var versionIdentifiers: Set<String>
  public var extras: ModelExtras
  public var origin = FileOrigin()

  public init(entities: [Entity] = [], versionIdentifiers: Set<String> = []) {
    self.entities = entities
    fetchRequests = []
    configurations = []
    composites = []
    self.versionIdentifiers = versionIdentifiers
    extras = ModelExtras()
  }
}

/// The file that a document was read from; it does not count when two documents are compared.
public struct FileOrigin: Sendable, Hashable {
  public var path: String?

  public static func == (a: Self, b: Self) -> Bool { true }

  public func hash(into hasher: inout Hasher) {}
}

/// A named part of a model: the entities that one store holds.
public struct ModelConfiguration: ModelElement {
  public var name: String
  public var entityNames: [String]
  public var extras: ModelExtras

  public init(name: String, entityNames: [String] = []) {
    self.name = name
    self.entityNames = entityNames
    extras = ModelExtras()
  }
}

/// A fetch request that the model keeps under a name.
public struct FetchRequestTemplate: ModelElement {
  public var name: String
  public var entityName: String
  public var predicateText: String?
  public var extras: ModelExtras

  public init(name: String, entityName: String) {
    self.name = name
    self.entityName = entityName
    extras = ModelExtras()
  }
}

/// A composite attribute type: attributes that stand together under one name.
public struct CompositeType: ModelElement {
  public var name: String
  public var attributes: [Attribute]
  public var extras: ModelExtras

  public init(name: String, attributes: [Attribute] = []) {
    self.name = name
    self.attributes = attributes
    extras = ModelExtras()
  }
}
