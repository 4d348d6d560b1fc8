/// The contents of a model file, consistent or not: the document that is read, edited and written.
///
/// Nothing is checked here; ``ObjectModel`` is a checked, consistent model.
package struct ModelDocument: ModelElement {
  /// In the order of the file.
  package var entities: [Entity]
  package var fetchRequests: [FetchRequestTemplate] = []
  package var configurations: [ModelConfiguration] = []
  package var composites: [CompositeType] = []
  /// The model's version identifiers: none, one (XML), or several (merged, archived).
  package var versionIdentifiers: Set<String>
  package var extras = ModelExtras()
  package var origin = FileOrigin()

  package init(entities: [Entity] = [], versionIdentifiers: Set<String> = []) {
    self.entities = entities
    self.versionIdentifiers = versionIdentifiers
  }
}

/// The file that a document was read from; ignored in comparisons of documents.
package struct FileOrigin: Sendable, Hashable {
  package var path: String?
  /// The fetch requests of a compiled model, which are not read: their names, and the fetched properties that have one.
  package var unreadFetchRequests: [String] = []

  package static func == (a: Self, b: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

/// A configuration: a named subset of the entities of a model.
package struct ModelConfiguration: ModelElement {
  package var name: String
  package var entityNames: [String]
  package var extras = ModelExtras()

  package init(name: String, entityNames: [String] = []) {
    self.name = name
    self.entityNames = entityNames
  }
}

/// A named fetch request of the model.
package struct FetchRequestTemplate: ModelElement {
  package var name: String
  package var entityName: String
  package var predicateText: String?
  package var extras = ModelExtras()

  package init(name: String, entityName: String) {
    self.name = name
    self.entityName = entityName
  }
}

/// A composite attribute type: a named group of attributes.
package struct CompositeType: ModelElement {
  package var name: String
  package var attributes: [Attribute]
  package var extras = ModelExtras()

  package init(name: String, attributes: [Attribute] = []) {
    self.name = name
    self.attributes = attributes
  }

  /// The line of an element in the model file, from 1; 0 if unknown.
  func line(of element: Attribute) -> Int {
    extras.line > 0 ? extras.line + element.extras.line : 0
  }
}
