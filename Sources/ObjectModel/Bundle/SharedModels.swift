internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import Synchronization

/// Models by the bytes of their files, or of their archives in stores: equal files, such as those of a working tree
/// and of its releases, have one model, whose hashes and inferred mapping models are computed once. Different files share the entities whose XML
/// is equal: most of a version's.
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
    /// Computed once, and not under the lock.
    private let hash: Int

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      var hasher = Hasher()
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      hash = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    static func == (a: Self, b: Self) -> Bool {
      a.bytes.count == b.bytes.count && memcmp(a.bytes, b.bytes, a.bytes.count) == 0
    }
  }

  /// The maximum number of bytes of all files.
  private static let sizeLimit = 128 << 20

  private struct Known {
    var models: [Contents: ObjectModel] = [:]
    var entities: [Contents: SharedEntity] = [:]
    var size = 0

    mutating func makeRoom(for count: Int) {
      if size + count > SharedModels.sizeLimit { self = Known() }
      size += count
    }
  }

  private let known = Mutex(Known())

  package init() {}

  /// The model with these bytes, read on first access.
  package func model(of bytes: [UInt8]) throws -> ObjectModel {
    let contents = Contents(bytes)
    if let model = known.withLock({ $0.models[contents] }) { return model }
    // Outside the lock, so that other threads read other files at the same time.
    let model = try sharingModel(of: bytes) ?? ObjectModel(ModelDocument(reading: bytes))
    known.withLock { known in
      known.makeRoom(for: bytes.count)
      known.models[contents] = model
    }
    return model
  }

  /// The model with shared entities; `nil` if the file has to be read as a whole.
  private func sharingModel(of bytes: [UInt8]) -> ObjectModel? {
    guard let outline = MarkupOutline(of: bytes, element: "entity"), !outline.pieces.isEmpty,
      let root = try? MarkupElement(reading: outline.rest)
    else { return nil }
    var entities: [SharedEntity] = []
    entities.reserveCapacity(outline.pieces.count)
    for piece in outline.pieces {
      guard let entity = entity(of: piece) else { return nil }
      entities.append(entity)
    }
    guard let document = try? ModelDocument(markup: root, entities: entities) else { return nil }
    return try? ObjectModel(
      document,
      sharing: Dictionary(first: entities.map { ($0.entity.name, $0) }))
  }

  private func entity(of text: [UInt8]) -> SharedEntity? {
    let contents = Contents(text)
    if let entity = known.withLock({ $0.entities[contents] }) { return entity }
    guard let entity = SharedEntity(reading: text) else { return nil }
    return known.withLock { known in
      // Another thread may have read it meanwhile.
      if let entity = known.entities[contents] { return entity }
      known.makeRoom(for: text.count)
      known.entities[contents] = entity
      return entity
    }
  }
}
