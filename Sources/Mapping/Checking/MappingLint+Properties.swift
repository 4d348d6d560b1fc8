internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

extension MappingLint {
  mutating func checkProperties(of mapping: EntityMapping, in part: MappingModel) {
    guard let name = mapping.destinationName else { return }
    let properties = destination.properties(of: name)
    let known = properties.candidates.map(\.name)
    for property in mapping.attributeMappings {
      if let attribute = properties.attribute(property.name)?.property {
        checkAttribute(property, attribute, mapping)
      } else if properties.relationship(property.name) != nil {
        add(.wrongList(property.name, isAttribute: false), mapping)
      } else if !properties.transient.contains(property.name) {
        let near = suggestion(for: property.name, in: known)
        add(.unknownProperty(property.name, near: near), mapping)
      }
    }
    for property in mapping.relationshipMappings {
      if let relationship = properties.relationship(property.name)?.property {
        checkRelationship(property, relationship, mapping, in: part)
      } else if properties.attribute(property.name) != nil {
        add(.wrongList(property.name, isAttribute: true), mapping)
      } else if !properties.transient.contains(property.name) {
        let near = suggestion(for: property.name, in: known)
        add(.unknownProperty(property.name, near: near), mapping)
      }
    }
    // A policy can set properties without a property mapping.
    guard mapping.policyName == nil else { return }
    let mapped = Set((mapping.attributeMappings + mapping.relationshipMappings).map(\.name))
    for name in known where !mapped.contains(name) {
      guard omitted[mapping.name]?.contains(name) != true, !isFilledFromOtherEnd(name, of: mapping)
      else { continue }
      add(.missingProperty(name), mapping)
    }
  }

  /// Whether an entity mapping creates the objects at the other end of a relationship and connects them.
  func isFilledFromOtherEnd(_ name: String, of mapping: EntityMapping) -> Bool {
    guard let entity = mapping.destinationName,
      let relationship = destination.properties(of: entity).relationship(name)?.property,
      let inverse = relationship.inverseName
    else { return false }
    let others = destination.model.familyNames(of: relationship.destinationName)
    return parts.contains { part in
      part.entityMappings.contains { other in
        other.destinationName.map(others.contains) == true
          && other.relationshipMappings.contains {
            $0.name == inverse && finds($0, of: other, in: part)
          }
      }
    }
  }

  /// Whether a relationship mapping can find destination objects: it cannot if the named entity mapping reads
  /// none of its source objects.
  private func finds(
    _ property: PropertyMapping, of mapping: EntityMapping, in part: MappingModel
  ) -> Bool {
    guard let expression = property.expression else { return false }
    guard case .mapping(let name, let sources)? = RelationshipSource(expression),
      let sourceName = part.entityMapping(named: name)?.sourceName,
      let kind = try? source.model.kind(
        of: sources, variables: ["source": mapping.sourceName.map { .object($0) } ?? .nothing]),
      let given = kind.entity
    else { return true }
    return source.model.isRelated(given, to: sourceName)
  }

  mutating func checkAttribute(
    _ property: PropertyMapping, _ attribute: Attribute, _ mapping: EntityMapping
  ) {
    let isNeeded = !attribute.isOptional && !attribute.hasDefault && !attribute.isDerived
    guard let expression = property.expression else {
      // An entity mapping without a source creates no objects without a policy.
      if isNeeded, mapping.sourceName != nil {
        add(.missingValue(property.name), mapping)
      } else if mapping.policyName == nil, mapping.sourceName != nil,
        mapping.sourceName.flatMap({ source.properties(of: $0).attribute(property.name) }) != nil
      {
        add(.leftBehind(property.name), mapping)
      }
      return
    }
    guard !copiesComposite(expression, attribute, mapping) else { return }
    guard let kind = kind(of: expression, property, mapping) else { return }
    let outcomes = expression.outcomes
    let kinds =
      outcomes.count == 1
      ? [kind] : outcomes.map { self.kind(of: $0, property, mapping) ?? .unknown }
    let misfit = zip(outcomes, kinds).lazy.compactMap { outcome, kind in
      source.model.misfit(of: outcome, kind: kind, from: mapping.sourceName, in: attribute.type)
    }.first
    if let (gives, wants) = misfit {
      add(.unfitting(property.name, gives: gives, wants: wants), mapping)
    } else if isNeeded, mapping.policyName == nil, mayBeNothing(expression, mapping) {
      add(.mayBeMissing(property.name), mapping)
    }
  }

  /// Whether a composite attribute copies its elements from one of the source; a new element gets its default
  /// value.
  func copiesComposite(
    _ expression: Expression, _ attribute: Attribute, _ mapping: EntityMapping
  ) -> Bool {
    guard attribute.type == .composite,
      case .keyPath(of: .variable("source"), let keys) = expression, keys.count == 1,
      let name = mapping.sourceName,
      source.properties(of: name).attribute(keys[0])?.property.type == .composite
    else { return false }
    return true
  }

  /// Whether an optional attribute is copied into a required one, and the filter accepts objects without it.
  func mayBeNothing(_ expression: Expression, _ mapping: EntityMapping) -> Bool {
    guard case .keyPath(of: .variable("source"), let keys) = expression, keys.count == 1,
      let name = mapping.sourceName,
      source.properties(of: name).attribute(keys[0])?.property.isOptional == true
    else { return false }
    guard let filter = mapping.filter, let predicate = try? Predicate(parsing: filter) else {
      return true
    }
    return witnesses(of: [predicate], entity: name).mayHold(without: keys[0])
  }

