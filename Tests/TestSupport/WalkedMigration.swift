import StrataBase
package import StrataMigration
import StrataSQLite
import StrataStepping
import StrataStore
import Testing

/// A migration in the stepper: to its end, back, and there again.
package enum WalkedMigration {
  /// - Returns: What ``TableRows`` are in the destination at the end.
  package static func rows(
    of hop: MigrationPlan.Hop, from path: String, isInPlace: Bool
  ) throws -> TableRows {
    let stepper = try Stepper(
      StepperSetup(hops: [isInPlace ? hop : hop.ofDocument], spacing: .every(5)) {
        try SQLiteStore(reading: path)
      })
    func walkOn() throws {
      while !stepper.isAtEnd {
        if case .failed(let diagnostic, _) = stepper.move(.unit(.step, count: 1)).reason {
          throw diagnostic
        }
      }
    }
    try walkOn()
    #expect(try stepper.goBack(by: .step, count: 7))
    try walkOn()
    return try TableRows { try stepper.query(.destination, $0, $1) }
  }
}

/// The rows of a store's tables but of those that hold no objects or links.
package struct TableRows: Equatable {
  private var rows: [String: [String]] = [:]

  package init(ofStoreAt path: String) throws {
    let store = try SQLiteStore(reading: path)
    try self.init { try store.connection.query($0, $1) }
  }

  init(_ query: (String, ([AttributeValue]) -> Bool) throws -> [String]) throws {
    var names: [String] = []
    _ = try query("SELECT name FROM sqlite_master WHERE type = 'table'") { row in
      if case .text(let name) = row[0], !["Z_METADATA", "Z_MODELCACHE"].contains(name) {
        names.append(name)
      }
      return true
    }
    for name in names {
      var found: [String] = []
      let columns = try query("SELECT * FROM \"\(name)\"") { row in
        found.append("\(row)")
        return true
      }
      rows[name] = ["\(columns)"] + found.sorted()
    }
  }
}
