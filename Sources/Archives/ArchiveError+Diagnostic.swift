package import StrataBase

extension ArchiveError: DiagnosticError {
  package var diagnostic: Diagnostic {
    switch self {
    case .notAPropertyList:
      Diagnostic(
        id: "archive.notAPropertyList", what: "not a property list, neither binary nor XML",
        fix: "check the type of the file: `file <path>` shows it")
    case .truncated(let offset):
      Diagnostic(
        id: "archive.truncated", what: "the data end at byte \(offset), inside a value",
        fix: "get another copy of the file: this one is truncated")
    case .outOfRange(let what, let value, let count):
      Diagnostic(
        id: "archive.outOfRange", what: "\(what) \(value) is out of range (limit: \(count))",
        fix: Self.fetchAgain)
    case .cyclic(let object):
      Diagnostic(
        id: "archive.cyclic", what: "object \(object) contains itself", fix: Self.fetchAgain)
    case .tooDeep(let limit):
      Diagnostic(
        id: "archive.tooDeep", what: "values are nested more than \(limit) levels deep",
        fix: "check where the file came from: Core Data's tools never write such a file")
    case .tooLarge(let what, let limit):
      Diagnostic(
        id: "archive.tooLarge", what: "\(what) exceeds the limit of \(limit)",
        fix: "check where the file came from: Core Data's tools never write such a file")
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
          "external, parameter or recursive entities and default attributes are not supported",
        location: Location(line: line),
        fix: "remove the <!ENTITY …> and <!ATTLIST …> declarations")
    case .unexpectedElement(let name, let line):
      Diagnostic(
        id: "archive.unexpectedElement", what: "<\(name)> is not allowed in a property list",
        location: Location(line: line), fix: Self.fetchAgain)
    case .notAKeyedArchive(let missing):
      Diagnostic(
        id: "archive.notAKeyedArchive", what: "not a keyed archive: \(missing) is missing",
        fix: Self.fetchAgain)
    case .unexpectedObject(let wanted, let found):
      Diagnostic(
        id: "archive.unexpectedObject", what: "the archive contains \(found) instead of \(wanted)",
        fix: Self.fetchAgain)
    }
  }

  private static let fetchAgain = "the file is damaged: get another copy of it"
}