  func witnesses(of predicates: [Predicate], entity: String) -> FilterWitnesses {
    FilterWitnesses(of: predicates) { path in
      let keys = path.split(separator: ".").map(String.init)
      // A value across a relationship can always be nil.
      let own = keys.count == 1 ? source.properties(of: entity).attribute(keys[0])?.property : nil
      let kind = try? source.model.kind(
        of: .sourceValue(keys), variables: ["source": .object(entity)])
      return FilterWitnesses.Holding(
        kind: kind ?? .unknown, range: own?.type == .integer64 ? nil : own?.type.wholeNumbers,
        isFractional: own.map { $0.type.isFractional || $0.type == .date } ?? true,
        mayBeNothing: own?.isOptional != false)
    }
  }

  mutating func checkRelationship(
    _ property: PropertyMapping, _ relationship: Relationship, _ mapping: EntityMapping,
    in part: MappingModel
  ) {
    guard let expression = property.expression else {
      if !relationship.isOptional, !relationship.isToMany, mapping.sourceName != nil {
        add(.missingValue(property.name), mapping)
      }
      return
    }
    guard let through = RelationshipSource(expression) else {
      guard let kind = kind(of: expression, property, mapping, isRelationship: true) else { return }
      guard kind.entity != nil else {
        guard kind.element != .unknown, kind != .nothing else { return }
        return add(
          .unfitting(
            property.name, gives: kind.description,
            wants: ValueKind.object(relationship.destinationName).description), mapping)
      }
      let fitting = fitting(from: kind.entity, to: relationship.destinationName, in: part)
      return add(.notThrough(property.name, gives: kind.description, near: fitting), mapping)
    }
    guard let kind = kind(of: through.sources, property, mapping, isRelationship: true) else {
      return
    }
    if kind.isMany, !relationship.isToMany {
      add(.severalForOne(property.name), mapping)
    }
    guard case .mapping(let name, _) = through else { return }
    guard let target = part.entityMapping(named: name) else {
      let near = suggestion(for: name, in: part.entityMappings.map(\.name))
      return add(.unknownMapping(name, property: property.name, near: near), mapping)
    }
    let wanted = relationship.destinationName
    // The association table of an entity mapping contains only the objects that it reads.
    let isEmpty =
      target.sourceName.flatMap { sourceName in
        kind.entity.map { !source.model.isRelated($0, to: sourceName) }
      } ?? false
    let effect: MappingRule.Effect =
      !isEmpty ? .fails : isFilledFromOtherEnd(property.name, of: mapping) ? .inverse : .none
    if let destinationName = target.destinationName,
      !destination.model.isKind(destinationName, of: wanted)
    {
      add(
        .wrongMapping(
          name, property: property.name, makes: destinationName, wants: wanted, effect: effect,
          near: fitting(from: kind.entity, to: wanted, in: part)), mapping)
    } else if isEmpty, let sourceName = target.sourceName {
      add(
        .wrongSources(
          name, property: property.name, gives: kind.element.description, takes: sourceName,
          effect: effect), mapping)
    } else if kind.entity == nil, kind != .unknown, kind != .nothing {
      add(
        .wrongSources(
          name, property: property.name, gives: kind.description,
          takes: target.sourceName ?? "nothing", effect: .fails), mapping)
    }
  }

  /// The only entity mapping from one entity to the other.
  func fitting(from given: String?, to wanted: String, in part: MappingModel) -> String? {
    let found = part.entityMappings.filter { mapping in
      guard let sourceName = mapping.sourceName, let destinationName = mapping.destinationName
      else { return false }
      return given.map { source.model.isRelated($0, to: sourceName) } != false
        && destination.model.isKind(destinationName, of: wanted)
    }
    return found.count == 1 ? found[0].name : nil
  }

  /// The kind of value that an expression returns; `nil` if it cannot be evaluated, which is reported.
  mutating func kind(
    of expression: Expression, _ property: PropertyMapping, _ mapping: EntityMapping,
    isRelationship: Bool = false
  ) -> ValueKind? {
    if let path = expression.pathWithoutSource {
      add(.withoutSource(property.name, expression: path), mapping)
      return nil
    }
    let check = VariableCheck(
      isRelationship: isRelationship, policyName: mapping.policyName,
      policyMethods: policyMethods(mapping))
    let answer: ValueKind?
    do throws(VariableCheck.Problem) {
      answer = try check.answer(of: expression)?.kind
    } catch {
      add(
        .badExpression(
          property.name, expression: expression.text, why: error.what, fix: error.fix), mapping)
      return nil
    }
    var variables = Dictionary(
      uniqueKeysWithValues: MappingVariable.allCases.map { ($0.rawValue, ValueKind.unknown) })
    variables[MappingVariable.source.rawValue] =
      mapping.sourceName.map { .object($0) } ?? .nothing
    do throws(ExpressionError) {
      let kind = try source.model.kind(of: expression, variables: variables)
      return kind == .unknown ? answer ?? kind : kind
    } catch {
      add(
        .badExpression(
          property.name, expression: expression.text, why: error.diagnostic.what,
          fix: error.diagnostic.fix),
        mapping)
      return nil
    }
  }
}

extension ValueKind {
  /// The entity of the objects; `nil` if the kind is not an object.
  fileprivate var entity: String? {
    if case .object(let name) = element { name } else { nil }
  }
}

extension Expression {
  /// A key path without a variable, in an expression or one of its parts.
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
