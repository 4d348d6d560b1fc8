public import StrataDiagnostics

/// Why an expression cannot be read.
public enum ExpressionError: Error, Hashable, Sendable {
  case unreadableDerivation(String)
}

extension ExpressionError: DiagnosticError {
  public var diagnostic: Diagnostic {
    switch self {
    case .unreadableDerivation(let text):
      Diagnostic(
        id: "expression.unreadableDerivation",
        what: "\"\(text)\" is no derivation expression",
        mend: "use a key path (chat.serverId), rel.@count, rel.@sum.key, or now:(), canonical:(key)")
    }
  }
}
