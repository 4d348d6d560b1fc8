import Foundation
import StrataArchives
import StrataBase
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Models written as Core Data archives them.
@Suite("Archived models", .needsCorpus)
struct ModelArchiveTests {
  /// Every archived model of the corpus: compiled ones, those that stores cache, and their twins in XML.
  private static func archives() throws -> [(name: String, bytes: [UInt8])] {
    var archives: [(name: String, bytes: [UInt8])] = []
    let files = FileManager.default.enumerator(atPath: Corpus.folder.path)
    while let path = files?.nextObject() as? String {
      let file = URL(fileURLWithPath: Corpus.path(path))
      switch file.pathExtension {
      case "mom": archives.append((path, [UInt8](try Data(contentsOf: file))))
      case "deflate":
        archives.append((path, try Deflate.expand([UInt8](Data(contentsOf: file)))))
      default: break
      }
    }
    for path in try Corpus.expectedStores().keys.sorted() {
      let store = try SQLiteStore(reading: Corpus.path(path))
      if let bytes = try store.modelCache() { archives.append((path, bytes)) }
    }
    return archives
  }

  /// The keys of the objects of each class.
  private static func keys(_ archive: [UInt8]) throws -> [String: Set<String>] {
    var keys: [String: Set<String>] = [:]
    let objects = try PropertyList(reading: archive)["$objects"]?.array ?? []
    for object in objects {
      guard let entries = object.dictionary, case .uid(let place)? = entries["$class"],
        let name = objects[place]["$classname"]?.string
      else { continue }
      keys[name, default: []].formUnion(entries.keys)
    }
    return keys
  }

  /// The compiler's own marks, and lists that some systems write when they are empty.
  private static let optionalKeys: Set = [
    "CDMCompilerXcodeVersion", "CDMCompilerToolVersion", "NSCompoundIndexes",
    "NSFetchIndexDescriptions",
  ]

  @Test("what is written of an archived model reads as the same model, with the same keys")
  func roundTrip() throws {
    let archives = try Self.archives()
    #expect(archives.count > 20)
    var known: [String: Set<String>] = [:]
    for (_, bytes) in archives { known.merge(try Self.keys(bytes)) { $0.union($1) } }
    for (name, bytes) in archives {
      let model = try ObjectModel(ModelDocument(reading: bytes))
      let written = model.archived()
      let again = try ObjectModel(ModelDocument(reading: written))
      #expect(again.document == model.document, "\(name)")
      #expect(again.versionHashes() == model.versionHashes(), "\(name)")
      #expect(again.archived() == written, "\(name)")
      let theirs = try Self.keys(bytes)
      for (type, keys) in try Self.keys(written) where type.hasPrefix("NS") {
        let strange = keys.subtracting(known[type] ?? [])
        #expect(strange.isEmpty, "\(name): \(type) \(strange.sorted())")
        if let theirs = theirs[type],
          ["NSEntityDescription", "NSManagedObjectModel"].contains(type)
        {
          let missing = theirs.subtracting(keys).subtracting(Self.optionalKeys)
          #expect(missing.isEmpty, "\(name): \(type) \(missing.sorted())")
        }
      }
    }
  }

  @Test("what is written of a model in XML has its hashes, however it is read", .part(2))
  func fromXML() throws {
    for (path, hashes) in try Corpus.expectedHashes() {
      let file = "\(path)/contents"
      guard Corpus.exists(file) else { continue }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(file)))
      let model = try ObjectModel(ModelDocument(reading: [UInt8](bytes)))
      let again = try ObjectModel(ModelDocument(reading: model.archived()))
      #expect(again.versionHashes().mapValues(\.hex) == hashes, "\(path)")
      // Both roads lead to the same tables.
      #expect(
        StoreSchema(again).statements.map(\.sql) == StoreSchema(model).statements.map(\.sql),
        "\(path)")
    }
  }
}
