internal import StrataBase
internal import StrataExpressions

/// Computes the version hashes of one model; each property and entity is hashed once.
///
/// Source: `Docs/Facts/version-hash.md`, whose rules are quoted in comments; verified against the hashes that Core
/// Data wrote into real stores.
struct VersionHasher {
  private let model: ObjectModel
  /// The steps of everything hashed so far, in order and each subject once; empty unless recording.
  private(set) var steps: [HashStep] = []
  private var recorded: Set<HashSubject> = []
  /// The current digest; started only after all hashes that it contains are computed.
  private var message: HashMessage
  private(set) var table: HashTable

  /// - Parameter table: The hashes of the model that are already computed.
  init(_ model: ObjectModel, knowing table: HashTable? = nil, recording: Bool = false) {
    self.model = model
    message = HashMessage(recording: recording)
    self.table = table ?? HashTable(count: model.entities.count)
  }

  /// SHA256( name + byte isAbstract + hash of the super-entity? + hash of every persistent attribute
  /// and relationship, inherited ones too, sorted by name + modifier? + each own uniqueness
  /// constraint, its properties joined by ".", the constraints sorted )
  mutating func entityHash(at index: Int) -> VersionHash {
    if let known = table.entities[index] { return known }
    let hash =
      sharedMemory(at: index)?.value { HashTable.RootEntity(hash: computedEntityHash(at: index)) }
      .hash
      ?? computedEntityHash(at: index)
    table.entities[index] = hash
    return hash
  }

  /// The cache that models with this entity share, if the steps of its hashes are not asked for.
  private func sharedMemory(at index: Int) -> ModelMemory? {
    message.isRecording ? nil : model.sharedMemory(ofEntityAt: index)
  }

  private mutating func computedEntityHash(at index: Int) -> VersionHash {
    let entity = model.entities[index]
    let lineage = model.lineage(ofEntityAt: index)
    let parent = lineage.dropFirst().first.map { (model.entities[$0].name, entityHash(at: $0)) }
    var properties = propertyHashes(at: index).map { ($0, owner: index) }
    if lineage.count > 1 {
      for owner in lineage.dropFirst() {
        properties += propertyHashes(at: owner).map { ($0, owner: owner) }
      }
      properties.sort { $0.0.name.precedesInBytes($1.0.name) }
    }

    message.append(entity.name, as: .name, "name")
    message.append(
      UInt8(entity.isAbstract ? 1 : 0), as: .isAbstract,
      entity.isAbstract ? "abstract" : "not abstract")
    if let (name, hash) = parent {
      message.append(hash, of: HashSubject(kind: .entity, owner: name), "parent entity \(name)")
    }
    for (property, owner) in properties { append(property, of: owner, at: index) }
    if let modifier = entity.versionHashModifier, !modifier.isEmpty {
      message.append(modifier, as: .modifier, "hash modifier")
    }
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
    for constraint in constraints.sorted(by: { $0.precedesInBytes($1) }) {
      message.append(constraint, as: .constraint(constraint), "uniqueness constraint")
    }
    let entities = model.entities
    return finish(
      HashSubject(kind: .entity, owner: entity.name),
      omissions: entity.hashOmissions(inheritedFrom: lineage.dropFirst().map { entities[$0] }))
  }

  /// A property in the digest of the entity at `index`.
  private mutating func append(_ property: HashTable.Property, of owner: Int, at index: Int) {
    let declaring = model.entities[owner].name
    message.append(
      property.hash,
      of: HashSubject(kind: property.kind, owner: declaring, property: property.name),
      "\(property.kind.rawValue) \(property.name)"
        + (owner == index ? "" : ", inherited from \(declaring)"))
  }

  /// The hash of an own property of an entity, including transient ones.
  mutating func hash(ofAttribute attribute: Attribute, entity: String) -> VersionHash {
    attributeHash(attribute, kind: .attribute, owner: entity)
  }

  mutating func hash(ofRelationship relationship: Relationship, entity: String) -> VersionHash {
    relationshipHash(relationship, owner: entity)
  }

  /// The hashes of the persistent properties of an entity, including inherited ones, by name.
  mutating func allPropertyHashes(at index: Int) -> [String: VersionHash] {
    var hashes: [String: VersionHash] = [:]
    for owner in model.lineage(ofEntityAt: index) {
      for property in propertyHashes(at: owner) where hashes[property.name] == nil {
        hashes[property.name] = property.hash
      }
    }
    return hashes
  }

  private mutating func propertyHashes(at index: Int) -> [HashTable.Property] {
    if let known = table.ownProperties[index] { return known }
    let entity = model.entities[index]
    let hashes =
      sharedMemory(at: index)?.value {
        HashTable.RootProperties(hashes: computedPropertyHashes(of: entity))
      }
      .hashes ?? computedPropertyHashes(of: entity)
    table.ownProperties[index] = hashes
    return hashes
  }

