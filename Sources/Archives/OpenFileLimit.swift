#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How many files a process may have open at a time: `ulimit -n`.
package enum OpenFileLimit {
  /// Why not so many more files can be opened; `nil` where they can. Who asks before a file is made leaves none half-made.
  package static func refusal(ofOpening count: Int) -> FileCause? {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<count {
      let descriptor = open("/", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return .last }
      opened.append(descriptor)
    }
    return nil
  }
}
