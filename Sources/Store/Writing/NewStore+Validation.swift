public import StrataObjectModel
internal import StrataValues

extension NewStore {
  /// What the model does not allow of an object: required attributes without a value, relationships with
  /// too few or too many objects.
  public func problems(
    ofObject key: Int64, entity: String
  ) throws(StoreError) -> [ValidationProblem] {
    var problems: [ValidationProblem] = []
    func add(_ property: String, _ problem: ValidationProblem.Problem) {
      problems.append(ValidationProblem(entity: entity, key: key, property: property, problem))
    }
    let required = model.allAttributes(of: entity).filter {
      !$0.property.isOptional && !$0.property.isTransient && !$0.property.isDerived
        && $0.property.type != .composite
    }
    for (name, isMissing) in try missing(required, of: key, entity: entity) where isMissing {
      add(name, .missing)
    }
    for relationship in model.allRelationships(of: entity) where !relationship.property.isTransient
    {
      let count = try destinationCount(of: relationship, from: key)
      if let problem = relationship.property.problem(ofCount: count) {
        add(relationship.property.name, problem)
      }
    }
    return problems
  }
}
