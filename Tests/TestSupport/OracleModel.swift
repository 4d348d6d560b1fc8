import StrataBase
package import StrataObjectModel

/// A model as `Tests/Oracle` is told of it: what its author wrote, and nothing that Strata works out.
package struct OracleModel: Encodable, Sendable {
  private struct Entity: Encodable {
    var name: String
    var parent: String?
    var isAbstract: Bool
    var attributes: [Attribute]
    var relationships: [Relationship]
    var constraints: [[String]]
  }

  private struct Attribute: Encodable {
    var name: String
    var type: String
    var isOptional: Bool
    var isTransient: Bool
    var isExternal: Bool
    var derivation: String?
    var composite: String?

    init(_ attribute: StrataObjectModel.Attribute) {
      name = attribute.name
      type = attribute.type.name
      isOptional = attribute.isOptional
      isTransient = attribute.isTransient
      isExternal = attribute.allowsExternalBinaryStorage
      derivation = attribute.isDerived ? attribute.derivation : nil
      composite = attribute.compositeName
    }
  }

  private struct Relationship: Encodable {
    var name: String
    var destination: String
    var isToMany: Bool
    var isOrdered: Bool
    var isOptional: Bool
    var isTransient: Bool
    var inverse: String?

    init(_ relationship: StrataObjectModel.Relationship) {
      name = relationship.name
      destination = relationship.destinationName
      isToMany = relationship.isToMany
      isOrdered = relationship.isToMany && relationship.isOrdered
      isOptional = relationship.isOptional
      isTransient = relationship.isTransient
      inverse = relationship.inverseName
    }
  }

  private var entities: [Entity]
  private var composites: [String: [Attribute]]

  package init(_ model: ObjectModel) {
    let document = model.document
    entities = document.entities.map { entity in
      Entity(
        name: entity.name, parent: entity.superentityName, isAbstract: entity.isAbstract,
        attributes: entity.attributes.map { Attribute($0) },
        relationships: entity.relationships.map { Relationship($0) },
        constraints: entity.uniquenessConstraints)
    }
    composites = Dictionary(
      document.composites.map { ($0.name, $0.attributes.map { Attribute($0) }) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension ObjectModel {
  /// This model with an attribute in which every object has a value of its own: by it, `Tests/Oracle` knows
  /// an object again.
  package func marked() throws -> ObjectModel {
    var document = document
    for place in document.entities.indices where document.entities[place].superentityName == nil {
      document.entities[place].attributes.append(
        Attribute(name: "marker", type: .string, isOptional: true))
    }
    return try ObjectModel(document)
  }
}
