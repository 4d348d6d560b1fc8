#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the program has used of the machine's memory.
enum ProcessMemory {
  /// The bytes that it had at most.
  static var highest: Int {
    var usage = rusage()
    // 0 is the process itself.
    guard getrusage(0, &usage) == 0 else { return 0 }
    #if canImport(Darwin)
      return usage.ru_maxrss
    #else
      // Linux counts in kilobytes.
      return usage.ru_maxrss * 1024
    #endif
  }
}
