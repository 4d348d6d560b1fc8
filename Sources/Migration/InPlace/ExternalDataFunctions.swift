internal import StrataStore
internal import StrataValues

/// What statements call where an attribute begins or ceases to keep its data in files.
enum ExternalDataFunctions {
  static let wrap = "strata_external"
  static let unwrap = "strata_inline"

  static func add(to store: borrowing SQLiteStore) {
    let path = store.path
    // The value follows in the column: real stores hold large ones so too.
    store.addFunction(wrap) { values in
      guard case .bytes(let bytes)? = values.first else { return .null }
      return .bytes([1] + bytes)
    }
    store.addFunction(unwrap) { values in
      try SQLiteStore.externalValue(values.first ?? .null, ofStoreAt: path)
    }
  }
}
