internal import StrataBase

/// Attributes with a common fate: those connected by copies, or one that is computed, new or lost.
struct AttributeGroup: Sendable {
  var kind: Receipt.PropertyFate.Kind
  var sources: [Receipt.Property] = []
  var destinations: [Receipt.Property] = []
  var conversion: Receipt.Conversion?
  var policy: String?
  /// Whether a stage sets values that it does not compute from the sources.
  var isSetByStage = false
  /// How often each source is copied beyond its first copy, as to several entities.
  var repeats: [Receipt.Property: Int] = [:]

  /// Every attribute of both models, in at least one group.
  static func all(_ routes: PropertyRoutes) -> [AttributeGroup] {
    let copied = connected(routes.copies)
    let (from, to) = (
      Set(routes.copies.map(\.source)), Set(routes.copies.map(\.destination))
    )
    let others = routes.destinations.filter { !to.contains($0) }.map { property in
      guard let computation = routes.computed[property] else {
        return AttributeGroup(kind: .new, destinations: [property])
      }
      return AttributeGroup(
        kind: .computed, sources: computation.sources.sorted(), destinations: [property],
        policy: computation.policy, isSetByStage: computation.isSetByStage)
    }
    let rest = routes.sources.filter { !from.contains($0) && !routes.read.contains($0) }
    return copied + others
      + rest.map { property in
        let policy = routes.searched[property] ?? routes.unknownPolicies[property.entity]
        return AttributeGroup(
          kind: policy == nil ? .lost : .unknown, sources: [property], policy: policy)
      }
  }

  /// The copies, grouped by common sources or destinations.
  private static func connected(_ copies: Set<PropertyRoutes.Copy>) -> [AttributeGroup] {
    let bySource = Dictionary(grouping: copies, by: \.source)
    let byDestination = Dictionary(grouping: copies, by: \.destination)
    var known: Set<Receipt.Property> = []
    return bySource.keys.sorted().compactMap { first in
      guard known.insert(first).inserted else { return nil }
      var group: Set<PropertyRoutes.Copy> = []
      var waiting = [first]
      while let source = waiting.popLast() {
        for copy in bySource[source] ?? [] where group.insert(copy).inserted {
          for other in byDestination[copy.destination] ?? []
          where known.insert(other.source).inserted {
            waiting.append(other.source)
          }
        }
      }
      return AttributeGroup(group)
    }
  }
}

extension AttributeGroup {
  private init(_ copies: Set<PropertyRoutes.Copy>) {
    sources = Set(copies.map(\.source)).sorted()
    destinations = Set(copies.map(\.destination)).sorted()
    let converted = copies.filter { $0.from != $0.to }.min {
      ($0.source, $0.destination) < ($1.source, $1.destination)
    }
    conversion = converted.map { Receipt.Conversion(from: $0.from, to: $0.to) }
    for copy in copies { repeats[copy.source, default: -1] += 1 }
    kind =
      conversion != nil
      ? .converted
      : copies.contains { $0.source.name != $0.destination.name } ? .renamed : .kept
  }
}
