internal import StrataArchives
package import StrataSQLite

/// The formats of persistent stores that Strata reads, detected by the first bytes of the file.
///
/// XML and binary stores are *atomic* in Core Data's terms: one document, read and written as a whole.
package enum StoreForm: String, Sendable, Hashable {
  case sqlite = "SQLite"
  case xml = "XML"
  case binary = "Binary"

  /// The number of first bytes required for detection.
  package static let headSize = 512

  /// `nil` if the bytes do not belong to a store.
  package init?(head: [UInt8]) {
    if head.starts(with: Array("SQLite format".utf8)) {
      self = .sqlite
    } else if XMLStore.isStore(head) {
      self = .xml
    } else if BinaryStore.isStore(head) {
      self = .binary
    } else {
      return nil
    }
  }

  /// `nil` if the file is not a store, or cannot be read.
  package init?(of path: String) {
    guard let head = try? FileBytes.head(path, count: Self.headSize) else { return nil }
    self.init(head: head)
  }

  package var isAtomic: Bool { self != .sqlite }

  /// The document of an atomic store; `nil` for a SQLite store.
  ///
  /// - Throws: ``StoreError``: not such a document, or damaged.
  package func document(at path: String) throws(StoreError) -> (any AtomicStore)? {
    switch self {
    case .xml: try XMLStore(reading: path)
    case .binary: try BinaryStore(reading: path)
    case .sqlite: nil
    }
  }
}

extension StoreMetadata {
  /// The metadata of a store of any format; `nil` if it cannot be read.
  package static func ofStore(at path: String) -> StoreMetadata? {
    if let document = try? StoreForm(of: path)?.document(at: path) { return document.metadata }
    return try? SQLiteStore(reading: path).metadata
  }
}
