internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel

extension PolicyRegistry {
  /// Checks that the destination of a hop has the entities and properties that statements set, before the first
  /// object is migrated.
  ///
  /// - Throws: ``Diagnostic`` for an unknown name, or one of another kind.
  func checkNames(in hop: MigrationPlan.Hop) throws(Diagnostic) {
    for part in hop.parts {
      for mapping in part.mapping.entityMappings {
        guard let use = hop.policyUse(of: mapping, in: part), let script = usedScript(for: use),
          let entity = mapping.destinationName
        else { continue }
        for statement in script.statements {
          let names = PolicyNames(model: hop.to.model, statement: statement, use: use)
          try names.check(settingObjectsOf: entity)
        }
      }
    }
  }
}

/// The names that a statement of a policy file sets.
private struct PolicyNames {
  let model: ObjectModel
  let statement: PolicyScript.Statement
  let use: PolicyUse

  func check(settingObjectsOf entity: String) throws(Diagnostic) {
    switch statement.verb {
    case .set(let name, _), .join(_, _, let name): try checkAttribute(name, of: entity)
    case .split(_, _, let names): for name in names { try checkAttribute(name, of: entity) }
    case .relate(let name, let search):
      try checkRelationship(name, of: entity)
      try check(search)
    case .keepFirst(let name?, _, _): try checkRelationship(name, of: entity)
    case .make(let search): try check(search)
    case .skip, .oneDestination, .keepFirst, .require, .delete: break
    }
  }

  private func check(_ search: PolicyScript.Search) throws(Diagnostic) {
    guard model[search.entity] != nil else {
      throw fault(
        "the destination has no entity \(search.entity)",
        NearestName.of(search.entity, in: model.entityNames).map(NearestName.question))
    }
    for given in search.allValues { try checkAttribute(given.attribute, of: search.entity) }
  }

  private func checkAttribute(_ name: String, of entity: String) throws(Diagnostic) {
    guard model[entity] != nil, model.storedType(of: name, in: entity) == nil else { return }
    guard let relationship = model.relationship(name, of: entity) else {
      throw unknown(name, of: entity)
    }
    throw fault(
      "\(entity).\(name) is a relationship, not an attribute",
      "set \(name) = find \(relationship.property.destinationName) where …, or create one")
  }

  private func checkRelationship(_ name: String, of entity: String) throws(Diagnostic) {
    guard model[entity] != nil, model.relationship(name, of: entity) == nil else { return }
    guard model.storedType(of: name, in: entity) != nil else { throw unknown(name, of: entity) }
    throw fault(
      "\(entity).\(name) is an attribute, not a relationship", "set \(name) = EXPRESSION")
  }

  private func unknown(_ name: String, of entity: String) -> Diagnostic {
    fault(
      "\(entity) of the destination has no stored property \(name)",
      NearestName.of(name, in: model.propertyNames(of: entity)).map(NearestName.question))
  }

  private func fault(_ what: String, _ fix: String?) -> Diagnostic {
    Diagnostic(
      id: "policy.unknownName", what: what,
      location: Location(
        element: "policy \(use.policyName), \(statement.text), for \(use.entityMapping)"),
      fix: fix)
  }
}
