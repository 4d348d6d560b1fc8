internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The programs that have a store open, with or without locks: an idle program in rollback mode holds none.
///
/// Only known on Linux, for the processes that this user may inspect.
enum StoreUsers {
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
  private static func isOwnBeginning(_ process: Int) -> Bool {
    let files = FileManager.default
    // `4711 (name) S 4242 …`: the fourth is the parent.
    let line = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    let parent = line.split(separator: ")").last?.split(separator: " ").dropFirst().first
    guard parent.flatMap({ Int32($0) }) == getpid(),
      let program = try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    else { return false }
    return program == (try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
  }

  /// The other processes: `sqlite3 (process 4711)`.
  static func others(of path: String) -> [String] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    let files = FileManager.default
    let own = String(getpid())
    let processes = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? [])
      .filter { $0 != own && $0.allSatisfy(\.isNumber) }.compactMap { Int($0) }.sorted()
    return processes.compactMap { process in
      let folder = "/proc/\(process)/fd"
      let handles = (try? files.contentsOfDirectory(atPath: folder)) ?? []
      let hasOpen = handles.contains { handle in
        var other = stat()
        return stat("\(folder)/\(handle)", &other) == 0 && other.st_ino == status.st_ino
          && other.st_dev == status.st_dev
      }
      guard hasOpen, !isOwnBeginning(process) else { return nil }
      let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
      return
        "\(name?.trimmed ?? "a program") (process \(process))"
    }
  }
}
