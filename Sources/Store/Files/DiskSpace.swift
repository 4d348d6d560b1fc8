internal import StrataEssentials

/// The free space of disks: one function, which a test can replace.
package struct DiskSpace: Sendable {
  /// The free bytes for a file in a folder; `nil` if unknown.
  package var available: @Sendable (_ folder: String) -> Int?

  package init(available: @escaping @Sendable (_ folder: String) -> Int?) {
    self.available = available
  }

  /// The free space by the system.
  package static let system = DiskSpace { folder in
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    let (bytes, overflows) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    return overflows ? .max : Int(clamping: bytes)
  }
}
