import StrataArchives
import StrataExpressions
import StrataMapping
import StrataObjectModel
import StrataStore

/// A reader under fuzzing: bytes in, nothing out, and a trap where a promise is broken.
///
/// Errors are fine, they are what hostile bytes should end in. Whatever is read must be sound: what
/// Strata writes of it reads again as the same.
enum FuzzTarget: String {
  case plist, archive, xml, metadata, expression, database, binary, mapping
  case xcodeMapping = "xcode-mapping"
  case cache, files, rows
  case policy, policies, stages, session

  func run(_ bytes: [UInt8]) throws {
    switch self {
    case .plist: try Self.readPropertyList(bytes)
    case .archive: try Self.readArchive(bytes)
    case .xml: try Self.readMarkup(bytes)
    case .expression: try Self.readPredicate(String(decoding: bytes, as: UTF8.self))
    case .database: try Self.readDatabase(bytes)
    case .binary: _ = try BinaryStore(bytes)
    case .mapping: try Self.readMapping(bytes)
    case .xcodeMapping: try Self.readXcodeMapping(bytes)
    case .metadata: _ = try StoreMetadata(plist: bytes, uuid: "")
    case .cache: try Self.readModelCache(bytes)
    case .files: try Self.readFiles(bytes)
    case .rows: try Self.readRows(bytes)
    case .policy: try Self.readPolicies(String(decoding: bytes, as: UTF8.self))
    case .policies: try Self.migrateByPolicies(String(decoding: bytes, as: UTF8.self))
    case .stages: try Self.readStages(String(decoding: bytes, as: UTF8.self))
    case .session: try Self.readSession(bytes)
    }
  }

  /// A property list, in either form.
  private static func readPropertyList(_ bytes: [UInt8]) throws {
    let plist = try PropertyList(reading: bytes)
    var budget = 10_000
    // What a list shares with itself is written out each time: a small file can stand for a large tree.
    guard plist.isWithin(&budget) else { return }
    let written = plist.encoded()
    guard (try? PropertyList(reading: written))?.encoded() == written else {
      preconditionFailure("what was written reads otherwise")
    }
  }

  /// A compiled model, or one of Xcode 3.
  private static func readArchive(_ bytes: [UInt8]) throws {
    guard bytes.starts(with: Array("bplist".utf8)) else { return }
    let document = try ModelDocument(reading: bytes)
    _ = document.encodedXML()
    _ = try ObjectModel(document).versionHashes()
  }

  /// An XML store: what is written of it reads as the same.
  private static func readDatabase(_ bytes: [UInt8]) throws {
    let database = try XMLDatabase(reading: bytes)
    guard (try? XMLDatabase(reading: database.encoded())) == database else {
      preconditionFailure("what was written reads otherwise")
    }
  }

  /// A mapping model in any of its three forms: what is printed of it reads as the same.
  private static func readMapping(_ bytes: [UInt8]) throws {
    let mapping =
      MappingScript.mayBegin(with: Array(bytes.prefix(512)))
      ? try MappingScript(parsing: String(decoding: bytes, as: UTF8.self)).mapping
      : try MappingDocument(reading: bytes).mapping
    checkPrinted(mapping)
  }

  static func checkPrinted(_ mapping: MappingModel) {
    guard (try? MappingScript(parsing: MappingText(mapping).text))?.mapping == mapping else {
      preconditionFailure("what was printed reads otherwise")
    }
  }

  /// A predicate: what is printed of it reads as the same, and asking it ends.
  private static func readPredicate(_ text: String) throws {
    let predicate = try Predicate(parsing: text)
    guard (try? Predicate(parsing: predicate.text)) == predicate else {
      preconditionFailure("what was printed reads otherwise")
    }
    _ = try EvaluationContext(variables: ["x": .collection([.null], isOrdered: true)])
      .holds(predicate)
  }

  /// The XML of a model, its hashes, and both again from what is written of it.
  private static func readMarkup(_ bytes: [UInt8]) throws {
    let document = try ModelDocument(markup: MarkupElement(reading: bytes))
    guard let again = try? ModelDocument(reading: document.encodedXML()) else {
      preconditionFailure("what was written cannot be read")
    }
    let hashes = try ObjectModel(document).versionHashes()
    guard (try? ObjectModel(again))?.versionHashes() == hashes else {
      preconditionFailure("what was written has other hashes")
    }
  }
}

extension PropertyList {
  /// Whether the tree has no more values than the budget.
  fileprivate func isWithin(_ budget: inout Int) -> Bool {
    budget -= 1
    guard budget > 0 else { return false }
    for value in array ?? dictionary.map({ Array($0.values) }) ?? [] {
      guard value.isWithin(&budget) else { return false }
    }
    return true
  }
}
