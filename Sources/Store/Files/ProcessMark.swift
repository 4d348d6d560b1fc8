internal import StrataArchives
internal import StrataBase
internal import StrataEssentials

/// The file in a private folder that identifies its owner, locked as long as the process lives.
///
/// The system releases the lock however the process ends, so a reused process number does no harm. The file
/// contains the process number, its start time, the boot time and the host name, which decide if the file system
/// has no locks.
struct ProcessMark: Hashable {
  /// The name of the file.
  static let name = "strata-process"

  private var process: Int32
  /// The start time of the process in the system's units; `nil` if the mark has none.
  private var start: String?
  /// The boot identifier, which changes at a restart.
  private var boot: String?
  private var host: String?

  /// The mark of this process.
  static let own = ProcessMark(
    process: getpid(), start: startTime(of: getpid()), boot: systemStart,
    host: ProcessInfo.processInfo.hostName.filter { !$0.isWhitespace })

  private init(process: Int32, start: String?, boot: String?, host: String?) {
    (self.process, self.start, self.boot, self.host) = (process, start, boot, host)
  }

  /// `nil` for an invalid mark: an unterminated line is incomplete.
  private init?(_ text: String) {
    guard text.hasSuffix("\n") else { return nil }
    let fields = text.dropLast().split(separator: " ").map(String.init)
    guard let process = fields.first.flatMap({ Int32($0) }), process > 0 else { return nil }
    func field(_ index: Int) -> String? { fields.count > index ? fields[index] : nil }
    self.init(process: process, start: field(1), boot: field(2), host: field(3))
  }

  private var text: String {
    [String(process), start ?? "-", boot ?? "-", host ?? "-"].joined(separator: " ") + "\n"
  }

  /// Creates a folder that is private and owned by this process.
  ///
  /// A process that is killed between the two steps leaves a folder that nobody owns: nothing else is done there.
  ///
  /// - Returns: The descriptor that holds the lock; `nil` if the folder could not be marked.
  static func createFolder(_ path: String) throws(FileCause) -> Int32? {
    let bytes = Array(own.text.utf8)
    guard mkdir(path, 0o700) == 0 else { throw .last }
    let file = open("\(path)/\(name)", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return nil }
    // A process that queries the owner holds the lock briefly.
    flock(file, LOCK_EX)
    _ = write(file, bytes, bytes.count)
    return file
  }

  /// The owner of a folder.
  enum Owner: Hashable {
    /// This process.
    case own
    /// Another process that is alive, or whose state is unknown.
    case other(Int32)
    case dead
    /// No readable mark: the process died while writing it, or is about to write it.
    case unknown
  }

  /// Determines the owner of a folder.
  static func owner(of folder: String) -> Owner {
    let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return .unknown }
    defer { close(file) }
    return owner(markedBy: file)
  }

  private static func read(_ file: Int32) -> ProcessMark? {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = pread(file, &bytes, bytes.count, 0)
    return count > 0 ? ProcessMark(String(decoding: bytes.prefix(count), as: UTF8.self)) : nil
  }

  private static func owner(markedBy file: Int32) -> Owner {
    let mark = read(file)
    if let mark, mark == own { return .own }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      return mark.map { .other($0.process) } ?? .unknown
    }
    defer { flock(file, LOCK_UN) }
    guard let mark else { return .unknown }
    return mark.isDead ? .dead : .other(mark.process)
  }

  /// Takes over a folder of a dead process: if two processes try, one succeeds.
  ///
  /// - Returns: The descriptor that holds the lock; `nil` if its owner is not dead.
  static func takeOver(_ folder: String) -> Int32? {
    let file = open("\(folder)/\(name)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    // The lock belongs to the open file: locking it again keeps the lock.
    guard flock(file, LOCK_EX | LOCK_NB) == 0, let mark = read(file), mark != own, mark.isDead
    else {
      close(file)
      return nil
    }
    return file
  }

  /// Deletes an incomplete mark that no process has locked: its process died while writing it.
  static func removeIncomplete(in folder: String) {
    let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return }
    defer { close(file) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0, read(file) == nil else { return }
    unlink("\(folder)/\(name)")
  }

  /// Whether the process is dead; only called if the lock is free.
  private var isDead: Bool {
    // A mark of an earlier version of Strata has only the number.
    guard let boot, boot != "-" else { return kill(process, 0) != 0 && errno == ESRCH }
    // After a restart the process is dead; processes of another host are unknown.
    guard boot == Self.systemStart else { return host == Self.own.host }
    return start == nil || start == "-" || Self.startTime(of: process) != start
  }

  #if canImport(Darwin)
    private static func startTime(of process: Int32) -> String? {
      var info = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, process]
      guard sysctl(&name, UInt32(name.count), &info, &size, nil, 0) == 0, size > 0 else {
        return nil
      }
      let start = info.kp_proc.p_un.__p_starttime
      return "\(start.tv_sec).\(start.tv_usec)"
    }

    private static let systemStart: String? = {
      var bytes = [CChar](repeating: 0, count: 64)
      var size = bytes.count
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()
  #else
    /// The 22nd field of `/proc/<process>/stat`; the second may hold spaces and parentheses.
    private static func startTime(of process: Int32) -> String? {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { return nil }
      let fields = text[text.index(after: end)...].split(separator: " ")
      return fields.count > 19 ? String(fields[19]) : nil
    }

    private static let systemStart: String? =
      (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?.trimmed
  #endif
}
