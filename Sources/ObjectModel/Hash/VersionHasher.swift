internal import StrataExpressions
internal import StrataValues

/// Computes the version hashes of one model, each property and entity once.
///
/// Source: facts on version hashes, whose rules stand here as the comments of the code; checked
/// against the hashes that Core Data wrote into real stores.
struct VersionHasher {
  private let model: ObjectModel
  /// The steps of everything hashed so far, in order; empty unless recording.
  private(set) var steps: [HashStep] = []
  /// The digest at hand: begun only when every hash that goes into it is there.
  private var message: HashMessage
  private var entityHashes: [VersionHash?]
  /// The persistent own properties of each entity, by name.
  private var ownProperties: [[HashedProperty]?]

  private struct HashedProperty {
    enum Kind: String {
      case attribute
      case relationship
    }

    var name: String
    var kind: Kind
    var hash: VersionHash
    /// The place of the entity that declares it.
    var owner: Int
  }

  init(_ model: ObjectModel, recording: Bool = false) {
    self.model = model
    message = HashMessage(recording: recording)
    entityHashes = Array(repeating: nil, count: model.entities.count)
    ownProperties = Array(repeating: nil, count: model.entities.count)
  }

  /// SHA256( name + byte isAbstract + hash of the super-entity? + hash of every persistent attribute
  /// and relationship, inherited ones too, sorted by name + modifier? + each own uniqueness
  /// constraint, its properties joined by ".", the constraints sorted )
  mutating func entityHash(at place: Int) -> VersionHash {
    if let known = entityHashes[place] { return known }
    let entity = model.entities[place]
    let lineage = model.lineage(ofPlace: place)
    let parent = lineage.dropFirst().first.map { (model.entities[$0].name, entityHash(at: $0)) }
    var properties = propertyHashes(at: place)
    if lineage.count > 1 {
      for owner in lineage.dropFirst() { properties += propertyHashes(at: owner) }
      properties.sort { $0.name.precedesInBytes($1.name) }
    }

    message.append(entity.name, "name")
    message.append(
      UInt8(entity.isAbstract ? 1 : 0), entity.isAbstract ? "abstract" : "not abstract")
    if let (name, hash) = parent {
      message.append(hash, "hash of the parent \(name)")
    }
    for property in properties {
      message.append(
        property.hash,
        "\(property.kind.rawValue) \(property.name)"
          + (property.owner == place
            ? "" : ", inherited from \(model.entities[property.owner].name)")
      )
    }
    if let modifier = entity.versionHashModifier, !modifier.isEmpty {
      message.append(modifier, "hash modifier")
    }
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
    for constraint in constraints.sorted(by: { $0.precedesInBytes($1) }) {
      message.append(constraint, "uniqueness constraint")
    }
    let hash = finish("entity \(entity.name)")
    entityHashes[place] = hash
    return hash
  }

  /// The hash of an own property of an entity, transient ones too.
  mutating func hash(ofAttribute attribute: Attribute, entity: String) -> VersionHash {
    attributeHash(attribute, owner: entity)
  }

  mutating func hash(ofRelationship relationship: Relationship, entity: String) -> VersionHash {
    relationshipHash(relationship, owner: entity)
  }

  /// The hashes of the persistent properties of an entity, inherited ones too, by name.
  mutating func allPropertyHashes(at place: Int) -> [String: VersionHash] {
    var hashes: [String: VersionHash] = [:]
    for owner in model.lineage(ofPlace: place) {
      for property in propertyHashes(at: owner) where hashes[property.name] == nil {
        hashes[property.name] = property.hash
      }
    }
    return hashes
  }

  private mutating func propertyHashes(at place: Int) -> [HashedProperty] {
    if let known = ownProperties[place] { return known }
    let entity = model.entities[place]
    var hashes: [HashedProperty] = []
    hashes.reserveCapacity(entity.propertyCount)
    // Transient properties and fetched properties are left out.
    for attribute in entity.attributes where !attribute.isTransient {
      hashes.append(
        HashedProperty(
          name: attribute.name, kind: .attribute,
          hash: attributeHash(attribute, owner: entity.name), owner: place))
    }
    for relationship in entity.relationships where !relationship.isTransient {
      hashes.append(
        HashedProperty(
          name: relationship.name, kind: .relationship,
          hash: relationshipHash(relationship, owner: entity.name), owner: place))
    }
    hashes.sort { $0.name.precedesInBytes($1.name) }
    ownProperties[place] = hashes
    return hashes
  }

