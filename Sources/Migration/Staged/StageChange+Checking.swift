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
    let object = StatementNames.Subject(version: version, entity: entity)
    let names = StatementNames(
      object: object, source: object, version: version, variables: ["source"], position: position)
    try names.checkEntity(entity)
    for verb in verbs { try names.check(verb) }
  }
}
