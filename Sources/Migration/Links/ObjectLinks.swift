internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// The links of each object that a ``KeptLinkRule`` keeps, for migrations object by object.
///
/// The result depends only on the source and the association tables, so it is consistent for both ends.
struct ObjectLinks {
  private let rule: KeptLinkRule
  private let old: Declared<Relationship>
  private let new: Declared<Relationship>
  private unowned let manager: PassManager
  /// The entity mappings of the two ends.
  private let owners: [String]
  private let readers: [String]

  /// - Returns: `nil` if the rule keeps every link.
  init?(
    _ origin: RelationshipOrigin, to new: Declared<Relationship>, _ manager: PassManager
  ) {
    rule = KeptLinkRule(
      from: origin.relationship, in: manager.sourceModel.model, to: new,
      in: manager.destinationModel.model)
    guard rule.isSelective else { return nil }
    old = origin.relationship
    self.new = new
    self.manager = manager
    owners = manager.owners(of: new, from: old)
    readers = manager.readers(
      of: old, to: new.property.destinationName, named: origin.mappingName)
  }

  /// The source objects of an object's relationship whose links are kept.
  func kept(of source: Int64) throws -> [Int64] {
    var kept: [Int64] = []
    for other in try candidates(of: source) where try keeps(source, other) { kept.append(other) }
    return kept
  }

  private func keeps(_ own: Int64, _ other: Int64) throws -> Bool {
    guard !rule.isSymmetric else {
      guard rule.isOneToOne else { return true }
      return try candidates(of: own).first == other && candidates(of: other).first == own
    }
    if rule.ownChoosesFirst {
      guard try isFirstOther(other, of: own, { _ in true }) else { return false }
      return try isFirstOwn(own, of: other) { try isFirstOther(other, of: $0) { _ in true } }
    }
    guard try isFirstOwn(own, of: other, { _ in true }) else { return false }
    return try isFirstOther(other, of: own) { try isFirstOwn(own, of: $0) { _ in true } }
  }

  private func isFirstOther(
    _ other: Int64, of own: Int64, _ isCandidate: (Int64) throws -> Bool
  ) throws -> Bool {
    guard rule.keepsFirstOther else { return true }
    return try candidates(of: own).first(where: isCandidate) == other
  }

  private func isFirstOwn(
    _ own: Int64, of other: Int64, _ isCandidate: (Int64) throws -> Bool
  ) throws -> Bool {
    guard rule.keepsFirstOwn else { return true }
    return try inverseCandidates(of: other).first(where: isCandidate) == own
  }

  /// The migrated objects at the other end, in order.
  private func candidates(of own: Int64) throws -> [Int64] {
    var found = try manager.source.reader.destinations(of: old, from: own)
    if rule.isSymmetric {
      found = Set(found + (try manager.source.reader.owners(of: old, to: own))).sorted()
    }
    let root = manager.sourceModel.model.rootName(of: old.property.destinationName)
    return try found.filter { try survives($0, root, readers) }
  }

  private func inverseCandidates(of other: Int64) throws -> [Int64] {
    let root = manager.sourceModel.model.rootName(of: old.declaringEntity)
    return try manager.source.reader.owners(of: old, to: other).filter {
      try survives($0, root, owners)
    }
  }

  private func survives(_ key: Int64, _ root: String, _ mappings: [String]) throws -> Bool {
    let identity = ObjectIdentity(rootEntity: root, key: key)
    return try mappings.contains {
      try !manager.associations.destinations(of: identity, in: $0).isEmpty
    }
  }
}
