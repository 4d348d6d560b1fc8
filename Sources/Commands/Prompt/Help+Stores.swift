internal import StrataRendering

/// `help stores`: which stores are read, written and refused, and why.
extension Help {
  private static let storeForms: [(form: String, read: String, written: String)] = [
    ("SQLite", "with or without its model", "created, filled, migrated"),
    ("XML", "objects with its model only", "created, filled, migrated"),
    ("binary", "objects with its model only", "never"),
  ]

  private static let notes = [
    "An XML or binary store is one document, read whole, up to 256 MB and 500,000 elements.",
    "Its metadata, its hashes and the counts that `show` prints need no model; for the rest,",
    "load the model that wrote it, or name it with --model or --to.",
    "A migrated XML store replaces the old one, which is kept; a binary store is",
    "migrated into a SQLite or XML store: migrate <store> --to <model> --output <file>",
  ]

  private static let refusedStores: [(store: String, reason: String)] = [
    ("in-memory store", "it has no file"),
    ("encrypted SQLite store", "it cannot be read without its key"),
    ("NSAtomicStore, NSIncrementalStore", "a subclass in an app has its own format"),
    ("database without Z_METADATA", "Core Data did not write it"),
    ("damaged store, foreign WAL", "`doctor` examines it"),
    ("binary store, other version", "only the format of 2013 to 2024 is known"),
    ("binary store with composites", "no known file shows how they are stored"),
  ]

  /// The parts of binary stores that no known file confirms; warnings name them when they are used.
  private static let unprovenParts = [
    "the order of the values: they are stored without names and read in the order of the property names",
    "Decimal, UUID and URI values, derived attributes, data that allows external storage",
    "the order of ordered relationships",
    "transformable values: they are read as archives of Core Data's default transformer",
  ]

  static var stores: Outcome {
    let forms: [[StyledText]] = storeForms.map {
      [StyledText($0.form, .name), StyledText($0.read), StyledText($0.written)]
    }
    let refused: [[StyledText]] = refusedStores.map {
      [StyledText($0.store, .name), StyledText($0.reason)]
    }
    return Outcome(
      .sections([
        .table(columns: [.init("store"), .init("read"), .init("written")], rows: forms),
        .lines(notes.map { StyledText($0) }),
        .table(columns: [.init("refused"), .init("because")], rows: refused),
        .lines(
          [StyledText("unproven: no known binary store contains it", .faint)]
            + unprovenParts.map { StyledText("  \($0)") }),
      ]),
      json: [
        "forms": storeForms.json { ["store": $0.form, "read": $0.read, "written": $0.written] },
        "refused": refusedStores.json { ["store": $0.store, "reason": $0.reason] },
        "unproven": unprovenParts,
      ])
  }
}
