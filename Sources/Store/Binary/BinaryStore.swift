internal import StrataArchives
internal import StrataBase
internal import StrataObjectModel
package import StrataSQLite

/// A binary store (`NSBinaryStoreType`), read as a whole; Strata writes none.
///
/// A header of 64 bytes, the objects, the metadata; both parts are keyed archives, all numbers of the
/// header big-endian and of 8 bytes:
///
/// | offset | content |
/// |---|---|
/// | 0 | `CoreData` |
/// | 8 | the version of the format |
/// | 16, 24 | offset and length of the metadata |
/// | 32, 40 | offset and length of the objects |
/// | 48 | the highest key handed out |
///
/// ```swift
/// let binary = try BinaryStore(reading: "Document.dat")
/// binary.count(of: "Topic")  // 2
/// let store = try binary.inMemoryStore(of: model1)
/// ```
///
/// Source: observed in five documents of one app, of the frameworks 407 to 1152. See ``unprovenParts(of:)`` for
/// what is not proven by them.
package struct BinaryStore: AtomicStore {
  /// An object in the archive.
  struct Node: Sendable {
    /// Unique over all entities.
    var key: Int64
    var entity: String
    /// The values, without names.
    var values: ArchivedObject?
    /// The destination keys of each relationship that is not empty.
    var related: [(name: String, keys: [Int64])]
  }

  package let metadata: StoreMetadata
  /// The size of the file in bytes.
  let size: Int
  /// The objects by ascending key.
  let nodes: [Node]
  /// The highest assigned key, from the header.
  let highestKey: UInt64
  /// The number of bytes after the metadata.
  let trailingBytes: Int

  /// - Throws: ``StoreError``: does not exist, not a binary store, or damaged.
  package init(reading path: String) throws(StoreError) {
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(path)
    } catch {
      throw .unreadable(reason: error.diagnostic.what)
    }
    try self.init(bytes)
  }

  /// - Throws: ``StoreError``: not a binary store, or damaged.
  package init(_ bytes: [UInt8]) throws(StoreError) {
    size = bytes.count
    let header = try BinaryStoreHeader(bytes)
    highestKey = header.highestKey
    trailingBytes = bytes.count - max(header.metadata.upperBound, header.objects.upperBound)
    do {
      metadata = try Self.metadata(KeyedArchive(reading: Array(bytes[header.metadata])))
    } catch let error as ArchiveError {
      throw .badBinary(part: "metadata", error)
    } catch let error as StoreError {
      throw error
    } catch {
      throw .unreadableMetadata(reason: "\(error)")
    }
    do {
      nodes = try BinaryNodeReader().nodes(of: KeyedArchive(reading: Array(bytes[header.objects])))
    } catch let error as ArchiveError {
      throw .badBinary(part: "objects", error)
    } catch let error as StoreError {
      throw error
    } catch {
      throw .unreadable(reason: "\(error)")
    }
  }

  /// Whether a file has the header of a binary store.
  package static func isStore(_ head: [UInt8]) -> Bool {
    head.starts(with: BinaryStoreHeader.magic)
  }

  package func count(of entity: String) -> Int { nodes.count { $0.entity == entity } }

  private static func metadata(_ archive: KeyedArchive) throws -> StoreMetadata {
    var budget = ArchiveLimits.sharedSize / 64
    var entries: [String: PropertyList] = [:]
    for (key, value) in try archive.root("metadata").entries() {
      // An app may store any archivable object; one that property lists cannot represent is shown by its class name.
      entries[key] =
        try value.propertyList(budget: &budget) ?? .string("<\(value.className ?? "object")>")
    }
    guard let uuid = entries.removeValue(forKey: "NSStoreUUID")?.string, uuid.utf8.count <= 255
    else { throw StoreError.unreadableMetadata(reason: "NSStoreUUID is missing") }
    return try StoreMetadata(entries: entries, uuid: uuid, type: "Binary")
  }
}

