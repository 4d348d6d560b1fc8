internal import Foundation

/// What a statement does, as far as its text tells: no statement of these kinds stands for one of Core Data's.
package enum StatementKind: Sendable, Hashable {
  /// It reads or writes objects, or makes the tables that hold them.
  case storeWork
  /// It asks SQLite about the file, sets something, keeps a place to go back to, or works in tables that no
  /// store keeps.
  case housekeeping

  package init(_ sql: String) {
    let text = sql.lowercased()
    let words = text.utf8.split(maxSplits: 40) { $0 <= UInt8(ascii: " ") }.map(Substring.init)
    let verb = words.first ?? ""
    self = .housekeeping
    guard Self.verbs.contains(verb) else { return }
    // What a statement writes stands before what it reads; a query only reads.
    let isQuery = verb == "select" || verb == "with"
    let head = isQuery ? words[...] : words.prefix { $0 != "select" }
    let names = isQuery ? Self.ownNames + Self.descriptions : Self.ownNames
    let place = text.startIndex..<(head.last?.endIndex ?? text.startIndex)
    guard !(verb == "rollback" && words.contains("to")),
      !head.contains("temp"), !head.contains("temporary"),
      names.allSatisfy({ text.range(of: $0, options: .literal, range: place) == nil })
    else { return }
    self = .storeWork
  }

  private static let verbs: Set<Substring> = [
    "select", "with", "insert", "replace", "update", "delete", "create", "alter", "drop", "begin",
    "commit", "rollback",
  ]
  /// In names of what no store of Core Data has.
  private static let ownNames = ["temp.", "sqlite_", "dbstat"]
  /// Tables that tell of the store itself: Core Data reads them when it opens a store, and Strata whenever it asks
  /// what a file is.
  private static let descriptions = ["z_metadata", "z_modelcache"]
}
