internal import StrataEssentials

/// The limit of open files of a process: `ulimit -n`.
package enum OpenFileLimit {
  /// The error if `count` more files cannot be opened, or `nil`. Checked before a file is created, so that no
  /// partial file is left.
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
