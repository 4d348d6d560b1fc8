internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite

/// The programs that have a store open, with or without locks: an idle program in rollback mode holds none.
///
/// Only known for the processes that this user may inspect.
package enum StoreUsers {
  /// Waits a while for readers.
  ///
  /// Outside of any budget: the answer depends on other programs, and is never recorded.
  ///
  /// - Parameter patience: In seconds.
  /// - Throws: ``StoreError/openElsewhere(_:)``.
  static func check(_ path: String, patience: Double = 2) throws(StoreError) {
    var others = others(of: path)
    let end = Date(timeIntervalSinceNow: patience)
    while !others.isEmpty, Date() < end {
      usleep(50_000)
      others = Self.others(of: path)
    }
    guard others.isEmpty else { throw .openElsewhere(others) }
  }

  /// Whether a process is a fork of this one before its exec: it has inherited the open files without using them.
  private static func isOwnBeginning(_ process: Int32) -> Bool {
    guard ProcessTable.parent(of: process) == getpid(),
      let program = ProcessTable.program(of: process)
    else { return false }
    return program == ProcessTable.program(of: getpid())
  }

  /// The other processes: `sqlite3 (process 4711)`.
  package static func others(of path: String) -> [String] {
    let found = ProcessTable.processes(having: path).filter {
      $0 != getpid() && !isOwnBeginning($0)
    }
    guard !found.isEmpty else { return [] }
    // A fork that has begun its program between the two questions has closed what it inherited.
    let still = ProcessTable.processes(having: path)
    return found.filter(still.contains).map {
      "\(ProcessTable.name(of: $0) ?? "a program") (process \($0))"
    }
  }
}
