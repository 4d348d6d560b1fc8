#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What tells that a file or folder is another than it was: its number, size and time of change.
///
/// A folder's stamp changes when a name in it comes, goes or is replaced.
public struct FileStamp: Sendable, Hashable {
  private var inode: UInt64
  private var size: Int64
  private var seconds: Int
  private var nanoseconds: Int

  /// `nil` where there is nothing at the path.
  public init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    seconds = modified.tv_sec
    nanoseconds = modified.tv_nsec
  }
}
