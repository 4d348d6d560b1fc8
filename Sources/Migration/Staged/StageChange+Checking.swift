internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

extension StageChange {
  /// Checks that the model of the store has all names, before a row is read.
  ///
  /// - Parameters:
  ///   - version: The version of the store when the change is made.
  ///   - position: The step in the stages file.
  func check(at version: NamedModel, _ position: LinePart) throws(LineError) {
    let names = StageNames(version: version, entity: entity, position: position)
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

/// Checks the names in a statement of a stage.
private struct StageNames {
  let version: NamedModel
  /// The entity of the objects that the statement changes.
  let entity: String
  let position: LinePart

  private var model: ObjectModel { version.model }

  private func unknown(
    _ what: String, _ name: String, among known: [String]
  ) -> LineError {
    position.occurrence(of: name).problem(
      what,
      fix: NearestName.of(name, in: known).map(NearestName.question)
        ?? (known.isEmpty ? nil : "it has \(known.joined(separator: ", "))"))
  }

  func checkEntity(_ name: String) throws(LineError) {
    guard model[name] == nil else { return }
    throw unknown(
      "\(version.versionName) has no entity \(name)", name, among: model.entityNames)
  }

  func checkAttribute(_ name: String, of owner: String) throws(LineError) {
    guard model.storedType(of: name, in: owner) == nil else { return }
    throw unknown(
      "\(owner) of \(version.versionName) has no stored attribute \(name)", name,
      among: model.allAttributes(of: owner).map(\.property.name))
  }

  func checkRelationship(_ name: String) throws(LineError) {
    guard model.relationship(name, of: entity) == nil else { return }
    throw unknown(
      "\(entity) of \(version.versionName) has no relationship \(name)", name,
      among: model.allRelationships(of: entity).map(\.property.name))
  }

  func check(_ expression: Expression) throws(LineError) {
    try check { () throws(ExpressionError) in try model.check(expression, of: entity) }
  }

  func check(_ condition: Predicate) throws(LineError) {
    try check { () throws(ExpressionError) in try model.check(condition, of: entity) }
  }

  /// Checks for unknown keys; other errors depend on the objects.
  private func check(_ check: () throws(ExpressionError) -> Void) throws(LineError) {
    do {
      try check()
    } catch {
      let (key, owner, fix): (String, String, String?)
      switch error.problem {
      case .unknownKey(let unknown, let entity, let near):
        (key, owner, fix) = (unknown, entity, near.map(NearestName.question))
      case .unquotedText(let word, let entity):
        (key, owner, fix) = (word, entity, "a text is written in quotes: '\(word)'")
      default: return
      }
      throw position.occurrence(of: key).problem(
        "\(owner) of \(version.versionName) has no property \(key)", fix: fix)
    }
  }
}
