internal import StrataEssentials

/// The memory use of the process.
enum ProcessMemory {
  /// The peak memory in bytes.
  static var highest: Int {
    var usage = rusage()
    // 0 is the process itself.
    guard getrusage(0, &usage) == 0 else { return 0 }
    #if canImport(Darwin)
      return usage.ru_maxrss
    #else
      // Linux reports kilobytes.
      return usage.ru_maxrss * 1024
    #endif
  }
}
