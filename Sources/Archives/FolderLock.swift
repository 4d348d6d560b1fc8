internal import StrataEssentials

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

/// A folder that one program uses: a lock on it for as long as this object lives.
package final class FolderClaim: Sendable {
  private let file: Int32

  /// - Returns: `nil` if another program uses the folder, or it cannot be opened.
  package init?(_ folder: String) {
    file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      return nil
    }
  }

  /// Whether it is a claim on the folder that has this path now.
  package func isOf(_ folder: String) -> Bool {
    var (claimed, current) = (stat(), stat())
    return fstat(file, &claimed) == 0 && lstat(folder, &current) == 0
      && claimed.st_dev == current.st_dev && claimed.st_ino == current.st_ino
  }

  deinit {
    // A process that was just started shares the lock for a moment: closing the file alone would not release it.
    flock(file, LOCK_UN)
    close(file)
  }
}
