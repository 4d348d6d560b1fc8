internal import StrataBase
package import StrataMapping
package import StrataObjectModel
package import StrataSQLite

/// An independent check of a migration: it predicts the contents of the destination from the source, in plain
/// SQL, and compares them before the commit.
///
/// It shares no code with the planning and execution of migrations. Docs/PROOF.md lists the errors that it
/// cannot find.
///
/// ```swift
/// let means = Witness.Means(isInferred: true, isInPlace: true)
/// var witness = Witness(parts: [mapping], from: model1, to: model2, means: means)
/// let connection = try SQLiteConnection(path: path, mode: .readWrite)
/// try witness.observeSource(connection)
/// // The migration goes here.
/// try witness.objections(to: connection)  // []
/// ```
package struct Witness: Sendable {
  /// The parameters of the migration.
  package struct Means: Sendable {
    package var isInferred = true
    /// Whether objects keep their keys.
    package var isInPlace = false
    /// Whether values are compared in all rows, regardless of their number.
    package var isComplete = false
    /// Attributes that are changed additionally.
    package var changedAttributes: Set<String> = []

    package init(isInferred: Bool, isInPlace: Bool, isComplete: Bool = false) {
      (self.isInferred, self.isInPlace) = (isInferred, isInPlace)
      self.isComplete = isComplete
    }
  }

  /// The compared and the uncompared properties.
  package struct Receipt: Sendable, Hashable {
    /// The compared properties, such as `Topic.title` and `Topic.books`.
    package var compared: Set<String> = []
    /// The entities of which only a sample of values was compared, with their number of objects.
    package var sampled: [String: Int64] = [:]
    /// The properties that were only checked for consistency, with reasons.
    package var notPredicted: [String: String] = [:]
  }

  /// The maximum number of rows of an entity whose values are all compared; beyond it, a sample is compared.
  package static let limit: Int64 = 100_000
  static let sampleSize: Int64 = 10_000

  let (parts, from, to, means): ([MappingModel], ObjectModel, ObjectModel, Means)
  package internal(set) var receipt = Receipt()
  /// The predicted objects, by destination entity.
  var objects: [String: PredictedObjects] = [:]
  /// The predicted links, by destination relationship; of two ends, the first.
  var links: [String: PredictedLinks] = [:]
  /// The numbers of faults in the source, by kind.
  private var faults: [String: Int64] = [:]
  private var kept: [String: [[AttributeValue]]] = [:]
  private var highest: [String: Int64] = [:]
  private var changes: [String: Int64] = [:]

  /// The entities of which policies have created more objects than predicted.
  var createdMore: Set<String> = []

  let entityMappings: [EntityMapping]
  let hasPolicies: Bool
  /// The indexes of the entity mappings with a source, by destination entity.
  let makersByDestination: [String: [Int]]

  package init(parts: [MappingModel], from: ObjectModel, to: ObjectModel, means: Means) {
    (self.parts, self.from, self.to, self.means) = (parts, from, to, means)
    let mappings = parts.flatMap(\.entityMappings)
    entityMappings = mappings
    hasPolicies = mappings.contains { $0.policyName != nil }
    makersByDestination = Dictionary(
      grouping: mappings.indices.filter {
        mappings[$0].sourceName != nil && mappings[$0].destinationName != nil
      }, by: { mappings[$0].destinationName ?? "" })
  }

  package mutating func observeSource(_ connection: SQLiteConnection) throws(StoreError) {
    let names = try StoreNames(connection, from, isInPlace: means.isInPlace)
    try predictObjects(names)
    let oneSided = try names.oneSidedLinks()
    try predictLinks(names, oneSided: oneSided.map(\.location))
    for fault in try oneSided + (means.isInPlace ? names.faults(isSource: true) : []) {
      faults[fault.kind, default: 0] += fault.count
    }
    if means.isInPlace {
      (kept, highest) = (try names.kept(), try names.highest())
      changes = try names.changes()
    }
  }

  /// Removes the predictions for an entity after a policy has deleted objects of it.
  package mutating func forget(_ entity: String) {
    let reason = "a policy has deleted some objects"
    objects[entity] = nil
    receipt.notPredicted[entity] = reason
    let family = to.lineageNames(of: entity)
    for (name, predicted) in links {
      let end = predicted.end
      guard family.contains(end.declaringEntity) || family.contains(end.property.destinationName)
      else { continue }
      links[name] = nil
      receipt.notPredicted[name] = reason
    }
  }

  package mutating func objections(to connection: SQLiteConnection) throws(StoreError) -> [String] {
    let names = try StoreNames(connection, to, isInPlace: means.isInPlace)
    let found = try names.oneSidedLinks() + names.faults(isSource: false)
    let sums = Dictionary(found.map { ($0.kind, $0.count) }, uniquingKeysWith: +)
    var objections = found.filter { sums[$0.kind] ?? 0 > faults[$0.kind] ?? 0 }
      .map { "\($0.location): \($0.kind): \($0.count)" }
    objections += try objectionsToObjects(names) + objectionsToLinks(names)
    guard means.isInPlace else { return objections.sorted() }
    let (now, reached) = (try names.kept(), try names.highest())
    objections += kept.filter { now[$0.key] != $0.value }.map { "\($0.key) changed" }
    let recorded = try names.changes()
    for mapping in entityMappings {
      guard let new = mapping.destinationName, let old = mapping.sourceName else { continue }
      let (now, then) = (recorded[new] ?? 0, changes[old] ?? 0)
      if now != then {
        objections.append("\(new): \(now) changes in the history instead of \(then)")
      }
    }
    for mapping in entityMappings {
      guard let new = mapping.destinationName, let after = reached[new],
        let before = highest[mapping.sourceName ?? ""], after < before
      else { continue }
      objections.append("\(new): Z_MAX is \(after), and was \(before) before the migration")
    }
    return objections.sorted()
  }
}

extension EntityMapping {
  /// Whether neither a policy nor a filter decides what comes of it.
  var isPlain: Bool { policyName == nil && filter == nil && customSource == nil }
}
