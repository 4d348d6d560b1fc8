package import StrataMapping
package import StrataObjectModel
package import StrataSQLite
internal import StrataValues

/// A second opinion of a migration: it foretells from the source alone, in plain SQL, what the destination
/// must hold, and looks there before anything is committed.
///
/// It shares nothing with what plans and does migrations: neither the layout nor the rule of links. It
/// cannot find what Docs/PROOF.md lists.
///
/// ```swift
/// var witness = Witness(parts: parts, from: old, to: new, means: .init(isInferred: true, isInPlace: true))
/// try witness.observeSource(connection)  // … the migration …
/// try witness.objections(to: connection)  // []
/// ```
package struct Witness {
  /// What it has to know of how the migration is done.
  package struct Means: Sendable {
    package var isInferred = true
    /// Whether objects keep their keys.
    package var isInPlace = false
    /// Whether values are compared in all rows, however many.
    package var isComplete = false
    /// Attributes that are changed besides.
    package var changedAttributes: Set<String> = []

    package init(isInferred: Bool, isInPlace: Bool) {
      (self.isInferred, self.isInPlace) = (isInferred, isInPlace)
    }
  }

  /// What was compared, and what could not be.
  package struct Receipt: Sendable, Hashable {
    /// `Topic.title`, `Topic.books`.
    package var compared: Set<String> = []
    /// Rows of which a sample of the values was compared, by entity.
    package var sampled: [String: Int] = [:]
    /// What was checked for inner consistency alone, and why.
    package var notForetold: [String: String] = [:]
  }

  /// The rows of an entity whose values are compared one by one; of more, a sample.
  static let limit = 100_000
  static let sampleSize = 10_000

  let (parts, from, to, means): ([MappingModel], ObjectModel, ObjectModel, Means)
  package internal(set) var receipt = Receipt()
  /// By destination entity.
  var objects: [String: ForetoldObjects] = [:]
  /// By destination relationship: of two ends, the one that continues links.
  var links: [String: ForetoldLinks] = [:]
  /// What was wrong in the source already, by kind.
  private var faults: [String: Int] = [:]
  private var highestKeys: [String: Int64] = [:]
  private var kept: [String: [[AttributeValue]]] = [:]

  package init(parts: [MappingModel], from: ObjectModel, to: ObjectModel, means: Means) {
    (self.parts, self.from, self.to, self.means) = (parts, from, to, means)
  }

  var entityMappings: [EntityMapping] { parts.flatMap(\.entityMappings) }

  /// - Parameter schema: The name under which the connection has the source.
  package mutating func observeSource(
    _ connection: SQLiteConnection, schema: String = "main"
  ) throws(StoreError) {
    let names = try StoreNames(connection, schema, from)
    try foretellObjects(connection, names)
    try foretellLinks(connection, names)
    guard means.isInPlace else { return }
    for fault in try names.faults(connection) { faults[fault.kind, default: 0] += fault.count }
    for entity in from.entityNames {
      highestKeys[entity] = try names.highestKey(connection, of: entity)
    }
    kept = try names.keptRows(connection)
  }

  package mutating func objections(to connection: SQLiteConnection) throws(StoreError) -> [String] {
    let names = try StoreNames(connection, "main", to)
    let found = try names.faults(connection)
    var sums: [String: Int] = [:]
    for fault in found { sums[fault.kind, default: 0] += fault.count }
    var objections = found.filter { sums[$0.kind, default: 0] > faults[$0.kind, default: 0] }
      .map { "\($0.place): \($0.count) \($0.kind)" }
    objections += try objectionsToObjects(connection, names)
    objections += try objectionsToLinks(connection, names)
    guard means.isInPlace else { return objections }
    for mapping in entityMappings {
      guard let old = mapping.sourceName, let new = mapping.destinationName,
        from[old]?.superentityName == nil, to[new]?.superentityName == nil,
        let before = highestKeys[old], try names.highestKey(connection, of: new) ?? 0 < before
      else { continue }
      objections.append("\(new): its highest key was \(before), and is lower now")
    }
    let now = try names.keptRows(connection)
    for (name, rows) in kept where now[name] != rows { objections.append("\(name) has changed") }
    return objections.sorted()
  }
}
