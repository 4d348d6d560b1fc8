internal import CSystem
internal import StrataBase
internal import StrataEssentials

/// What the system knows of other processes: on Linux from /proc, on macOS from libproc. The files of another user's
/// processes are not known.
enum ProcessTable {
  #if canImport(Darwin)
    /// The processes that have a file open.
    static func processes(having path: String) -> [Int32] {
      var found = [Int32](repeating: 0, count: 4096)
      let count = strata_processes_having(path, &found, Int32(found.count))
      return Set(found.prefix(max(0, Int(count)))).subtracting([0]).sorted()
    }

    /// The name of a process.
    static func name(of process: Int32) -> String? {
      text { strata_process_name(process, $0, UInt32($1)) }
    }

    /// The path of the program that a process runs.
    static func program(of process: Int32) -> String? {
      text { strata_process_program(process, $0, UInt32($1)) }
    }

    static func parent(of process: Int32) -> Int32? {
      let parent = strata_process_parent(process)
      return parent > 0 ? parent : nil
    }

    private static func text(_ fill: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String? {
      let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = buffer.withMemoryRebound(to: CChar.self) { bytes in
          bytes.baseAddress.map { max(0, Int(fill($0, bytes.count))) } ?? 0
        }
      }
      return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
  #else
    /// The processes that have a file open.
    static func processes(having path: String) -> [Int32] {
      var wanted = stat()
      guard stat(path, &wanted) == 0 else { return [] }
      let files = FileManager.default
      let processes = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? [])
        .filter { $0.allSatisfy(\.isNumber) }.compactMap { Int32($0) }.sorted()
      return processes.filter { process in
        let folder = "/proc/\(process)/fd"
        return ((try? files.contentsOfDirectory(atPath: folder)) ?? []).contains { handle in
          var file = stat()
          return stat("\(folder)/\(handle)", &file) == 0 && file.st_ino == wanted.st_ino
            && file.st_dev == wanted.st_dev
        }
      }
    }

    /// The name of a process.
    static func name(of process: Int32) -> String? {
      (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8))?.trimmed
    }

    /// The path of the program that a process runs.
    static func program(of process: Int32) -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    }

    static func parent(of process: Int32) -> Int32? {
      // `4711 (name) S 4242 …`: the fourth.
      let line = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
      return line.split(separator: ")").last?.split(separator: " ").dropFirst().first
        .flatMap { Int32($0) }
    }
  #endif
}
