/// What a model's file says, in whatever state: the thing that is read, edited and written.
///
/// Nothing is checked here; ``ObjectModel`` is the document that holds together.
package struct ModelDocument: ModelElement {
  /// In the order of the file.
  package var entities: [Entity]
  package var fetchRequests: [FetchRequestTemplate]
  package var configurations: [ModelConfiguration]
  package var composites: [CompositeType]
  /// The names that the model gives this version: none, one (XML), or several (merged, archived).
  package var versionIdentifiers: Set<String>
  package var extras: ModelExtras
  package var origin = FileOrigin()

  package init(entities: [Entity] = [], versionIdentifiers: Set<String> = []) {
    self.entities = entities
    fetchRequests = []
    configurations = []
    composites = []
    self.versionIdentifiers = versionIdentifiers
    extras = ModelExtras()
  }
}

/// The file that a document was read from; it does not count when two documents are compared.
package struct FileOrigin: Sendable, Hashable {
  package var path: String?

  package static func == (a: Self, b: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

/// A named part of a model: the entities that one store holds.
package struct ModelConfiguration: ModelElement {
  package var name: String
  package var entityNames: [String]
  package var extras: ModelExtras

  package init(name: String, entityNames: [String] = []) {
    self.name = name
    self.entityNames = entityNames
    extras = ModelExtras()
  }
}

/// A fetch request that the model keeps under a name.
package struct FetchRequestTemplate: ModelElement {
  package var name: String
  package var entityName: String
  package var predicateText: String?
  package var extras: ModelExtras

  package init(name: String, entityName: String) {
    self.name = name
    self.entityName = entityName
    extras = ModelExtras()
  }
}

/// A composite attribute type: attributes that stand together under one name.
package struct CompositeType: ModelElement {
  package var name: String
  package var attributes: [Attribute]
  package var extras: ModelExtras

  package init(name: String, attributes: [Attribute] = []) {
    self.name = name
    self.attributes = attributes
    extras = ModelExtras()
  }
}
