internal import StrataBase

/// An entity as declared in a model, with its own properties but without inherited ones.
///
/// ``ObjectModel`` provides what depends on the whole model: all properties, the hierarchy, the hash.
package struct Entity: ModelElement {
  package var name: String
  package var superentityName: String?
  package var isAbstract = false
  /// The class of its objects: `Module.Class`, `.Class`, or `nil` for NSManagedObject.
  package var className: String?
  /// The renaming identifier (`elementID` in XML); `nil` if it equals the name.
  package var renamingIdentifier: String?
  package var versionHashModifier: String?
  package var attributes: [Attribute] = []
  package var relationships: [Relationship] = []
  package var fetchedProperties: [FetchedProperty] = []
  package var fetchIndexes: [FetchIndex] = []
  /// Compound indexes of the old form: the properties of each.
  package var compoundIndexes: [[String]] = []
  /// The uniqueness constraints, each a list of property names.
  package var uniquenessConstraints: [[String]] = []
  package var userInfo: [UserInfoEntry] = []
  package var extras = ModelExtras()

  package init(name: String, superentityName: String? = nil) {
    self.name = name
    self.superentityName = superentityName
  }
}

extension Entity {
  package func attribute(named name: String) -> Attribute? {
    attributes.first { $0.name == name }
  }

  /// The line of a property in the model file, from 1; 0 if unknown.
  package func line(of property: some Property) -> Int {
    extras.line > 0 ? extras.line + property.extras.line : 0
  }

  package func relationship(named name: String) -> Relationship? {
    relationships.first { $0.name == name }
  }

  func hasRelationship(named name: String) -> Bool {
    relationships.contains { $0.name == name }
  }

  var propertyCount: Int { attributes.count + relationships.count + fetchedProperties.count }

  /// The names of all own properties, in the order of the model.
  package var propertyNames: [String] {
    attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
  }
}

/// A fetch index.
package struct FetchIndex: ModelElement {
  package struct Element: ModelElement {
    /// The indexed property; `nil` if the element indexes an expression.
    package var propertyName: String?
    /// The indexed expression; `SELF` is the object's key.
    package var expressionText: String?
    package var isRTree: Bool
    package var isAscending: Bool
    package var extras = ModelExtras()

    package init(propertyName: String?, isRTree: Bool = false, isAscending: Bool = true) {
      self.propertyName = propertyName
      self.isRTree = isRTree
      self.isAscending = isAscending
    }
  }

  package var name: String
  package var elements: [Element]
  /// The predicate of a partial index, which contains only the matching objects.
  package var predicateText: String?
  /// Whether the compiler also marks the single attribute of an index as indexed, which adds a second index
  /// under the attribute's name. `false` occurs only in archived models.
  package var hasTwin = true
  package var extras = ModelExtras()

  package init(name: String, elements: [Element] = []) {
    self.name = name
    self.elements = elements
  }
}

extension FetchIndex {
  /// Whether it is an ordinary index of one property.
  package var isOfOneProperty: Bool {
    elements.count == 1 && !elements[0].isRTree && elements[0].propertyName != nil
      && predicateText == nil
  }
}