  private mutating func computedPropertyHashes(of entity: Entity) -> [HashTable.Property] {
    var hashes: [HashTable.Property] = []
    hashes.reserveCapacity(entity.propertyCount)
    // Transient properties and fetched properties are not hashed.
    for attribute in entity.attributes where !attribute.isTransient {
      hashes.append(
        HashTable.Property(
          name: attribute.name, kind: .attribute,
          hash: attributeHash(attribute, kind: .attribute, owner: entity.name)))
    }
    for relationship in entity.relationships where !relationship.isTransient {
      hashes.append(
        HashTable.Property(
          name: relationship.name, kind: .relationship,
          hash: relationshipHash(relationship, owner: entity.name)))
    }
    hashes.sort { $0.name.precedesInBytes($1.name) }
    return hashes
  }

  /// - Parameter kind: An attribute of an entity, or an element of a composite type.
  private mutating func attributeHash(
    _ attribute: Attribute, kind: HashSubject.Kind, owner: String
  ) -> VersionHash {
    let subject = HashSubject(kind: kind, owner: owner, property: attribute.name)
    if let derivation = attribute.parsedDerivation {
      // SHA256( text of the derivation expression ), and nothing else.
      message.append(derivation.canonicalText, as: .derivation, "derivation expression")
    } else if attribute.type == .composite {
      appendElements(ofComposite: attribute.compositeName ?? "")
    } else {
      // SHA256( propertyHash + int32 type + 0x01 if external storage + 0x01 if preserved in history )
      appendCommonPart(of: attribute, subject: subject)
      message.append(
        attribute.type.rawValue, as: .type,
        "type \(attribute.type.name), int32 \(attribute.type.rawValue)")
      if attribute.allowsExternalBinaryStorage {
        message.append(UInt8(1), as: .externalStorage, "allows external binary storage")
      }
      if attribute.preservesValueInHistoryOnDeletion {
        message.append(UInt8(1), as: .preservedInHistory, "preserved in history on deletion")
      }
    }
    return finish(subject, omissions: attribute.hashOmissions)
  }

  /// The hash of each element, sorted by name; the composite attribute itself is not hashed.
  private mutating func appendElements(ofComposite name: String) {
    let elements = (model.composite(named: name)?.attributes ?? [])
      .sorted { $0.name.precedesInBytes($1.name) }
      .map { ($0.name, attributeHash($0, kind: .element, owner: name)) }
    for (element, hash) in elements {
      message.append(
        hash, of: HashSubject(kind: .element, owner: name, property: element),
        "element \(element) of composite \(name)")
    }
  }

  /// SHA256( propertyHash + destination's name + inverse's name? + int32 maxCount + int32 minCount
  /// + int16 1 if ordered )
  private mutating func relationshipHash(
    _ relationship: Relationship, owner: String
  ) -> VersionHash {
    let subject = HashSubject(kind: .relationship, owner: owner, property: relationship.name)
    let isOwnInverse = model.isOwnInverse(relationship, declaredBy: owner)
    appendCommonPart(of: relationship, subject: subject)
    message.append(relationship.destinationName, as: .destination, "destination")
    if let inverse = relationship.inverseName, !isOwnInverse {
      message.append(inverse, as: .inverse, "inverse")
    }
    message.append(
      Int32(clamping: relationship.maxCount), as: .maxCount,
      "max count, int32 \(relationship.maxCount)"
        + (relationship.maxCount <= 0 ? " (no bound)" : ""))
    message.append(
      Int32(clamping: relationship.minCount), as: .minCount,
      "min count, int32 \(relationship.minCount)")
    if relationship.isOrdered {
      message.append(Int16(1), as: .ordered, "ordered, int16 1")
    }
    return finish(subject, omissions: relationship.hashOmissions(isOwnInverse: isOwnInverse))
  }

  /// SHA256( name + int16 flags + modifier? ), the first piece of the digest of `subject`.
  private mutating func appendCommonPart(of property: some Property, subject: HashSubject) {
    // 1 optional, 2 transient. 4 is read-only: only derived attributes are, and they are hashed differently.
    let flags = Int16(property.isOptional ? 1 : 0) | Int16(property.isTransient ? 2 : 0)
    message.append(property.name, as: .name, "name")
    message.append(flags, as: .flags, "flags, int16 \(flags): \(Self.description(of: flags))")
    if let modifier = property.versionHashModifier, !modifier.isEmpty {
      message.append(modifier, as: .modifier, "hash modifier")
    }
    let hash = finish(subject.commonPart, omissions: [])
    message.append(hash, of: subject.commonPart, "common part of the \(subject.kind.rawValue)")
  }

  private static func description(of flags: Int16) -> String {
    let names = [(1, "optional"), (2, "transient")]
      .filter { flags & Int16($0.0) != 0 }.map(\.1)
    return names.isEmpty ? "required" : names.joined(separator: " + ")
  }

  private mutating func finish(
    _ subject: @autoclosure () -> HashSubject, omissions: @autoclosure () -> [HashOmission]
  ) -> VersionHash {
    let (hash, step) = message.finish(subject(), omissions: omissions())
    if let step, recorded.insert(step.subject).inserted { steps.append(step) }
    return hash
  }
}

extension Attribute {
  /// The derivation expression of a derived attribute.
  var parsedDerivation: DerivationExpression? {
    guard isDerived, let derivation else { return nil }
    return DerivationExpression(parsing: derivation)
  }
}
