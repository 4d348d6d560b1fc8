package import StrataBase

/// An error in a text of a line language: its diagnostic has line, column and excerpt.
package struct LineError: DiagnosticError, Hashable {
  package let diagnostic: Diagnostic

  package init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }
}
