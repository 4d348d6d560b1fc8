internal import StrataEssentials

/// The names and the location of private folders for temporary files.
///
/// ```swift
/// PrivateFolderName.random()                              // "strata-" and sixteen digits
/// PrivateFolderName.isWithin("/tmp/strata-c3cfcb51d34a6944/a.sqlite")  // true
/// ```
package enum PrivateFolderName {
  private static let prefix = "strata-"
  /// Numbers of sixteen hexadecimal digits.
  private static let numbers = (UInt64(1) << 60)...UInt64.max

  /// The folder for temporary files.
  package static var parent: String {
    let path = FileManager.default.temporaryDirectory.path
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  // Foundation's UUID is always the same without /dev/urandom, as in an empty chroot.
  package static func random() -> String {
    prefix + String(UInt64.random(in: numbers), radix: 16)
  }

  package static func isName(_ name: String) -> Bool {
    name.hasPrefix(prefix)
      && UInt64(name.dropFirst(prefix.count), radix: 16).map(numbers.contains) ?? false
  }

  /// Whether a file is in such a folder.
  package static func isWithin(_ path: String) -> Bool {
    guard path.hasPrefix(parent + "/") else { return false }
    return isName(String(path.dropFirst(parent.count + 1).prefix { $0 != "/" }))
  }
}
