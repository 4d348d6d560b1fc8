internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
public import StrataSQLite
public import StrataStore
internal import StrataValues

/// Looks, before a hop, for the values that it will let go or cut.
///
/// What a policy does is not known: nothing is said of what it may read.
///
/// ```swift
/// try LossFinder(hop).losses(in: reader)  // Topic.presenterName is let go in 3 objects
/// ```
public struct LossFinder {
  private let hop: MigrationPlan.Hop

  public init(_ hop: MigrationPlan.Hop) {
    self.hop = hop
  }

  /// - Throws: ``StoreError`` where the store cannot be read.
  public func losses(in reader: borrowing StoreReader) throws(StoreError) -> [ValueLoss] {
    var losses: [ValueLoss] = []
    for entity in hop.from.model.entityNames where hop.from.model[entity]?.isAbstract == false {
      let mappings = hop.entityMappings.filter { $0.sourceName == entity }
      // What becomes of whole objects is counted elsewhere.
      guard mappings.contains(where: { $0.destinationName != nil }) else { continue }
      losses += try letGo(entity, mappings, reader)
      losses += try converted(entity, mappings, reader)
      losses += try narrowed(entity, mappings, reader)
    }
    return losses
  }

  // MARK: Properties that nobody reads

  private func letGo(
    _ entity: String, _ mappings: [EntityMapping], _ reader: borrowing StoreReader
  ) throws(StoreError) -> [ValueLoss] {
    guard let read = readProperties(mappings), let shape = reader.shape(of: entity) else {
      return []
    }
    let owners = hop.from.model.attributesByStoredName(of: entity)
    var losses: [ValueLoss] = []
    for (place, name) in shape.names.enumerated() {
      switch shape.contents[place] {
      case .attribute:
        if read.contains(owners[name]?.name ?? name) { continue }
      case .toOne:
        // Kept by the other end, where that is read.
        guard !read.contains(name), !isInverseRead(of: name, entity) else { continue }
      case .owner: continue
      }
      let found = try reader.values(
        of: entity, at: place, where: .present, limit: ValueLoss.sampleLimit)
      guard found.count > 0 else { continue }
      let isAttribute = shape.contents[place].destination == nil
      losses.append(
        ValueLoss(
          entity: entity, property: name, kind: .letGo, count: found.count,
          samples: found.first.map {
            ValueLoss.Sample(key: $0.key, value: isAttribute ? $0.value : nil)
          }))
    }
    return losses
  }

  /// What the entity mappings of an entity read of its objects; `nil` where that cannot be told.
  private func readProperties(_ mappings: [EntityMapping]) -> Set<String>? {
    var read: Set<String> = []
    for mapping in mappings where mapping.destinationName != nil {
      guard mapping.policyName == nil else { return nil }
      for property in mapping.attributeMappings + mapping.relationshipMappings {
        guard let expression = property.expression else { continue }
        guard let keys = expression.keysOfSource else { return nil }
        read.formUnion(keys)
      }
    }
    return read
  }

  private func isInverseRead(of name: String, _ entity: String) -> Bool {
    guard let relationship = hop.from.model.relationship(name, of: entity),
      let inverse = hop.from.model.inverse(of: relationship.property)
    else { return false }
    let mappings = hop.entityMappings.filter {
      $0.sourceName == relationship.property.destinationName
    }
    return readProperties(mappings)?.contains(inverse.property.name) ?? true
  }

  // MARK: Conversions

  private func converted(
    _ entity: String, _ mappings: [EntityMapping], _ reader: borrowing StoreReader
  ) throws(StoreError) -> [ValueLoss] {
    guard let shape = reader.shape(of: entity) else { return [] }
    var losses: [ValueLoss] = []
    for mapping in mappings {
      guard let destination = mapping.destinationName else { continue }
      let leaves = hop.to.model.attributesByStoredName(of: destination)
      for property in mapping.attributeMappings {
        guard let expression = property.expression,
          case .keyPath(of: .variable("source"), let keys) = expression, keys.count == 1,
          let place = shape.place(of: keys[0]), case .attribute(let old) = shape.contents[place],
          let new = leaves[property.name], old.type != new.type
        else { continue }
        guard old.type.isNumber else { continue }
        for (kind, condition) in new.type.losses(of: shape.columnName(at: place)) {
          let found = try reader.values(
            of: entity, at: place, where: .holds(condition), limit: ValueLoss.sampleLimit)
          guard found.count > 0 else { continue }
          losses.append(
            ValueLoss(
              entity: entity, property: keys[0], kind: kind, count: found.count,
              samples: found.first.map { ValueLoss.Sample(key: $0.key, value: $0.value) }))
        }
      }
    }
    return losses
  }

  // MARK: Relationships

  private func narrowed(
    _ entity: String, _ mappings: [EntityMapping], _ reader: borrowing StoreReader
  ) throws(StoreError) -> [ValueLoss] {
    var losses: [ValueLoss] = []
    for mapping in mappings where mapping.policyName == nil {
      guard let destination = mapping.destinationName else { continue }
      for property in mapping.relationshipMappings {
        guard let keys = property.expression?.keysOfSource, keys.count == 1, let key = keys.first,
          let old = hop.from.model.relationship(key, of: entity), old.property.isToMany,
          let new = hop.to.model.relationship(property.name, of: destination),
          !new.property.isToMany
        else { continue }
        let found = try reader.ownersOfSeveral(old, limit: ValueLoss.sampleLimit)
        guard found.count > 0 else { continue }
        losses.append(
          ValueLoss(
            entity: entity, property: key, kind: .narrowed, count: found.count,
            samples: found.first.map { ValueLoss.Sample(key: $0, value: nil) }))
      }
    }
    return losses
  }
}

extension Expression {
  /// The first keys behind `$source` in any part of the expression; `nil` where it may ask for others too.
  fileprivate var keysOfSource: Set<String>? {
    switch self {
    case .constant: return []
    case .variable(let name): return name == "manager" ? [] : nil
    case .keyPath(of: .variable("source"), let keys): return keys.first.map { [$0] }
    case .keyPath(of: let operand?, _): return operand.keysOfSource
    case .function(_, let target, let arguments):
      var keys: Set<String> = []
      for part in arguments + (target.map { [$0] } ?? []) {
        guard let found = part.keysOfSource else { return nil }
        keys.formUnion(found)
      }
      return keys
    default: return nil
    }
  }
}
