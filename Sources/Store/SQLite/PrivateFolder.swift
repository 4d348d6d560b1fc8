internal import Foundation

/// A folder that only this process's user can enter, removed with all it holds when it goes out of
/// scope.
public struct PrivateFolder: ~Copyable, Sendable {
  public let path: String

  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  public init() throws(StoreError) {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-\(UUID().uuidString)").path
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .noTemporaryFolder(reason: error.localizedDescription)
    }
    self.path = path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
