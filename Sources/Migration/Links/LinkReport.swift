internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// What became of the links of a source relationship and its inverse.
public struct LinkReport: Sendable, Hashable {
  /// Of the source: `Topic.topicList`; of two ends, the one whose entity and name come first.
  public var relationship: String
  /// Links of which both objects are there.
  public var count: Int
  /// Links that led nowhere in the source: no migration takes them along.
  public var dangling: Int
  /// Links of the destination relationships that continue it; `nil` where a policy decides, and until the
  /// links are there.
  public var kept: Int?
  /// Whether an end holds fewer objects than before: which of them Core Data keeps is not known.
  public var isChoice = false

  /// Links that end with the migration.
  public var lost: Int { kept.map { max(0, count - $0) } ?? 0 }
}

/// The relationships of a source model, each with those of the destination that continue it.
struct LinkLedger {
  struct Entry {
    var old: Declared<Relationship>
    var new: [Declared<Relationship>] = []
    /// Whether a policy works on objects at either end.
    var isDecidedByPolicy = false
    /// Whether a rule chooses among its links.
    var isChoice = false
  }

  private(set) var entries: [Entry] = []

  init(_ hop: MigrationPlan.Hop) {
    let (source, destination) = (hop.from.model, hop.to.model)
    var places: [String: Int] = [:]
    for entity in source.entityNames.sorted() {
      for relationship in (source[entity]?.relationships ?? []).sorted(by: { $0.name < $1.name })
      where !relationship.isTransient {
        let end = Declared(property: relationship, declaringEntity: entity)
        let key = Self.key(end)
        guard places[key] == nil else { continue }
        places[key] = entries.count
        if let inverse = source.inverse(of: relationship) {
          places[Self.key(inverse)] = entries.count
        }
        entries.append(Entry(old: end))
      }
    }
    for mapping in hop.entityMappings {
      guard let from = mapping.sourceName, let to = mapping.destinationName else { continue }
      for property in mapping.relationshipMappings {
        guard let new = destination.relationship(property.name, of: to),
          let old = property.expression.flatMap({ RelationshipOrigin($0, in: from, of: source) }),
          let place = places[Self.key(old.relationship)]
        else { continue }
        let isKnown = entries[place].new.contains { known in
          known == new || destination.inverse(of: known.property) == new
        }
        if !isKnown { entries[place].new.append(new) }
        let rule = LinkRule(from: old.relationship, in: source, to: new, in: destination)
        if rule.isSelective { entries[place].isChoice = true }
      }
      guard mapping.policyName != nil else { continue }
      for relationship in source.allRelationships(of: from) {
        guard let place = places[Self.key(relationship)] else { continue }
        entries[place].isDecidedByPolicy = true
      }
    }
  }

  private static func key(_ end: Declared<Relationship>) -> String {
    "\(end.declaringEntity).\(end.property.name)"
  }

  /// How many links each source relationship has, before a migration.
  func counts(_ reader: borrowing StoreReader) throws(StoreError) -> [LinkReport] {
    var reports: [LinkReport] = []
    for entry in entries {
      let count = try reader.linkCount(of: entry.old)
      reports.append(
        LinkReport(
          relationship: Self.key(entry.old), count: count.count, dangling: count.dangling,
          kept: nil, isChoice: entry.isChoice))
    }
    return reports
  }

  /// Adds what the destination has of them.
  func addKept(
    _ reader: borrowing StoreReader, to reports: inout [LinkReport]
  ) throws(StoreError) {
    for (index, entry) in entries.enumerated() where !entry.isDecidedByPolicy {
      var kept = 0
      for new in entry.new { kept = max(kept, try reader.linkCount(of: new).count) }
      reports[index].kept = kept
    }
  }
}
