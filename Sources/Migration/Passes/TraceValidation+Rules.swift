internal import StrataBase
internal import StrataObjectModel
internal import StrataStore

extension TraceValidation {
  /// The rules of a model for the objects of an entity.
  ///
  /// - Parameter isInPlace: Whether only required attributes are validated, as in place.
  init(of entity: String, in model: ObjectModel, objects: Int, isInPlace: Bool = false) {
    self.init(entity: entity, objects: objects, rules: [])
    for attribute in model.allStoredAttributes(of: entity) where !attribute.isDerived {
      if !attribute.isOptional { rules.append(Rule(attribute.name, "required")) }
      guard !isInPlace else { continue }
      rules.append(Rule(attribute.name, "type", attribute.type.name))
      rules += attribute.valueRules.map { Rule(attribute.name, $0.name, $0.bound) }
    }
    guard !isInPlace else { return }
    for relationship in model.allRelationships(of: entity).map(\.property)
    where !relationship.isTransient {
      let name = relationship.name
      if !relationship.isToMany, !relationship.isOptional { rules.append(Rule(name, "required")) }
      if relationship.isToMany, relationship.minCount > 0 {
        rules.append(Rule(name, "minimumCount", String(relationship.minCount)))
      }
      if relationship.isToMany, relationship.maxCount > 0 {
        rules.append(Rule(name, "maximumCount", String(relationship.maxCount)))
      }
      rules.append(Rule(name, "objectsExist"))
    }
  }

  /// Counts a violation.
  mutating func note(_ problem: Finding) {
    guard let rule = problem.validationRule else { return }
    let (property, name) = (problem.property ?? "", rule.traced)
    if let index = rules.firstIndex(where: { $0.property == property && $0.rule == name }) {
      rules[index].violations += 1
    } else {
      var added = Rule(property, name)
      added.violations = 1
      rules.append(added)
    }
  }
}

extension ValidationRule {
  fileprivate var traced: String {
    switch self {
    case .missing, .unset: "required"
    case .wrongType: "type"
    case .rule(let rule): rule.name
    case .tooFew: "minimumCount"
    case .tooMany: "maximumCount"
    case .dangling, .danglingOneWay: "objectsExist"
    case .brokenInverse: "inverse"
    default: "consistent"
    }
  }
}

extension ValueRule {
  fileprivate var name: String {
    switch self {
    case .minimum: "minimum"
    case .maximum: "maximum"
    case .earliest: "earliest"
    case .latest: "latest"
    case .minimumLength: "minimumLength"
    case .maximumLength: "maximumLength"
    case .pattern: "pattern"
    }
  }

  fileprivate var bound: String {
    switch self {
    case .minimum(let bound), .maximum(let bound), .earliest(let bound), .latest(let bound):
      bound.text
    case .minimumLength(let bound), .maximumLength(let bound): String(bound)
    case .pattern(let pattern): pattern
    }
  }
}
