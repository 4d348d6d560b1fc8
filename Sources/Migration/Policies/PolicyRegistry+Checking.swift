package import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel

extension PolicyRegistry {
  /// Checks that the models of a hop have the names in its policy files, before the first object is migrated.
  ///
  /// - Throws: ``Diagnostic`` with file and line for an unknown name, or one of another kind.
  package func checkNames(in hop: MigrationPlan.Hop) throws(Diagnostic) {
    for part in hop.parts {
      for mapping in part.mapping.entityMappings {
        guard let use = hop.policyUse(of: mapping, in: part), let script = usedScript(for: use)
        else { continue }
        do {
          try script.checkNames(in: hop, mapping)
        } catch {
          throw script.located(error)
        }
      }
    }
  }
}

extension PolicyScript {
  /// An error in one of its lines, with its file.
  func located(_ error: LineError) -> Diagnostic {
    file.map { error.diagnostic.located(in: $0) } ?? error.diagnostic
  }

  /// The variables in all of its expressions.
  private static let variables: Set<String> =
    Set([MappingVariable.manager, .entityMapping, .entityPolicy].map(\.rawValue))

  fileprivate func checkNames(
    in hop: MigrationPlan.Hop, _ mapping: EntityMapping
  ) throws(LineError) {
    func subject(_ entity: String?, _ version: NamedModel) -> StatementNames.Subject? {
      entity.flatMap { version.model[$0] == nil ? nil : .init(version: version, entity: $0) }
    }
    func names(knowing variables: Set<String>, at position: LinePart) -> StatementNames {
      StatementNames(
        version: hop.to, variables: Self.variables.union(variables),
        calls: VariableCheck(
          isRelationship: true, policyName: name, policyMethods: Set(methods.map(\.selector))),
        position: position)
    }
    let source = subject(mapping.sourceName, hop.from)
    let destination = subject(mapping.destinationName, hop.to)
    for statement in statements {
      var found = names(knowing: ["source", "destination"], at: statement.position)
      (found.object, found.source) = (destination, source)
      switch statement.verb {
      case .skip, .oneDestination: found.object = source
      case .make: found = names(knowing: [], at: statement.position)
      default: break
      }
      try found.check(statement.verb)
    }
    for method in methods {
      try names(knowing: Set(method.parameters), at: method.position).check(method.value)
    }
  }
}
