internal import StrataObjectModel
internal import StrataValues

extension NewStore {
  /// What the model does not allow of an object: required properties without a value, relationships
  /// with too few or too many objects.
  ///
  /// Shape: one entry for each problem, with Core Data's error code in the reason.
  public func problems(
    ofObject key: Int64, entity: String
  ) throws(StoreError) -> [(property: String, reason: String)] {
    var problems: [(property: String, reason: String)] = []
    let required = model.allAttributes(of: entity).filter {
      !$0.property.isOptional && !$0.property.isTransient && !$0.property.isDerived
        && $0.property.type != .composite
    }
    for (name, isMissing) in try missing(required, of: key, entity: entity) where isMissing {
      problems.append((name, "is a required value (1570)"))
    }
    for relationship in model.allRelationships(of: entity) where !relationship.property.isTransient
    {
      let property = relationship.property
      let count = try destinationCount(of: relationship, from: key)
      if count == 0, !property.isOptional {
        problems.append((property.name, "is a required value (1570)"))
      } else if count > 0, count < property.minCount {
        problems.append(
          (property.name, "has \(count), at least \(property.minCount) needed (1580)"))
      } else if property.maxCount > 0, count > property.maxCount {
        problems.append(
          (property.name, "has \(count), at most \(property.maxCount) allowed (1590)"))
      }
    }
    return problems
  }
}
