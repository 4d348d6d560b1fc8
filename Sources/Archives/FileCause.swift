internal import StrataEssentials

/// The reason why the system did not open, list, create or rename a file, from its error number or from
/// Foundation's errors.
package enum FileCause: Error, Hashable, Sendable {
  case notFound
  case notAFolder
  case isFolder
  case noPermission
  case tooManyOpenFiles
  case linkLoop
  case nameTooLong
  case readOnlyFileSystem
  case noSpace
  case inputOutput
  case alreadyExists
  /// Any other error number.
  case other(Int32)

  package init(errno number: Int32) {
    self =
      switch number {
      case ENOENT: .notFound
      case ENOTDIR: .notAFolder
      case EISDIR: .isFolder
      case EACCES, EPERM: .noPermission
      case EMFILE, ENFILE: .tooManyOpenFiles
      case ELOOP: .linkLoop
      case ENAMETOOLONG: .nameTooLong
      case EROFS: .readOnlyFileSystem
      case ENOSPC, EDQUOT: .noSpace
      case EIO: .inputOutput
      case EEXIST: .alreadyExists
      default: .other(number)
      }
  }

  /// The cause from `errno`.
  package static var last: FileCause { FileCause(errno: errno) }

  /// The cause of a Foundation error: its underlying error number if there is one, otherwise from its code.
  package init(_ error: any Error) {
    if let error = error as? POSIXError {
      self.init(errno: Int32(error.code.rawValue))
      return
    }
    let foundation = error as? CocoaError
    if let cause = foundation?.underlying {
      self.init(cause)
      return
    }
    self =
      switch foundation?.code {
      case .fileNoSuchFile?, .fileReadNoSuchFile?: .notFound
      case .fileReadNoPermission?, .fileWriteNoPermission?: .noPermission
      case .fileReadInvalidFileName?, .fileWriteInvalidFileName?: .nameTooLong
      case .fileWriteFileExists?: .alreadyExists
      case .fileWriteOutOfSpace?: .noSpace
      case .fileWriteVolumeReadOnly?: .readOnlyFileSystem
      default: .inputOutput
      }
  }

  /// The cause as the end of a sentence: `the file cannot be read: permission denied`.
  package var message: String {
    switch self {
    case .notFound: "no such file or folder"
    case .notAFolder: "a part of its path is a file, not a folder"
    case .isFolder: "it is a folder"
    case .noPermission: "permission denied"
    case .tooManyOpenFiles: "too many open files"
    case .linkLoop: "it is a symbolic link, which is not followed here, or a loop of links"
    case .nameTooLong: "the file name is too long"
    case .readOnlyFileSystem: "the file system is read-only"
    case .noSpace: "no space left on the disk"
    case .inputOutput: "input/output error"
    case .alreadyExists: "it already exists"
    case .other(let number): String(cString: strerror(number)).lowercased()
    }
  }

  /// The cause that a message contains: some errors keep only the text of the reason.
  package init?(containedIn reason: String) {
    let known: [FileCause] = [
      .notFound, .notAFolder, .isFolder, .noPermission, .tooManyOpenFiles, .linkLoop, .nameTooLong,
      .readOnlyFileSystem, .noSpace, .inputOutput, .alreadyExists,
    ]
    guard let cause = known.first(where: { reason.contains($0.message) }) else { return nil }
    self = cause
  }

  /// The fix for a file that could not be written.
  package var fixOfWriting: String {
    switch self {
    case .noPermission, .readOnlyFileSystem: "choose a writable folder"
    case .noSpace: "free some space, or choose another disk"
    case .isFolder, .alreadyExists, .nameTooLong: "choose another name"
    default: fix(reading: nil)
    }
  }

  /// The fix for a file that could not be read.
  ///
  /// - Parameter path: The path as the user typed it, if known.
  package func fix(reading path: String?) -> String {
    switch self {
    case .noPermission where path?.contains("/Library/Containers/") == true:
      "macOS protects the data of other apps: allow your terminal full disk access, in System Settings, "
        + "Privacy & Security; or copy the store's folder"
    case .noPermission: "check its permissions: ls -ld" + (path.map { " '\($0)'" } ?? "")
    case .tooManyOpenFiles: "close other programs, or raise the limit: ulimit -n"
    case .linkLoop: "give the path of the file instead of a link"
    case .inputOutput: "get another copy of the file: the disk may be damaged"
    default: "check the path"
    }
  }
}
