internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

extension MappingLint {
  /// Checks the filters of all entity mappings of each source entity together.
  mutating func checkFilters() {
    var unclear: Set<String> = []
    var groups: [String: [(mapping: EntityMapping, part: Int, predicate: Predicate?)]] = [:]
    for (index, part) in parts.enumerated() {
      for mapping in part.entityMappings {
        guard let name = mapping.sourceName, source.model[name] != nil else { continue }
        // Its accepted objects are unknown, so the remaining objects are unknown too.
        if let objects = mapping.customSource { add(.customSource(objects.text), mapping) }
        guard mapping.customSource == nil, let predicate = predicate(of: mapping, entity: name)
        else {
          unclear.insert(name)
          continue
        }
        groups[name, default: []].append((mapping, index, predicate))
      }
    }
    for (entity, group) in groups.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      guard group.count > 1 || group.contains(where: { $0.mapping.filter != nil }) else { continue }
      let predicates = group.map { $0.predicate ?? .constant(true) }
      let witnesses = witnesses(of: predicates, entity: entity)
      if !unclear.contains(entity) {
        let gaps = witnesses.examples { !$0.contains(true) }
        if gaps.isEmpty {
          checkDiversion(group.map(\.mapping), witnesses, entity: entity)
        } else {
          add(.gap(entity: entity, examples: gaps))
        }
      }
      checkOverlaps(group.map { ($0.mapping, $0.part) }, witnesses, entity: entity)
    }
  }

  /// Checks whether some objects migrate only to another entity.
  mutating func checkDiversion(
    _ group: [EntityMapping], _ witnesses: FilterWitnesses, entity: String
  ) {
    let pairs = ModelMatching(from: source, to: destination).entities.pairs
    guard let own = pairs.first(where: { $0.source == entity })?.destination else { return }
    let indices = group.indices.filter { group[$0].destinationName == own }
    guard !indices.isEmpty else { return }
    let examples = witnesses.examples { answers in
      !indices.contains { answers[$0] } && answers.contains(true)
    }
    guard !examples.isEmpty else { return }
    add(.diverted(entity: entity, destination: own, examples: examples))
  }

  mutating func checkOverlaps(
    _ group: [(mapping: EntityMapping, part: Int)], _ witnesses: FilterWitnesses, entity: String
  ) {
    // Only the first filters are compared.
    for first in group.indices.prefix(50) {
      for second in group.indices.prefix(50) where second > first {
        let destinationName = group[first].mapping.destinationName
        guard destinationName != nil, destinationName == group[second].mapping.destinationName,
          let example = witnesses.example(where: { answers, _ in answers[first] && answers[second] }
          )
        else { continue }
        let isInParts = group[first].part != group[second].part
        let names = [first, second].map {
          group[$0].mapping.name + (isInParts ? " of \(self.names[group[$0].part])" : "")
        }
        add(.overlap(entity: entity, mappings: names, example: example))
      }
    }
  }

  /// The parsed filter: `.some(nil)` without a filter, `nil` if it is invalid, which is reported.
  mutating func predicate(of mapping: EntityMapping, entity: String) -> Predicate?? {
    guard let filter = mapping.filter else { return .some(nil) }
    do throws(ExpressionError) {
      let predicate = try Predicate(parsing: filter)
      _ = try source.model.resolved(predicate, for: entity)
      return predicate
    } catch {
      let diagnostic = error.diagnostic
      add(.badFilter(filter, why: diagnostic.what, fix: diagnostic.fix), mapping)
      return nil
    }
  }
}
