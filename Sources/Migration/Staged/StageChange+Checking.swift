internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

extension StageChange {
  /// Checks that the model of the store has all names, before a row is read.
  ///
  /// - Parameters:
  ///   - version: The version of the store when the change is made.
  ///   - position: The step in the stages file.
  ///   - script: The policy file that has the statements; `nil` if the step is one.
  func check(
    at version: NamedModel, _ position: LinePart, of script: PolicyScript?
  ) throws(LineError) {
    let object = StatementNames.Subject(version: version, entity: entity)
    var names = StatementNames(
      object: object, source: object, version: version, variables: ["source"], position: position)
    try names.checkEntity(entity)
    guard let script else {
      for verb in verbs { try names.check(verb) }
      return
    }
    for statement in script.statements {
      names.position = statement.position
      do {
        try names.check(statement.verb)
      } catch {
        throw LineError(script.located(error))
      }
    }
  }
}