/// The header of a binary store: the ranges of its two sections.
struct BinaryStoreHeader {
  static let magic = Array("CoreData".utf8)
  private static let size = 64
  /// The version in files from 2013 to 2024.
  private static let version: UInt64 = 0x0000_0001_0804_0800

  let metadata: Range<Int>
  let objects: Range<Int>
  let highestKey: UInt64

  init(_ bytes: [UInt8]) throws(StoreError) {
    guard bytes.starts(with: Self.magic) else {
      throw .unreadable(reason: "it does not begin with the header of a binary store")
    }
    guard bytes.count >= Self.size else { throw .truncated(size: bytes.count, expected: Self.size) }
    func number(_ offset: Int) -> UInt64 { bytes[offset..<(offset + 8)].bigEndianNumber }
    guard number(8) == Self.version else {
      throw .unreadable(
        reason: "the format version at byte 8 is \(number(8)); only \(Self.version) is "
          + "supported")
    }
    func part(_ offset: Int) throws(StoreError) -> Range<Int> {
      let (start, length) = (number(offset), number(offset + 8))
      let (end, overflow) = start.addingReportingOverflow(length)
      guard !overflow, end <= UInt64(Int.max), start >= UInt64(Self.size) else {
        throw .damaged("the section at byte \(offset) of the header lies outside the file")
      }
      guard end <= UInt64(bytes.count) else {
        throw .truncated(size: bytes.count, expected: Int(end))
      }
      return Int(start)..<Int(end)
    }
    highestKey = number(48)
    metadata = try part(16)
    objects = try part(32)
    guard !metadata.overlaps(objects) else {
      throw .damaged("its two sections overlap")
    }
  }
}

/// Reads the objects of a binary store without a model.
private struct BinaryNodeReader {
  /// The number of links so far: an archive may share one list of links among all objects.
  private var linkCount = 0

  mutating func readNode(
    _ node: ArchivedObject, under key: ArchivedObject?
  ) throws -> BinaryStore.Node {
    guard let number = key?.value.integer, number > 0, number <= XMLStore.largestID else {
      throw StoreError.damaged("an object's key is not a number from 1 to 2^60")
    }
    guard node.className == "NSDictionaryMapNode", let entity = try node.string("NSEntityName")
    else {
      throw ArchiveError.unexpectedObject(
        wanted: "an NSDictionaryMapNode with its entity", found: node.className ?? node.value.kind)
    }
    guard try node.integer("NSPrimaryKey64") == number else {
      throw StoreError.badBinaryObject(
        key: number, reason: "it is stored under a different key")
    }
    return BinaryStore.Node(
      key: number, entity: entity, values: try node.object("NSAttributeValues"),
      related: try node.entries("NSRelatedNodes").map { name, keys in
        linkCount += try keys.memberCount()
        guard linkCount <= ArchiveLimits.listElementCount else {
          throw ArchiveError.tooLarge(
            what: "the number of links", limit: ArchiveLimits.listElementCount)
        }
        return (
          name,
          try keys.members().map { member in
            guard let target = member?.value.integer else {
              throw StoreError.badBinaryObject(
                key: number, reason: "\(name) contains an invalid object key")
            }
            return target
          }
        )
      })
  }

  func nodes(of archive: KeyedArchive) throws -> [BinaryStore.Node] {
    var reader = self
    var nodes: [Int64: BinaryStore.Node] = [:]
    let (keys, values) = try archive.root("mapData").pairs()
    for (key, value) in zip(keys, values) {
      guard let value else {
        throw ArchiveError.unexpectedObject(wanted: "an NSDictionaryMapNode", found: "null")
      }
      let node = try reader.readNode(value, under: key)
      guard nodes.updateValue(node, forKey: node.key) == nil else {
        throw StoreError.badBinaryObject(key: node.key, reason: "two objects have this key")
      }
    }
    return nodes.values.sorted { $0.key < $1.key }
  }
}
