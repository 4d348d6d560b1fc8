public import StrataDiagnostics
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
public import StrataSQLite
public import StrataStore
internal import StrataValues

/// Looks, before a hop, for the values that it loses or truncates.
///
/// What a policy does is not known: nothing is said of what it may read.
///
/// ```swift
/// try LossFinder(hop).losses(in: reader)  // Topic.presenterName is lost in 3 objects
/// ```
public struct LossFinder {
  private let hop: MigrationPlan.Hop

  public init(_ hop: MigrationPlan.Hop) {
    self.hop = hop
  }

  /// - Parameter countsNumbers: Whether numbers are counted too, which a migration does itself.
  /// - Throws: ``StoreError`` where the store cannot be read.
  public func losses(
    in reader: borrowing StoreReader, countsNumbers: Bool = true
  ) throws(StoreError) -> [Finding] {
    var losses: [Finding] = []
    for (entity, mappings) in continuedEntities {
      losses += try letGo(entity, mappings, reader)
      if countsNumbers { losses += try converted(entity, mappings, reader) }
      losses += try narrowed(entity, mappings, reader)
    }
    return losses
  }

  /// The attributes that no entity mapping reads and that have values.
  func unreadAttributes(
    in reader: borrowing StoreReader
  ) throws(StoreError) -> [Finding] {
    var losses: [Finding] = []
    for (entity, mappings) in continuedEntities {
      losses += try letGo(entity, mappings, reader).filter {
        $0.lossRule == .removed(isRelationship: false)
      }
    }
    return losses
  }

  /// The source entities whose objects become others, and their entity mappings: what becomes of whole objects
  /// is counted elsewhere.
  private var continuedEntities: [(entity: String, mappings: [EntityMapping])] {
    hop.from.model.entityNames.compactMap { entity in
      guard hop.from.model[entity]?.isAbstract == false else { return nil }
      let mappings = hop.entityMappings.filter { $0.sourceName == entity }
      return mappings.contains { $0.destinationName != nil } ? (entity, mappings) : nil
    }
  }

  // MARK: Properties that nobody reads

  private func letGo(
    _ entity: String, _ mappings: [EntityMapping], _ reader: borrowing StoreReader
  ) throws(StoreError) -> [Finding] {
    guard let read = readProperties(mappings), let shape = reader.shape(of: entity) else {
      return []
    }
    var losses: [Finding] = []
    for (place, name) in shape.names.enumerated() {
      switch shape.contents[place] {
      case .attribute:
        guard !read.contains(name) else { continue }
      case .toOne:
        // Kept by the other end, where that is read.
        guard !read.contains(name), !isInverseRead(of: name, entity) else { continue }
      case .owner: continue
      }
      let found = try reader.values(
        of: entity, at: place, where: .present, limit: Finding.lossKeyLimit)
      guard found.count > 0 else { continue }
      let isAttribute = shape.contents[place].destination == nil
      losses.append(
        Finding(
          .removed(isRelationship: !isAttribute), entity: entity, property: name,
          count: found.count, keys: found.first.map(\.key)))
    }
    return losses
  }

  /// What the entity mappings of an entity read of its objects; `nil` where that cannot be told.
  private func readProperties(_ mappings: [EntityMapping]) -> ReadPaths? {
    var read = ReadPaths()
    for mapping in mappings where mapping.destinationName != nil {
      guard mapping.policyName == nil else { return nil }
      let copied = CopiedAttributes(mapping, hop)
      for property in mapping.attributeMappings + mapping.relationshipMappings {
        guard let expression = property.expression else { continue }
        guard let paths = expression.pathsOfSource else { return nil }
        if let pairs = copied.pairs(property) {
          for pair in pairs { read.add(pair.old.name.split(separator: ".").map(String.init)) }
        } else {
          for path in paths { read.add(path) }
        }
      }
    }
    return read
  }

  /// Key paths that entity mappings read of an object.
  private struct ReadPaths {
    /// By their first keys.
    private var paths: [String: Set<[String]>] = [:]

    mutating func add(_ path: [String]) {
      if let first = path.first { paths[first, default: []].insert(path) }
    }

    /// Whether a property or an element of a composite attribute is read, or a part of it.
    func contains(_ name: String) -> Bool {
      let keys = name.split(separator: ".").map(String.init)
      return (paths[keys.first ?? ""] ?? []).contains {
        $0.starts(with: keys) || keys.starts(with: $0)
      }
    }
  }

  /// The attributes that an entity mapping copies as they are, with those that they become; of two composite
  /// attributes, the elements that they have in common.
  struct CopiedAttributes {
    typealias Pair = (old: Attribute, new: Attribute)
    private let before: [Substring: [Attribute]]
    private let after: [Substring: [Attribute]]

