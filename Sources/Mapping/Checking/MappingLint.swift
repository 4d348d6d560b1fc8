internal import StrataDiagnostics
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataValues

/// Looks for what is wrong with a mapping model, or with several that are migrated one after the other.
///
/// ```swift
/// MappingLint([mapping], from: first, to: second).findings.map(\.words)
/// ```
public struct MappingLint {
  /// Errors first, in the order of the entity mappings.
  public private(set) var findings: [MappingFinding] = []
  private let source: MatchableModel
  private let destination: MatchableModel
  private let parts: [MappingModel]
  private let omitted: [String: Set<String>]

  /// - Parameters:
  ///   - parts: The mapping model, or its parts.
  ///   - omitted: Properties that their author leaves out on purpose, by entity mapping.
  public init(
    _ parts: [MappingModel], from source: MatchableModel, to destination: MatchableModel,
    omitted: [String: Set<String>] = [:]
  ) {
    self.omitted = omitted
    self.source = source
    self.destination = destination
    self.parts = parts
    for part in parts {
      for mapping in part.entityMappings { check(mapping, in: part) }
    }
    checkCoverage()
    checkFilters()
    // What every part says is said once.
    var told: Set<MappingFinding> = []
    findings = findings.filter { told.insert($0).inserted }
    findings = findings.enumerated().sorted {
      ($0.element.severity, $0.offset) < ($1.element.severity, $1.offset)
    }.map(\.element)
  }

  private mutating func add(
    _ severity: MappingFinding.Severity, _ reason: MappingFinding.Reason,
    _ mapping: EntityMapping? = nil
  ) {
    findings.append(MappingFinding(severity, reason, mapping: mapping?.name))
  }

  // MARK: Entities

  private mutating func check(_ mapping: EntityMapping, in part: MappingModel) {
    var isKnown = true
    if let name = mapping.sourceName {
      if source.model[name] == nil {
        let near = NearestName.of(name, in: source.model.entityNames)
        add(.error, .unknownSource(name, near: near), mapping)
        isKnown = false
      } else if let hash = mapping.sourceHash, hash != source.hashes[name] {
        add(.error, .staleHash(entity: name, isSource: true), mapping)
      }
    }
    guard let name = mapping.destinationName else { return }
    guard destination.model[name] != nil else {
      let near = NearestName.of(name, in: destination.model.entityNames)
      return add(.error, .unknownDestination(name, near: near), mapping)
    }
    if let hash = mapping.destinationHash, hash != destination.hashes[name] {
      add(.error, .staleHash(entity: name, isSource: false), mapping)
    }
    if isKnown { checkProperties(of: mapping, in: part) }
  }

  private mutating func checkCoverage() {
    let mappings = parts.flatMap(\.entityMappings)
    let taken = Set(mappings.compactMap(\.sourceName))
    let pairs = ModelMatching(from: source, to: destination).entities.pairs
    let kept = Set(pairs.map(\.source))
    for entity in source.model.entities where !entity.isAbstract && !taken.contains(entity.name) {
      let isKept = kept.contains(entity.name)
      add(isKept ? .error : .warning, .unmappedSource(entity.name, isKept: isKept))
    }
    // What is there already is missed where its source is.
    let made = Set(mappings.compactMap(\.destinationName) + pairs.map(\.destination))
    for entity in destination.model.entities
    where !entity.isAbstract && !made.contains(entity.name) {
      add(.warning, .unmappedDestination(entity.name))
    }
  }

  // MARK: Properties

