internal import Synchronization

/// Models by the bytes of their files: equal files, such as those of a working tree and of its releases, have one
/// model, whose hashes and inferred mapping models are computed once.
///
/// ```swift
/// let models = SharedModels()
/// let version = ModelVersion(name: "Model1", source: .file("Topics.xcdatamodeld/Model1.xcdatamodel"))
/// let copy = ModelVersion(name: "Model1", source: .file("Copies/Model1.xcdatamodel"))
/// let (first, second) = (try version.read(sharing: models), try copy.read(sharing: models))
/// first.memory === second.memory  // true
/// ```
package final class SharedModels: Sendable {
  private struct Contents: Hashable {
    let bytes: [UInt8]

    func hash(into hasher: inout Hasher) {
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }

  /// The maximum number of bytes of all files.
  private static let sizeLimit = 128 << 20

  private let known = Mutex<(models: [Contents: ObjectModel], size: Int)>(([:], 0))

  package init() {}

  /// The model with these bytes, read on first access.
  func model<Problem>(
    of bytes: [UInt8], read: () throws(Problem) -> ObjectModel
  ) throws(Problem) -> ObjectModel {
    let contents = Contents(bytes: bytes)
    if let model = known.withLock({ $0.models[contents] }) { return model }
    // Outside the lock, so that other threads read other files at the same time.
    let model = try read()
    known.withLock { known in
      if known.size + bytes.count > Self.sizeLimit { known = ([:], 0) }
      known.models[contents] = model
      known.size += bytes.count
    }
    return model
  }
}
