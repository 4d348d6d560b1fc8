internal import StrataEssentials

/// The kind of a statement, from its text.
package enum StatementKind: Sendable, Hashable {
  /// Reads or writes objects, or creates their tables.
  case storeWork
  /// A pragma, a savepoint, or a statement on temporary tables.
  case housekeeping

  package init(_ sql: String) {
    let text = sql.lowercased()
    let tokens = text.utf8.split(maxSplits: 40) { $0 <= UInt8(ascii: " ") }.map(Substring.init)
    let verb = tokens.first ?? ""
    self = .housekeeping
    guard Self.verbs.contains(verb) else { return }
    // The written table precedes those that are read; a query only reads.
    let isQuery = verb == "select" || verb == "with"
    let head = isQuery ? tokens[...] : tokens.prefix { $0 != "select" }
    let names = isQuery ? Self.ownNames + Self.descriptions : Self.ownNames
    let headRange = text.startIndex..<(head.last?.endIndex ?? text.startIndex)
    guard !(verb == "rollback" && tokens.contains("to")),
      !head.contains("temp"), !head.contains("temporary"),
      names.allSatisfy({ !text[headRange].utf8.contains($0.utf8) })
    else { return }
    self = .storeWork
  }

  private static let verbs: Set<Substring> = [
    "select", "with", "insert", "replace", "update", "delete", "create", "alter", "drop", "begin",
    "commit", "rollback",
  ]
  /// Parts of names that no Core Data store contains.
  private static let ownNames = ["temp.", "sqlite_", "dbstat"]
  /// Tables about the store itself: Core Data reads them when it opens a store, and Strata when it identifies a
  /// file.
  private static let descriptions = ["z_metadata", "z_modelcache"]
}