  private mutating func checkProperties(of mapping: EntityMapping, in part: MappingModel) {
    guard let name = mapping.destinationName else { return }
    let properties = destination.properties(of: name)
    let known = properties.candidates.map(\.name)
    for property in mapping.attributeMappings {
      if let attribute = properties.attribute(property.name)?.property {
        checkAttribute(property, attribute, mapping)
      } else if properties.relationship(property.name) != nil {
        add(.error, .wrongList(property.name, isAttribute: false), mapping)
      } else if !properties.transient.contains(property.name) {
        let near = NearestName.of(property.name, in: known)
        add(.error, .unknownProperty(property.name, near: near), mapping)
      }
    }
    for property in mapping.relationshipMappings {
      if let relationship = properties.relationship(property.name)?.property {
        checkRelationship(property, relationship, mapping, in: part)
      } else if properties.attribute(property.name) != nil {
        add(.error, .wrongList(property.name, isAttribute: true), mapping)
      } else if !properties.transient.contains(property.name) {
        let near = NearestName.of(property.name, in: known)
        add(.error, .unknownProperty(property.name, near: near), mapping)
      }
    }
    // A policy may do what no property mapping does.
    guard mapping.policyName == nil else { return }
    let mapped = Set((mapping.attributeMappings + mapping.relationshipMappings).map(\.name))
    for name in known where !mapped.contains(name) {
      guard omitted[mapping.name]?.contains(name) != true, !isFilledFromOtherEnd(name, of: mapping)
      else { continue }
      add(.warning, .missingProperty(name), mapping)
    }
  }

  /// Whether some entity mapping makes the objects at the other end of a relationship, and connects them.
  private func isFilledFromOtherEnd(_ name: String, of mapping: EntityMapping) -> Bool {
    guard let entity = mapping.destinationName,
      let relationship = destination.properties(of: entity).relationship(name)?.property,
      let inverse = relationship.inverseName
    else { return false }
    let others =
      [relationship.destinationName]
      + destination.model.descendantNames(of: relationship.destinationName)
    return parts.flatMap(\.entityMappings).contains { other in
      other.destinationName.map(others.contains) == true
        && other.relationshipMappings.contains { $0.name == inverse && $0.expression != nil }
    }
  }

  private mutating func checkAttribute(
    _ property: PropertyMapping, _ attribute: Attribute, _ mapping: EntityMapping
  ) {
    let isNeeded = !attribute.isOptional && attribute.defaultValue == nil && !attribute.isDerived
    guard let expression = property.expression else {
      // An entity mapping without a source makes nothing by itself; a policy may give the value.
      if isNeeded, mapping.sourceName != nil, mapping.policyName == nil {
        add(.error, .missingValue(property.name), mapping)
      } else if mapping.policyName == nil, mapping.sourceName != nil,
        mapping.sourceName.flatMap({ source.properties(of: $0).attribute(property.name) }) != nil
      {
        add(.warning, .leftBehind(property.name), mapping)
      }
      return
    }
    guard let kind = kind(of: expression, property, mapping) else { return }
    let wanted = ValueKind(attribute.type)
    if case .many = kind {
      add(
        .error, .unfitting(property.name, gives: "a collection", wants: wanted.description), mapping
      )
    } else if kind.isObject || !kind.isComparable(to: wanted) {
      add(
        .error, .unfitting(property.name, gives: kind.description, wants: wanted.description),
        mapping)
    } else if isNeeded, mapping.policyName == nil, mayBeNothing(expression, mapping) {
      add(.warning, .mayBeMissing(property.name), mapping)
    }
  }

  /// Whether an optional attribute is copied into a required one, and the filter lets objects without it
  /// through.
  private func mayBeNothing(_ expression: Expression, _ mapping: EntityMapping) -> Bool {
    guard case .keyPath(of: .variable("source"), let keys) = expression, keys.count == 1,
      let name = mapping.sourceName,
      source.properties(of: name).attribute(keys[0])?.property.isOptional == true
    else { return false }
    guard let filter = mapping.filter, let predicate = try? Predicate(parsing: filter) else {
      return true
    }
    return witnesses(of: [predicate], entity: name).mayHold(without: keys[0])
  }

