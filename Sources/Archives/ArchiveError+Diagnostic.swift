package import StrataBase

extension ArchiveError: DiagnosticError {
  package var diagnostic: Diagnostic {
    switch self {
    case .notAPropertyList:
      Diagnostic(
        id: "archive.notAPropertyList", what: "this is no property list, neither binary nor XML",
        fix: "check that the file is what its name says: `file <path>` shows what it holds")
    case .truncated(let offset):
      Diagnostic(
        id: "archive.truncated", what: "the data end at byte \(offset), in the middle of a value",
        fix: "fetch the file again: this copy is cut short")
    case .outOfRange(let what, let value, let count):
      Diagnostic(
        id: "archive.outOfRange", what: "\(what) \(value) points outside the \(count) there are",
        fix: Self.fetchAgain)
    case .cyclic(let object):
      Diagnostic(
        id: "archive.cyclic", what: "object \(object) contains itself", fix: Self.fetchAgain)
    case .tooDeep(let limit):
      Diagnostic(
        id: "archive.tooDeep", what: "values are nested more than \(limit) deep",
        fix: "no tool of Core Data writes such a file; look at where it came from")
    case .tooLarge(let what, let limit):
      Diagnostic(
        id: "archive.tooLarge", what: "\(what) exceeds the limit of \(limit)",
        fix: "no tool of Core Data writes such a file; look at where it came from")
    case .malformed(let what, let offset):
      Diagnostic(
        id: "archive.malformed", what: "\(what) at byte \(offset)", fix: Self.fetchAgain)
    case .invalidText(let offset):
      Diagnostic(
        id: "archive.invalidText", what: "the text at byte \(offset) is not valid Unicode",
        fix: Self.fetchAgain)
    case .notDeflate:
      Diagnostic(
        id: "archive.notDeflate", what: "the compressed data are damaged",
        fix: Self.fetchAgain)
    case .notWellFormed(let reason, let line, let column):
      Diagnostic(
        id: "archive.notWellFormed", what: "the XML is not well-formed: \(reason)",
        location: Location(line: line, column: column),
        fix: "repair the text there; a merge conflict left in the file is the usual cause")
    case .declaresEntities(let line):
      Diagnostic(
        id: "archive.declaresEntities",
        what:
          "the document declares external, parameter or endless entities, or default attributes",
        location: Location(line: line),
        fix: "remove the <!ENTITY …> and <!ATTLIST …> declarations: Strata reads none of them")
    case .unexpectedElement(let name, let line):
      Diagnostic(
        id: "archive.unexpectedElement", what: "<\(name)> has no place in a property list",
        location: Location(line: line), fix: Self.fetchAgain)
    case .notAKeyedArchive(let missing):
      Diagnostic(
        id: "archive.notAKeyedArchive", what: "this is no keyed archive: \(missing) is missing",
        fix: Self.fetchAgain)
    case .unexpectedObject(let wanted, let found):
      Diagnostic(
        id: "archive.unexpectedObject", what: "the archive holds \(found) where \(wanted) belongs",
        fix: Self.fetchAgain)
    }
  }

  private static let fetchAgain = "the file is damaged: fetch it again from where it came from"
}
