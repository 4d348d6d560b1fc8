internal import StrataBase

/// What the checks of a model ask of an entity by itself.
struct EntityTraits: Sendable {
  /// The number of its own properties.
  let propertyCount: Int
  /// The bytes of their names.
  let nameSize: Int
  /// Whether the sorted names are distinct; a model with unsorted ones is searched for duplicates.
  let hasPlainlyDistinctNames: Bool
  /// Whether every attribute can be stored, see ``Attribute/problem``.
  let hasSoundAttributes: Bool
  let hasComposites: Bool
  /// Whether a relationship has the name of its inverse.
  let hasOwnInverses: Bool
  /// Whether a property may depend on an unverified rule of the version hash.
  let mayUseUnprovenRules: Bool

  init(_ entity: Entity) {
    propertyCount = entity.propertyCount
    nameSize = entity.propertyNames.reduce(0) { $0 + $1.utf8.count }
    hasPlainlyDistinctNames = Self.hasPlainlyDistinctNames(entity)
    hasSoundAttributes = entity.attributes.allSatisfy { $0.problem == nil }
    hasComposites = entity.attributes.contains { $0.type == .composite }
    hasOwnInverses = entity.relationships.contains { $0.inverseName == $0.name }
    mayUseUnprovenRules =
      hasComposites || hasOwnInverses || !entity.name.isASCII
      || entity.attributes.contains { $0.isDerived || !$0.name.isASCII }
      || !entity.relationships.allSatisfy(\.hasOnlyASCII)
  }

  /// Sorted lists, as written by tools, need no set, which saves a tenth of the time to read a model.
  private static func hasPlainlyDistinctNames(_ entity: Entity) -> Bool {
    let (attributes, relationships) = (entity.attributes, entity.relationships)
    guard entity.fetchedProperties.isEmpty else { return false }
    var (left, right) = (0, 0)
    var last: String?
    while left < attributes.count || right < relationships.count {
      let isAttribute =
        right == relationships.count
        || left < attributes.count
          && attributes[left].name.precedesInBytes(relationships[right].name)
      let name = isAttribute ? attributes[left].name : relationships[right].name
      // Beyond ASCII, other bytes can be the same name.
      if let last, !last.precedesInBytes(name) || !name.isASCII { return false }
      last = name
      if isAttribute { left += 1 } else { right += 1 }
    }
    return true
  }
}

extension Attribute {
  /// Why it cannot be stored; `nil` if it can.
  var problem: ModelError.Problem? {
    if isDerived, derivation == nil { return .missingDerivation }
    return type == .undefined && !isTransient && !isDerived ? .undefinedType : nil
  }
}
