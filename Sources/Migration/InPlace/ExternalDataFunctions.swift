internal import StrataBase
internal import StrataStore

/// What statements call where an attribute begins or ceases to keep its data in files.
enum ExternalDataFunctions {
  static let wrap = "strata_external"
  static let unwrap = "strata_inline"

  /// What one of them threw: SQLite keeps only its words.
  final class Failure {
    var error: (any Error)?
  }

  static func add(to store: borrowing SQLiteStore, _ failure: Failure) {
    let path = store.path
    // The value follows in the column: real stores hold large ones so too.
    store.addFunction(wrap) { values in
      // What is no binary data at all stays as it is.
      guard case .bytes(let bytes)? = values.first else { return values.first ?? .null }
      return .bytes([1] + bytes)
    }
    store.addFunction(unwrap) { values in
      do {
        return try SQLiteStore.externalValue(values.first ?? .null, ofStoreAt: path)
      } catch {
        failure.error = error
        throw error
      }
    }
  }
}
