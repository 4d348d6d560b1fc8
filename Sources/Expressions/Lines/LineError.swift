public import StrataBase

/// What is wrong in a text of a line language: its diagnostic has line, column and excerpt.
public struct LineError: DiagnosticError, Hashable {
  public let diagnostic: Diagnostic

  package init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }
}
