internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataStepping

extension ConditionScope {
  /// `$source` and `$destination` in a hop. A key without a variable belongs to the destination object, or to the
  /// source object if there is none.
  init(_ hop: MigrationPlan.Hop, source: String?, destination: String?) {
    self.init()
    if let source { variables["source"] = Entity(name: source, model: hop.from.model) }
    if let destination { variables["destination"] = Entity(name: destination, model: hop.to.model) }
    object = variables["destination"] ?? variables["source"]
  }
}

extension Stepper {
  /// The objects of the first entity mapping that matches.
  func conditionScope(where matches: (EntityMapping) -> Bool) -> ConditionScope? {
    for hop in hops {
      guard let mapping = hop.entityMappings.first(where: matches) else { continue }
      return ConditionScope(
        hop, source: mapping.sourceName, destination: mapping.destinationName)
    }
    return nil
  }

  /// The current objects.
  var conditionScope: ConditionScope? {
    guard let location = try? location, let (source, destination) = try? currentObjects() else {
      return nil
    }
    return ConditionScope(
      hops[location.hop - 1], source: source?.entity, destination: destination?.entity)
  }
}
