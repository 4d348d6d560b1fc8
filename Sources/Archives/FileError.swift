package import StrataBase

/// An error of reading or writing a file.
package enum FileError: Error, Hashable, Sendable {
  case notFound(String)
  case isFolder(String)
  /// A pipe, a device or a socket, which might be read forever.
  case notAFile(String)
  case unreadable(String, FileCause)
  case tooLarge(String, size: Int, limit: Int)
  case unwritable(String, reason: String)
  /// Outside of the folders that a replayed document may read.
  ///
  /// - Parameter real: The path with symbolic links resolved.
  case outOfReach(String, real: String)
}

extension FileError: DiagnosticError {
  package var diagnostic: Diagnostic {
    switch self {
    case .notFound(let path):
      Diagnostic(
        id: "file.notFound", what: "no such file", location: Location(file: path),
        fix: "check the path")
    case .isFolder(let path):
      Diagnostic(
        id: "file.isFolder", what: "expected a file, found a folder",
        location: Location(file: path), fix: "give the path of a file in it")
    case .notAFile(let path):
      Diagnostic(
        id: "file.notAFile", what: "expected a file, found a pipe or a device",
        location: Location(file: path), fix: "write its output to a file first")
    case .unreadable("-", _):
      Diagnostic(
        id: "file.unreadable", what: "standard input cannot be read",
        fix: "redirect a script to it: strata < script.strata")
    case .unreadable(let path, let cause):
      Diagnostic(
        id: "file.unreadable", what: "the file cannot be read: \(cause.message)",
        location: Location(file: path), fix: cause.fix(reading: path))
    case .tooLarge(let path, let size, let limit):
      Diagnostic(
        id: "file.tooLarge", what: "the file has \(size) bytes; the limit is \(limit)",
        location: Location(file: path), fix: "check that this is the file you meant")
    case .unwritable(let path, let reason):
      Diagnostic(
        id: "file.unwritable", what: "the file cannot be written: \(reason)",
        location: Location(file: path),
        fix: "nothing was changed; "
          + (FileCause(containedIn: reason)?.fixOfWriting
            ?? "choose a writable folder with free space"))
    case .outOfReach(let path, let real):
      Diagnostic(
        id: "session.pathRefused",
        what: "a replayed document can only access files in its own folder",
        location: Location(file: path),
        fix: real == path
          ? "allow it with --allow-read <folder>"
          : "allow the folder that the link points to with --allow-read <folder>",
        notes: real == path ? [] : ["the path resolves to \(real)"])
    }
  }
}