    init(_ mapping: EntityMapping, _ hop: MigrationPlan.Hop) {
      before = Self.leaves(of: mapping.sourceName, hop.from.model)
      after = Self.leaves(of: mapping.destinationName, hop.to.model)
    }

    /// The stored attributes of an entity by the names of its attributes.
    private static func leaves(
      of entity: String?, _ model: ObjectModel
    ) -> [Substring: [Attribute]] {
      guard let entity else { return [:] }
      return Dictionary(
        grouping: model.allAttributes(of: entity).map(\.property).filter { !$0.isTransient }
          .flatMap { model.storedAttributes(of: $0) }, by: { root(of: $0.name) })
    }

    private static func root(of path: String) -> Substring { path.prefix { $0 != "." } }

    private static func leaves(
      below path: String, among known: [Substring: [Attribute]]
    ) -> [Attribute] {
      (known[root(of: path)] ?? []).filter { $0.name == path || $0.name.hasPrefix(path + ".") }
    }

    /// `nil` for a property mapping that does anything else.
    func pairs(_ mapping: PropertyMapping) -> [Pair]? {
      guard case .keyPath(of: .variable("source"), let keys)? = mapping.expression else {
        return nil
      }
      let path = keys.joined(separator: ".")
      let (old, new) = (
        Self.leaves(below: path, among: before), Self.leaves(below: mapping.name, among: after)
      )
      guard !old.isEmpty, !new.isEmpty,
        old.contains(where: { $0.name == path }) == new.contains(where: { $0.name == mapping.name })
      else { return nil }
      return old.compactMap { leaf in
        new.first { $0.elementPath(in: mapping.name) == leaf.elementPath(in: path) }
          .map { (leaf, $0) }
      }
    }
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
  ) throws(StoreError) -> [Finding] {
    guard let shape = reader.shape(of: entity) else { return [] }
    var losses: [Finding] = []
    for mapping in mappings where mapping.destinationName != nil {
      let copied = CopiedAttributes(mapping, hop)
      for (old, new) in mapping.attributeMappings.flatMap({ copied.pairs($0) ?? [] })
      where old.type != new.type && old.type.isNumber {
        guard let place = shape.place(of: old.name) else { continue }
        for (kind, condition) in new.type.losses(of: shape.columnName(at: place)) {
          let found = try reader.values(
            of: entity, at: place, where: .holds(condition), limit: Finding.lossKeyLimit)
          guard found.count > 0 else { continue }
          losses.append(
            Finding(
              kind, entity: entity, property: old.name, count: found.count,
              keys: found.first.map(\.key)))
        }
      }
    }
    return losses
  }

  // MARK: Relationships

  private func narrowed(
    _ entity: String, _ mappings: [EntityMapping], _ reader: borrowing StoreReader
  ) throws(StoreError) -> [Finding] {
    var losses: [Finding] = []
    for mapping in mappings where mapping.policyName == nil {
      guard let destination = mapping.destinationName else { continue }
      for property in mapping.relationshipMappings {
        guard let paths = property.expression?.pathsOfSource, paths.count == 1,
          let key = paths.first?.first,
          let old = hop.from.model.relationship(key, of: entity), old.property.isToMany,
          let new = hop.to.model.relationship(property.name, of: destination),
          let kind = Self.loss(from: old.property, to: new.property)
        else { continue }
        let found = try reader.ownersOfSeveral(old, among: entity, limit: Finding.lossKeyLimit)
        guard found.count > 0 else { continue }
        losses.append(
          Finding(
            kind, entity: entity, property: key, count: found.count, keys: found.first))
      }
    }
    return losses
  }

  /// What an object with several links loses of a to-many relationship.
  private static func loss(from old: Relationship, to new: Relationship) -> LossRule? {
    guard new.isToMany else { return .narrowed }
    return old.isOrdered && !new.isOrdered ? .unordered : nil
  }
}

extension Expression {
  /// The key paths behind `$source` in any part of the expression; `nil` where it may ask for others too.
  var pathsOfSource: Set<[String]>? {
    switch self {
    case .constant: return []
    case .variable(let name): return name == "manager" ? [] : nil
    case .keyPath(of: .variable("source"), let keys): return keys.isEmpty ? nil : [keys]
    case .keyPath(of: let operand?, _): return operand.pathsOfSource
    case .function(_, let target, let arguments):
      var paths: Set<[String]> = []
      for part in arguments + (target.map { [$0] } ?? []) {
        guard let found = part.pathsOfSource else { return nil }
        paths.formUnion(found)
      }
      return paths
    default: return nil
    }
  }
}
