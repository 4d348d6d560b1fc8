internal import StrataBase
internal import StrataMigration

/// What the report of a hop counts as lost: objects of an entity, or values, links or the order of a property.
struct ReportedLoss {
  enum Kind {
    case objects, values, links, order
  }

  var kind: Kind
  /// `nil` for objects of unknown entities.
  var entity: String?
  /// `nil` for the objects themselves.
  var property: String?
  var count: Int
  /// How many of them are truncated or rounded, not lost.
  var truncatedCount = 0

  /// What is counted.
  var unit: String {
    switch kind {
    case .objects, .order: "object"
    case .values: "value"
    case .links: "link"
    }
  }
}

extension MigrationReport {
  /// The losses of properties, then those of entities; what is lost with its objects counts with them.
  var reportedLosses: [ReportedLoss] {
    let unread = isPart ? [] : unmapped.map { ($0.entity, $0.count) }
    let properties = receipt.properties.filter { !$0.isLostWithObjects }.flatMap { fate in
      let property = fate.sources.first ?? fate.destinations.first
      return [
        ReportedLoss(
          kind: fate.isRelationship ? .links : .values, entity: property?.entity,
          property: property?.name,
          count: fate.lost.count + fate.truncated.count + fate.rounded.count,
          truncatedCount: fate.truncated.count + fate.rounded.count)
      ]
        + fate.unordered.map {
          ReportedLoss(
            kind: .order, entity: $0.relationship.entity, property: $0.relationship.name,
            count: $0.objects.count)
        }
    }
    let ofScripts = deleted.map { ($0.entity, $0.affected.count) }
    let objects = (entities.map { ($0.sourceEntity, $0.lost) } + unread + ofScripts).map {
      ReportedLoss(kind: .objects, entity: $0.0, property: nil, count: $0.1)
    }
    return (properties + objects).filter { $0.count > 0 }
  }
}
