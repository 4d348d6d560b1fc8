internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

extension StageChange {
  /// Finds names that the model of the store does not have, before a row is read.
  ///
  /// - Parameters:
  ///   - version: The version that the store is at when the change is made.
  ///   - line: That of the stages file.
  /// - Throws: ``PolicyScriptError``.
  func check(at version: NamedModel, line: Int) throws(PolicyScriptError) {
    let names = StageNames(version: version, entity: entity, line: line)
    try names.checkEntity(entity)
    for verb in verbs {
      switch verb {
      case .set(let name, let expression):
        try names.checkAttribute(name, of: entity)
        try names.check(expression)
      case .split(let expression, _, let parts):
        for part in parts { try names.checkAttribute(part, of: entity) }
        try names.check(expression)
      case .join(let expressions, _, let name):
        try names.checkAttribute(name, of: entity)
        for expression in expressions { try names.check(expression) }
      case .skip(let condition): try names.check(condition)
      case .require(let condition, let message):
        try names.check(condition)
        for case .value(let expression, _) in message { try names.check(expression) }
      case .relate(let relationship, let search):
        try names.checkRelationship(relationship)
        try names.checkEntity(search.entity)
        for given in search.allValues {
          try names.checkAttribute(given.attribute, of: search.entity)
          try names.check(given.value)
        }
      case .oneDestination, .keepFirst, .make, .delete: break
      }
    }
  }
}

/// The names that a statement of a stage may use.
private struct StageNames {
  let version: NamedModel
  /// The entity of the objects that the statement changes.
  let entity: String
  let line: Int

  private var model: ObjectModel { version.model }

  private func unknown(
    _ what: String, _ name: String, among known: [String]
  ) -> PolicyScriptError {
    PolicyScriptError(
      .stages, line: line, what: what,
      mend: NearestName.of(name, in: known).map(NearestName.question)
        ?? (known.isEmpty ? nil : "it has \(known.joined(separator: ", "))"))
  }

  func checkEntity(_ name: String) throws(PolicyScriptError) {
    guard model[name] == nil else { return }
    throw unknown(
      "\(version.versionName) has no entity \(name)", name, among: model.entityNames)
  }

  func checkAttribute(_ name: String, of owner: String) throws(PolicyScriptError) {
    guard model.storedType(of: name, in: owner) == nil else { return }
    throw unknown(
      "\(owner) of \(version.versionName) has no stored attribute \(name)", name,
      among: model.allAttributes(of: owner).map(\.property.name))
  }

  func checkRelationship(_ name: String) throws(PolicyScriptError) {
    guard model.relationship(name, of: entity) == nil else { return }
    throw unknown(
      "\(entity) of \(version.versionName) has no relationship \(name)", name,
      among: model.allRelationships(of: entity).map(\.property.name))
  }

  func check(_ expression: Expression) throws(PolicyScriptError) {
    do {
      try model.check(expression, of: entity)
    } catch {
      try note(error)
    }
  }

  func check(_ condition: Predicate) throws(PolicyScriptError) {
    do {
      try model.check(condition, of: entity)
    } catch {
      try note(error)
    }
  }

  /// A key that no object can have; whatever else is wrong depends on the objects.
  private func note(_ error: ExpressionError) throws(PolicyScriptError) {
    guard case .unknownKey(let key, let owner, let near) = error.problem else { return }
    throw PolicyScriptError(
      .stages, line: line, what: "\(owner) of \(version.versionName) has no property \(key)",
      mend: near.map(NearestName.question))
  }
}
