internal import StrataEssentials

/// The status of a file, a folder or a link, from `stat`.
///
/// Foundation's `attributesOfItem` also asks for the names of owner and group: that reads user databases for
/// nothing, and loads libraries into a static program.
package struct FileStatus: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case file, folder, link
    /// A pipe, a socket or a device.
    case other
  }

  package let kind: Kind
  package let stamp: FileStamp
  /// The lowest nine bits: `0o700` if only the owner has access.
  package let permissions: Int
  /// The number of hard links.
  package let nameCount: Int
  private let owner: UInt32

  package var size: Int { stamp.size }

  /// Whether it belongs to the user of this process, and no one else has any access.
  package var isPrivate: Bool { owner == geteuid() && permissions & 0o077 == 0 }

  /// `nil` if there is nothing at the path, or it is not accessible. A link at its end is not followed.
  package init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    permissions = Int(status.st_mode & 0o777)
    owner = status.st_uid
    nameCount = Int(status.st_nlink)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    stamp = FileStamp(
      identity: FileIdentity(
        device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino)),
      size: Int(status.st_size), modified: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }
}