  private func witnesses(of predicates: [Predicate], entity: String) -> FilterWitnesses {
    FilterWitnesses(of: predicates) { path in
      let keys = path.split(separator: ".").map(String.init)
      // Over a relationship there may always be nothing.
      let own = keys.count == 1 ? source.properties(of: entity).attribute(keys[0])?.property : nil
      let kind = try? source.model.kind(
        of: .sourceValue(keys), variables: ["source": .object(entity)])
      return FilterWitnesses.Holding(
        kind: kind ?? .unknown, mayBeNothing: own?.isOptional != false)
    }
  }

  private mutating func checkRelationship(
    _ property: PropertyMapping, _ relationship: Relationship, _ mapping: EntityMapping,
    in part: MappingModel
  ) {
    guard let expression = property.expression else {
      if !relationship.isOptional, !relationship.isToMany, mapping.sourceName != nil,
        mapping.policyName == nil
      {
        add(.error, .missingValue(property.name), mapping)
      }
      return
    }
    guard let through = RelationshipSource(expression) else {
      guard let kind = kind(of: expression, property, mapping), kind.entity != nil else { return }
      let fitting = fitting(from: kind.entity, to: relationship.destinationName, in: part)
      return add(
        .error, .notThrough(property.name, gives: kind.description, near: fitting), mapping)
    }
    guard let kind = kind(of: through.sources, property, mapping) else { return }
    if kind.isMany, !relationship.isToMany {
      add(.warning, .severalForOne(property.name), mapping)
    }
    guard case .mapping(let name, _) = through else { return }
    guard let target = part.entityMapping(named: name) else {
      let near = NearestName.of(name, in: part.entityMappings.map(\.name))
      return add(.error, .unknownMapping(name, property: property.name, near: near), mapping)
    }
    let wanted = relationship.destinationName
    if let made = target.destinationName, made != wanted,
      !destination.model.ancestorNames(of: made).contains(wanted)
    {
      add(
        .error,
        .wrongMapping(
          name, property: property.name, makes: made, wants: wanted,
          near: fitting(from: kind.entity, to: wanted, in: part)), mapping)
    } else if let taken = target.sourceName, let given = kind.entity, !isRelated(given, taken) {
      add(
        .error,
        .wrongSources(name, property: property.name, gives: kind.element.description, takes: taken),
        mapping)
    } else if kind.entity == nil, kind != .unknown, kind != .nothing {
      add(
        .error,
        .wrongSources(
          name, property: property.name, gives: kind.description,
          takes: target.sourceName ?? "nothing"), mapping)
    }
  }

  /// The only entity mapping that takes objects of the one entity to those of the other.
  private func fitting(from given: String?, to wanted: String, in part: MappingModel) -> String? {
    let found = part.entityMappings.filter { mapping in
      guard let taken = mapping.sourceName, let made = mapping.destinationName else { return false }
      return given.map { isRelated($0, taken) } != false
        && (made == wanted || destination.model.ancestorNames(of: made).contains(wanted))
    }
    return found.count == 1 ? found[0].name : nil
  }

  /// Whether objects of the one entity may be objects of the other.
  private func isRelated(_ a: String, _ b: String) -> Bool {
    a == b || source.model.ancestorNames(of: a).contains(b)
      || source.model.ancestorNames(of: b).contains(a)
  }

  /// What an expression gives; `nil` where it cannot be evaluated, which is noted.
  private mutating func kind(
    of expression: Expression, _ property: PropertyMapping, _ mapping: EntityMapping
  ) -> ValueKind? {
    if let path = expression.pathWithoutSource {
      add(.error, .withoutSource(property.name, expression: path), mapping)
      return nil
    }
    let own: ValueKind = mapping.sourceName.map { .object($0) } ?? .nothing
    do throws(ExpressionError) {
      return try source.model.kind(
        of: expression,
        variables: [
          "source": own, "manager": .unknown, "destination": .unknown, "entityMapping": .unknown,
          "propertyMapping": .unknown, "entityPolicy": .unknown,
        ])
    } catch {
      add(
        .error,
        .badExpression(
          property.name, expression: expression.text, why: error.diagnostic.what,
          mend: error.diagnostic.mend),
        mapping)
      return nil
    }
  }

