#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What tells that a file or folder is another than it was: which one it is, its size and time of change.
///
/// A folder's stamp changes when a name in it comes, goes or is replaced.
package struct FileStamp: Sendable, Hashable {
  package let identity: FileIdentity
  package let size: Int
  /// Since 1970.
  package let modified: Duration
}

extension FileStamp {
  /// `nil` where there is nothing at the path. Links are followed.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self = FileStatus(status).stamp
  }
}

/// What makes a file the one that it is, whatever it is called.
package struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  package let inode: UInt64
}
