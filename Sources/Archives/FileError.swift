package import StrataBase

/// Why a file cannot be read, or written, at all.
package enum FileError: Error, Hashable, Sendable {
  case notFound(String)
  case isFolder(String)
  /// A pipe, a device, a socket: something whose reading might never end.
  case notAFile(String)
  case unreadable(String, FileCause)
  case tooLarge(String, size: Int, limit: Int)
  case unwritable(String, reason: String)
  /// It lies elsewhere than a replayed document may read.
  ///
  /// - Parameter real: The path without links.
  case outOfReach(String, real: String)
}

extension FileError: DiagnosticError {
  package var diagnostic: Diagnostic {
    switch self {
    case .notFound(let path):
      Diagnostic(
        id: "file.notFound", what: "there is no such file", location: Location(file: path),
        fix: "check the path")
    case .isFolder(let path):
      Diagnostic(
        id: "file.isFolder", what: "this is a folder where a file should be",
        location: Location(file: path), fix: "name the file inside it")
    case .notAFile(let path):
      Diagnostic(
        id: "file.notAFile", what: "this is a pipe or a device, not a file",
        location: Location(file: path), fix: "write what it gives into a file first")
    case .unreadable("-", _):
      Diagnostic(
        id: "file.unreadable", what: "standard input cannot be read",
        fix: "give it a script: strata < script.strata")
    case .unreadable(let path, let cause):
      Diagnostic(
        id: "file.unreadable", what: "the file cannot be read: \(cause.words)",
        location: Location(file: path), fix: cause.fix(reading: path))
    case .tooLarge(let path, let size, let limit):
      Diagnostic(
        id: "file.tooLarge", what: "the file has \(size) bytes; \(limit) are the limit",
        location: Location(file: path), fix: "check that this is the file you meant")
    case .unwritable(let path, let reason):
      Diagnostic(
        id: "file.unwritable", what: "the file cannot be written: \(reason)",
        location: Location(file: path),
        fix: "nothing was changed; "
          + (FileCause(toldBy: reason)?.fixOfWriting
            ?? "choose a folder that you may write to, with room in it"))
    case .outOfReach(let path, let real):
      Diagnostic(
        id: "session.pathRefused", what: "a replayed document reaches only below its own folder",
        location: Location(file: path),
        fix: real == path
          ? "allow it with --allow-read <folder>"
          : "allow it with --allow-read <folder>, naming the folder that the link leads to",
        notes: real == path ? [] : ["it is a link to \(real)"])
    }
  }
}
