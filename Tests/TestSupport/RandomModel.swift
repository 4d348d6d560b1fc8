package import StrataBase
package import StrataObjectModel

/// Models of every shape, the same for the same seed: hierarchies, all types, all kinds of relationships.
package enum RandomModel {
  /// - Parameter features: What it may have beyond plain attributes, relationships and one constraint;
  ///   without any, a seed gives the model that it has always given.
  package static func make(
    features: Features = [], using random: inout SeededRandom
  ) throws -> ObjectModel {
    var entities = (0..<Int.random(in: 1...5, using: &random)).map { Entity(name: "E\($0)") }
    for index in entities.indices {
      if index > 0, Int.random(in: 0..<3, using: &random) == 0 {
        entities[index].superentityName = "E\(Int.random(in: 0..<index, using: &random))"
      }
      entities[index].attributes = attributes(of: index, using: &random)
      if let first = entities[index].attributes.first(where: { isKeyLike($0) }),
        Int.random(in: 0..<3, using: &random) == 0
      {
        entities[index].uniquenessConstraints = [[first.name]]
      }
      entities[index].isAbstract = index == 0 && Bool.random(using: &random)
    }
    for number in 0..<Int.random(in: 0...6, using: &random) {
      relate(number, &entities, using: &random)
    }
    var document = ModelDocument(entities: entities, versionIdentifiers: ["1"])
    if !features.isEmpty { try enrich(&document, with: features, using: &random) }
    return try ObjectModel(document)
  }

  private static func isKeyLike(_ attribute: Attribute) -> Bool {
    [.integer32, .string, .uuid].contains(attribute.type) && attribute.valueRules.isEmpty
  }

  private static func attributes(
    of index: Int, using random: inout SeededRandom
  ) -> [Attribute] {
    let types: [AttributeType] = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
      .binary, .uuid, .uri, .transformable,
    ]
    return (0..<Int.random(in: 0...6, using: &random)).map { number in
      var attribute = Attribute(
        name: "a\(index)\(number)\(["", "Name", "name2"].randomElement(using: &random) ?? "")",
        type: types.randomElement(using: &random) ?? .string,
        isOptional: Bool.random(using: &random))
      switch attribute.type {
      case .integer16, .integer32, .double:
        if Bool.random(using: &random) {
          attribute.extras.attributes["minValueString"] = "-5"
          attribute.extras.attributes["maxValueString"] = "120"
        }
      case .string:
        if Bool.random(using: &random) {
          attribute.extras.attributes["minValueString"] = "2"
          attribute.extras.attributes["maxValueString"] = "12"
        } else if Int.random(in: 0..<4, using: &random) == 0 {
          attribute.extras.attributes["regularExpressionString"] = "[0-9]+"
        }
      case .binary: attribute.allowsExternalBinaryStorage = Bool.random(using: &random)
      default: break
      }
      return attribute
    }
  }

  /// Adds a relationship, with or without an inverse.
  private static func relate(
    _ number: Int, _ entities: inout [Entity], using random: inout SeededRandom
  ) {
    let from = Int.random(in: entities.indices, using: &random)
    let to = Int.random(in: entities.indices, using: &random)
    var forward = Relationship(
      name: "r\(number)", destinationName: entities[to].name, isOptional: true,
      isToMany: Bool.random(using: &random))
    forward.isOrdered = forward.isToMany && Bool.random(using: &random)
    guard Int.random(in: 0..<5, using: &random) > 0 else {
      entities[from].relationships.append(forward)
      return
    }
    var back = Relationship(
      name: "q\(number)", destinationName: entities[from].name, isOptional: true,
      isToMany: Bool.random(using: &random))
    back.isOrdered = back.isToMany && Bool.random(using: &random)
    // A required to-one end and a count that the other end can give.
    if !forward.isToMany, back.isToMany, from != to, to != 0 {
      forward.isOptional = Bool.random(using: &random)
    }
    forward.inverseName = back.name
    back.inverseName = forward.name
    entities[from].relationships.append(forward)
    entities[to].relationships.append(back)
  }
}