  private mutating func attributeHash(_ attribute: Attribute, owner: String) -> VersionHash {
    let subject = { "attribute \(attribute.name) of \(owner)" }
    if let derivation = attribute.parsedDerivation {
      // SHA256( text of the derivation expression ): nothing else goes in.
      message.append(derivation.canonicalText, "derivation expression")
      return finish(subject())
    }
    if attribute.type == .composite {
      // SHA256( hash of each element, sorted by name ): nothing of the attribute itself goes in.
      let name = attribute.compositeName ?? ""
      let elements = (model.composite(named: name)?.attributes ?? [])
        .sorted { $0.name.precedesInBytes($1.name) }
        .map { ($0.name, attributeHash($0, owner: name)) }
      for (element, hash) in elements {
        message.append(hash, "element \(element) of the composite \(name)")
      }
      return finish(subject())
    }
    // SHA256( propertyHash + int32 type + 0x01 if external storage + 0x01 if preserved in history )
    let common = propertyHash(attribute, subject: subject())
    message.append(common, "the property's hash, above")
    message.append(
      attribute.type.rawValue, "type \(attribute.type.name), int32 \(attribute.type.rawValue)")
    if attribute.allowsExternalBinaryStorage {
      message.append(UInt8(1), "allows external binary storage")
    }
    if attribute.preservesValueInHistoryOnDeletion {
      message.append(UInt8(1), "preserved in history on deletion")
    }
    return finish(subject())
  }

  /// SHA256( propertyHash + destination's name + inverse's name? + int32 maxCount + int32 minCount
  /// + int16 1 if ordered )
  private mutating func relationshipHash(
    _ relationship: Relationship, owner: String
  ) -> VersionHash {
    let subject = { "relationship \(relationship.name) of \(owner)" }
    let common = propertyHash(relationship, subject: subject())
    message.append(common, "the property's hash, above")
    message.append(relationship.destinationName, "destination")
    if let inverse = relationship.inverseName,
      !model.isOwnInverse(relationship, declaredBy: owner)
    {
      message.append(inverse, "inverse")
    }
    message.append(
      Int32(clamping: relationship.maxCount),
      "max count, int32 \(relationship.maxCount)"
        + (relationship.maxCount <= 0 ? " (no bound)" : ""))
    message.append(
      Int32(clamping: relationship.minCount), "min count, int32 \(relationship.minCount)")
    if relationship.isOrdered {
      message.append(Int16(1), "ordered, int16 1")
    }
    return finish(subject())
  }

  /// SHA256( name + int16 flags + modifier? )
  private mutating func propertyHash(
    _ property: some Property, subject: @autoclosure () -> String
  ) -> VersionHash {
    // 1 optional, 2 transient. 4 is read-only: only derived attributes are, and they hash otherwise.
    let flags = Int16(property.isOptional ? 1 : 0) | Int16(property.isTransient ? 2 : 0)
    message.append(property.name, "name")
    message.append(flags, "flags, int16 \(flags): \(Self.words(flags))")
    if let modifier = property.versionHashModifier, !modifier.isEmpty {
      message.append(modifier, "hash modifier")
    }
    return finish("property of \(subject())")
  }

  private static func words(_ flags: Int16) -> String {
    let words = [(1, "optional 1"), (2, "transient 2")]
      .filter { flags & Int16($0.0) != 0 }.map(\.1)
    return words.isEmpty ? "none" : words.joined(separator: " + ")
  }

  private mutating func finish(_ subject: @autoclosure () -> String) -> VersionHash {
    let (hash, step) = message.finish(subject())
    if let step { steps.append(step) }
    return hash
  }
}

extension Attribute {
  /// What a derived attribute is computed from.
  var parsedDerivation: DerivationExpression? {
    guard isDerived, let derivation else { return nil }
    return DerivationExpression(parsing: derivation)
  }
}
