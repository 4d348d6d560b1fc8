internal import StrataEssentials

/// Identity, size and modification time of a file or folder, to detect changes.
///
/// A folder's stamp changes when an entry is added, removed or replaced.
package struct FileStamp: Sendable, Hashable {
  package let identity: FileIdentity
  package let size: Int
  /// Since 1970.
  package let modified: Duration
}

extension FileStamp {
  /// `nil` if there is nothing at the path. Links are followed.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self = FileStatus(status).stamp
  }
}

/// The identity of a file, whatever its name: device and inode.
package struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  package let inode: UInt64
}
