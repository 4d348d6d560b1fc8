internal import StrataBase
internal import StrataStore

/// SQL functions for attributes that start or stop storing data in external files.
enum ExternalDataFunctions {
  static let wrap = "strata_external"
  static let unwrap = "strata_inline"

  /// The error thrown by a function, of which SQLite keeps only the message.
  final class Failure {
    var error: (any Error)?
  }

  static func add(to store: borrowing SQLiteStore, _ failure: Failure) {
    let path = store.path
    // The value is stored in the column; real stores also contain large ones there.
    store.addFunction(wrap) { values in
      // Values that are not binary data are unchanged.
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
