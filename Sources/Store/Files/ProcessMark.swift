internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The file in a private folder that says whose folder it is, and a lock on it for as long as the process lives.
///
/// The system releases the lock however a process ends, so nobody is mistaken for a process that has its number later
/// on. The file holds the number of the process, when it started, the start of the system and its name: they decide
/// where a file system has no locks.
struct ProcessMark: Hashable {
  /// The name of the file.
  static let name = "strata-process"

  private var process: Int32
  /// When the process started, in the system's own units; `nil` where the mark does not tell.
  private var start: String?
  /// The start of the system: another one after a restart.
  private var boot: String?
  private var host: String?

  /// That of this process.
  static let own = ProcessMark(
    process: getpid(), start: startTime(of: getpid()), boot: systemStart,
    host: ProcessInfo.processInfo.hostName.filter { !$0.isWhitespace })

  private init(process: Int32, start: String?, boot: String?, host: String?) {
    (self.process, self.start, self.boot, self.host) = (process, start, boot, host)
  }

  /// `nil` for what is no mark: a line that does not end was cut off.
  private init?(_ text: String) {
    guard text.hasSuffix("\n") else { return nil }
    let words = text.dropLast().split(separator: " ").map(String.init)
    guard let process = words.first.flatMap({ Int32($0) }), process > 0 else { return nil }
    func word(_ place: Int) -> String? { words.count > place ? words[place] : nil }
    self.init(process: process, start: word(1), boot: word(2), host: word(3))
  }

  private var text: String {
    [String(process), start ?? "-", boot ?? "-", host ?? "-"].joined(separator: " ") + "\n"
  }

  /// Marks a folder as that of this process.
  ///
  /// - Returns: The descriptor that holds the lock; `nil` where the folder could not be marked.
  static func leave(in folder: String) -> Int32? {
    let file = open("\(folder)/\(name)", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return nil }
    // Somebody who asks whose it is holds the lock for a moment.
    flock(file, LOCK_EX)
    let bytes = Array(own.text.utf8)
    _ = write(file, bytes, bytes.count)
    return file
  }

  /// Whose a folder is.
  enum Owner: Hashable {
    /// This process.
    case own
    /// Another one that lives, or that nobody here can ask about.
    case other(Int32)
    case dead
    /// The folder has no mark that can be read: its process died while it wrote it, or is about to.
    case unknown
  }

  /// Asks whose a folder is.
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

  /// Takes a folder of a dead process for this one: of two that try, one succeeds.
  ///
  /// - Returns: The descriptor that holds the lock; `nil` where the folder is not that of a dead process.
  static func takeOver(_ folder: String) -> Int32? {
    let file = open("\(folder)/\(name)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    // The lock belongs to the open file: asking again with it keeps what is held.
    guard flock(file, LOCK_EX | LOCK_NB) == 0, let mark = read(file), mark != own, mark.isDead
    else {
      close(file)
      return nil
    }
    return file
  }

  /// Whether no process is it any more; asked where nobody holds the lock.
  private var isDead: Bool {
    // A mark of an earlier version of Strata has the number alone.
    guard let boot, boot != "-" else { return kill(process, 0) != 0 && errno == ESRCH }
    // After a restart nobody lives; another computer's processes cannot be asked.
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
      (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  #endif
}