  // MARK: Filters

  /// For each source entity, the filters of its entity mappings together.
  private mutating func checkFilters() {
    var groups: [String: [(mapping: EntityMapping, part: Int, predicate: Predicate?)]] = [:]
    for (place, part) in parts.enumerated() {
      for mapping in part.entityMappings where mapping.customSource == nil {
        guard let name = mapping.sourceName, source.model[name] != nil else { continue }
        guard let predicate = predicate(of: mapping, entity: name) else { continue }
        groups[name, default: []].append((mapping, place, predicate))
      }
    }
    for (entity, group) in groups.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      guard group.contains(where: { $0.mapping.filter != nil }) else { continue }
      let predicates = group.map { $0.predicate ?? .constant(true) }
      let witnesses = witnesses(of: predicates, entity: entity)
      let gaps = witnesses.examples { !$0.contains(true) }
      if gaps.isEmpty {
        checkDiversion(group.map(\.mapping), witnesses, entity: entity)
      } else {
        add(.warning, .gap(entity: entity, examples: gaps))
      }
      checkOverlaps(group.map { ($0.mapping, $0.part) }, witnesses, entity: entity)
    }
  }

  /// Whether some objects arrive only as something else than what their entity became.
  private mutating func checkDiversion(
    _ group: [EntityMapping], _ witnesses: FilterWitnesses, entity: String
  ) {
    let pairs = ModelMatching(from: source, to: destination).entities.pairs
    guard let own = pairs.first(where: { $0.source == entity })?.destination else { return }
    let places = group.indices.filter { group[$0].destinationName == own }
    guard !places.isEmpty else { return }
    let examples = witnesses.examples { answers in
      !places.contains { answers[$0] } && answers.contains(true)
    }
    guard !examples.isEmpty else { return }
    add(.warning, .diverted(entity: entity, destination: own, examples: examples))
  }

  private mutating func checkOverlaps(
    _ group: [(mapping: EntityMapping, part: Int)], _ witnesses: FilterWitnesses, entity: String
  ) {
    // Of very many, the first are compared.
    for first in group.indices.prefix(50) {
      for second in group.indices.prefix(50) where second > first {
        guard group[first].mapping.destinationName == group[second].mapping.destinationName,
          let example = witnesses.example(where: { answers, _ in answers[first] && answers[second] }
          )
        else { continue }
        let isInParts = group[first].part != group[second].part
        let names = [first, second].map {
          group[$0].mapping.name + (isInParts ? " of part \(group[$0].part + 1)" : "")
        }
        add(.warning, .overlap(entity: entity, mappings: names, example: example))
      }
    }
  }

  /// The filter; none where there is none, nothing where it is broken, which is noted.
  private mutating func predicate(of mapping: EntityMapping, entity: String) -> Predicate?? {
    guard let filter = mapping.filter else { return .some(nil) }
    do throws(ExpressionError) {
      let predicate = try Predicate(parsing: filter)
      _ = try source.model.resolved(predicate, for: entity)
      return predicate
    } catch {
      add(.error, .badFilter(filter, why: error.diagnostic.what), mapping)
      return nil
    }
  }
}

extension ValueKind {
  /// The entity of the objects, where they are such.
  fileprivate var entity: String? {
    if case .object(let name) = element { name } else { nil }
  }
}

extension Expression {
  /// A key path that is asked of no variable, in an expression or in one of its parts.
  fileprivate var pathWithoutSource: String? {
    switch self {
    case .keyPath(of: nil, _): text
    case .keyPath(of: let start?, _): start.pathWithoutSource
    case .function(_, on: let target, let arguments):
      ([target].compactMap { $0 } + arguments).lazy.compactMap(\.pathWithoutSource).first
    case .collection(let elements): elements.lazy.compactMap(\.pathWithoutSource).first
    case .constant, .evaluatedObject, .variable, .subquery, .conditional, .fetch: nil
    }
  }
}
