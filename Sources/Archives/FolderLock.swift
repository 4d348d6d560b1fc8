#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Work on a file while no other process of this program works on one in the same folder: a lock on the
/// folder, since the file itself may be replaced.
package enum FolderLock {
  package static func whileAlone<Answer>(
    in folder: String, _ work: () throws -> Answer
  ) rethrows -> Answer {
    let lock = open(folder, O_RDONLY | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    if lock >= 0 { _ = flock(lock, LOCK_EX) }
    return try work()
  }
}
