import StrataBase
import StrataObjectModel

extension RandomModel {
  /// What a model may have beyond plain attributes, relationships and one constraint.
  package struct Features: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// One type nests in another; an entity may have two of the same.
    package static let composites = Features(rawValue: 1)
    /// Several, of several properties, of abstract parents.
    package static let constraints = Features(rawValue: 2)
    /// Of several properties, ascending and descending.
    package static let indexes = Features(rawValue: 4)
    /// `relationship.@count`, and an attribute through a to-one relationship.
    package static let derived = Features(rawValue: 8)
    package static let transient = Features(rawValue: 16)
    /// The next version may lead them elsewhere, make a to-one of a to-many, or leave out an inverse.
    package static let relationships = Features(rawValue: 32)
    /// Elements of composites bear the names of attributes beside them.
    package static let namesakes = Features(rawValue: 64)

    package static let all: Features = [
      .composites, .constraints, .indexes, .derived, .transient, .relationships, .namesakes,
    ]
  }

  /// Adds to a model of plain entities what it may have besides.
  static func enrich(
    _ document: inout ModelDocument, with features: Features, using random: inout SeededRandom
  ) throws {
    if features.contains(.composites) {
      let names =
        features.contains(.namesakes)
        ? document.entities.flatMap { $0.attributes.map(\.name) } : []
      document.composites = [
        CompositeType(
          name: "Inner",
          attributes: [
            element("note", .string),
            element(names.randomElement(using: &random) ?? "id", .integer32),
          ]),
        CompositeType(
          name: "Outer",
          attributes: [element("size", .double), composite("inside", of: "Inner")]),
      ]
    }
    for place in document.entities.indices {
      let name = document.entities[place].name
      if features.contains(.composites), Int.random(in: 0..<2, using: &random) == 0 {
        let type = Bool.random(using: &random) ? "Inner" : "Outer"
        document.entities[place].attributes.append(composite("k\(name)", of: type))
      }
      if features.contains(.transient), Int.random(in: 0..<3, using: &random) == 0 {
        document.entities[place].attributes.append(
          Attribute(
            name: "t\(name)", type: Bool.random(using: &random) ? .undefined : .string,
            isOptional: Bool.random(using: &random), isTransient: true))
      }
    }
    for place in document.entities.indices {
      if features.contains(.constraints) { constrain(&document, place, using: &random) }
      if features.contains(.indexes), Bool.random(using: &random) {
        index(&document, place, "by\(document.entities[place].name)", using: &random)
      }
      if features.contains(.derived), Bool.random(using: &random) {
        derive(&document, place, "d\(document.entities[place].name)", using: &random)
      }
    }
  }

  private static func element(_ name: String, _ type: AttributeType) -> Attribute {
    Attribute(name: name, type: type, isOptional: true)
  }

  private static func composite(_ name: String, of type: String) -> Attribute {
    var attribute = element(name, .composite)
    attribute.compositeName = type
    return attribute
  }

  /// The entity and its ancestors.
  private static func lineage(_ document: ModelDocument, _ place: Int) -> [Entity] {
    var found = [document.entities[place]]
    while let parent = found.last?.superentityName,
      let next = document.entities.first(where: { $0.name == parent }), found.count < 10
    {
      found.append(next)
    }
    return found
  }

  private static func constrain(
    _ document: inout ModelDocument, _ place: Int, using random: inout SeededRandom
  ) {
    let attributes = lineage(document, place).flatMap(\.attributes).filter {
      !$0.isTransient && !$0.isDerived && $0.valueRules.isEmpty
        && [.integer32, .integer64, .string, .uuid, .date].contains($0.type)
    }.map(\.name)
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let properties = Array(
        attributes.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
      guard !properties.isEmpty,
        !document.entities[place].uniquenessConstraints.contains(properties)
      else { continue }
      document.entities[place].uniquenessConstraints.append(properties)
    }
  }

  private static func index(
    _ document: inout ModelDocument, _ place: Int, _ name: String,
    using random: inout SeededRandom
  ) {
    let entities = lineage(document, place)
    let attributes = entities.flatMap(\.attributes).filter {
      !$0.isTransient && $0.type != .composite && $0.type != .undefined
    }
    let relationships = entities.flatMap(\.relationships).filter { !$0.isToMany }
    let names = attributes.map(\.name) + relationships.map(\.name)
    let elements = names.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
      .map { FetchIndex.Element(propertyName: $0, isAscending: Bool.random(using: &random)) }
    guard !elements.isEmpty else { return }
    document.entities[place].fetchIndexes.append(FetchIndex(name: name, elements: elements))
  }

  private static func derive(
    _ document: inout ModelDocument, _ place: Int, _ name: String,
    using random: inout SeededRandom
  ) {
    let relationships = document.entities[place].relationships.filter { $0.inverseName != nil }
    guard let relationship = relationships.randomElement(using: &random) else { return }
    var attribute = Attribute(name: name, type: .integer64, isOptional: true)
    attribute.isDerived = true
    attribute.derivation = "\(relationship.name).@count"
    if !relationship.isToMany {
      let destination = document.entities.first { $0.name == relationship.destinationName }
      guard
        let source = destination?.attributes.filter({
          !$0.isTransient && !$0.isDerived && [.string, .integer32, .date].contains($0.type)
        }).randomElement(using: &random)
      else { return }
      attribute.type = source.type
      attribute.derivation = "\(relationship.name).\(source.name)"
    }
    document.entities[place].attributes.append(attribute)
    forgetBrokenDerivations(&document)
  }

  /// Takes derived attributes away whose properties have another name or kind by now: of a count, a to-many
  /// relationship with a to-one inverse.
  static func forgetBrokenDerivations(_ document: inout ModelDocument) {
    let before = document
    for place in document.entities.indices {
      document.entities[place].attributes.removeAll {
        $0.isDerived && !holds($0, of: place, in: before)
      }
    }
  }

  private static func holds(
    _ attribute: Attribute, of place: Int, in document: ModelDocument
  ) -> Bool {
    let path = (attribute.derivation ?? "").split(separator: ".").map(String.init)
    let own = lineage(document, place).flatMap(\.relationships)
    guard path.count == 2, let relationship = own.first(where: { $0.name == path[0] }),
      let target = document.entities.firstIndex(where: {
        $0.name == relationship.destinationName
      })
    else { return false }
    let there = lineage(document, target)
    guard path[1] == "@count" else {
      let source = there.flatMap(\.attributes).first { $0.name == path[1] }
      return !relationship.isToMany && source?.type == attribute.type
        && source?.isTransient == false && source?.isDerived == false
    }
    let inverse = there.flatMap(\.relationships).first { $0.name == relationship.inverseName }
    return relationship.isToMany && inverse?.isToMany == false
  }

  // MARK: The next version

  /// Changes one of the things that ``Features`` names; what does not hold together afterwards, its caller
  /// takes back.
  static func change(
    _ document: inout ModelDocument, _ features: Features, number: Int,
    using random: inout SeededRandom
  ) {
    guard let place = document.entities.indices.randomElement(using: &random) else { return }
    let kinds = [
      Features.composites, .constraints, .indexes, .derived, .transient, .relationships,
    ]
    .filter { features.contains($0) }
    switch kinds.randomElement(using: &random) {
    case .composites?: changeComposite(&document, place, number, using: &random)
    case .constraints?:
      if Bool.random(using: &random) {
        document.entities[place].uniquenessConstraints.removeAll()
      } else {
        constrain(&document, place, using: &random)
      }
    case .indexes?:
      if Bool.random(using: &random) {
        document.entities[place].fetchIndexes.removeAll()
      } else {
        index(&document, place, "more\(number)", using: &random)
      }
      // An index alone no store notices.
      document.entities[place].versionHashModifier = "i\(number)"
    case .derived?:
      if Bool.random(using: &random) {
        document.entities[place].attributes.removeAll(where: \.isDerived)
      } else {
        derive(&document, place, "more\(number)", using: &random)
      }
    case .transient?:
      guard
        let index = document.entities[place].attributes.indices.randomElement(using: &random),
        !document.entities[place].attributes[index].isDerived
      else { return }
      document.entities[place].attributes[index].isTransient.toggle()
    case .relationships?: changeRelationship(&document, place, using: &random)
    default: break
    }
    forgetBrokenDerivations(&document)
  }

  private static func changeComposite(
    _ document: inout ModelDocument, _ place: Int, _ number: Int,
    using random: inout SeededRandom
  ) {
    guard let type = document.composites.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: document.composites[type].attributes.append(element("more\(number)", .double))
    case 1:
      document.composites[type].attributes.removeAll { $0.type != .composite && $0.name != "note" }
    case 2:
      guard
        let index = document.composites[type].attributes.firstIndex(where: { $0.type == .integer32 }
        )
      else { return }
      document.composites[type].attributes[index].type =
        [.integer64, .double, .string].randomElement(using: &random) ?? .double
    case 3:
      document.entities[place].attributes.append(
        composite("more\(number)", of: document.composites[type].name))
    default: document.entities[place].attributes.removeAll { $0.type == .composite }
    }
  }

  private static func changeRelationship(
    _ document: inout ModelDocument, _ place: Int, using random: inout SeededRandom
  ) {
    let entity = document.entities[place]
    guard let index = entity.relationships.indices.randomElement(using: &random) else { return }
    let relationship = entity.relationships[index]
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      document.entities[place].relationships[index].isToMany = false
      document.entities[place].relationships[index].isOrdered = false
    case 1:
      guard relationship.isToMany else { return }
      document.entities[place].relationships[index].isOrdered.toggle()
    case 2:
      // Its inverse goes.
      document.entities[place].relationships[index].inverseName = nil
      for other in document.entities.indices {
        document.entities[other].relationships.removeAll {
          $0.name == relationship.inverseName && $0.inverseName == relationship.name
        }
      }
    default:
      // Both ends must agree on where it leads: the inverse moves along.
      guard let target = document.entities.indices.randomElement(using: &random) else { return }
      for other in document.entities.indices {
        guard
          let inverse = document.entities[other].relationships.first(where: {
            $0.name == relationship.inverseName && $0.inverseName == relationship.name
          })
        else { continue }
        document.entities[other].relationships.removeAll { $0.name == inverse.name }
        document.entities[target].relationships.append(inverse)
      }
      document.entities[place].relationships[index].destinationName = document.entities[target].name
    }
  }
}
