internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// The warnings of one command about files next to the stores that it read, and about ambiguous names. Its
/// answer contains each warning once.
struct StoreWarnings {
  private var examined: Set<String> = []
  private(set) var all: [Diagnostic] = []
  /// The number of decimals that were rounded as a document was read.
  var roundedCount = 0
  /// The errors that pages of another store cause.
  private static let symptoms: Set = [
    "store.damaged", "store.sqlite", "store.truncated", "store.noMetadata", "store.notAStore",
  ]

  /// - Returns: Whether this is the first time that the command reads the store.
  mutating func begin(_ path: String) -> Bool { examined.insert(path).inserted }

  /// Adds a warning, once.
  mutating func add(_ warning: Diagnostic) {
    guard !all.contains(where: { $0.id == warning.id && $0.location == warning.location }) else {
      return
    }
    all.append(warning)
  }

  /// Omits a warning that the answer itself gives in detail.
  mutating func remove(_ id: String) { all.removeAll { $0.id == id } }

  /// The outcome with these warnings added to its own.
  func added(to outcome: Outcome) -> Outcome {
    var outcome = outcome
    outcome.warnings += all.filter { warning in
      !outcome.warnings.contains { $0.id == warning.id && $0.location == warning.location }
    }
    return outcome
  }

  /// The error with these warnings as notes; a warning that is the cause replaces the error.
  func added(to error: Diagnostic) -> Diagnostic {
    var error = cause(of: error) ?? error
    error.notes += all.filter { $0.id != error.id }.map { warning in
      (warning.severity == .note ? "" : "\(warning.severity.rawValue): ")
        + (warning.location.map { "\($0): " } ?? "") + warning.what
    }
    return error
  }

  /// The store appears damaged only because the WAL or journal next to it belongs to another store.
  private func cause(of error: Diagnostic) -> Diagnostic? {
    let causes = [
      StoreError.foreignWAL, .unclearWAL, .foreignJournal, .unclearJournal,
    ].map(\.diagnostic)
    guard Self.symptoms.contains(error.id),
      let warning = all.first(where: { warning in causes.contains { $0.id == warning.id } }),
      error.location == nil || error.location?.file == warning.location?.file
    else { return nil }
    return causes.first { $0.id == warning.id }?.located(in: warning.location?.file ?? "")
  }
}

extension Session {
  /// Examines the files next to a store; called for every store that a command reads.
  func examineCompanions(of store: borrowing SQLiteStore) {
    guard running?.warnings?.begin(store.path) == true else { return }
    warn(of: companions(of: store), store.path)
  }

  /// The examination of the files next to a store, whose statements are not logged.
  func companions(of store: borrowing SQLiteStore) -> CompanionExamination {
    let wasMuted = running?.statements?.mute()
    defer { if let wasMuted { running?.statements?.unmute(wasMuted) } }
    return CompanionExamination(of: store, sharing: sharedModels)
  }

  /// Examines the files next to a store that could not be read.
  func examineCompanions(ofUnreadable path: String) {
    guard running?.warnings?.begin(path) == true else { return }
    warn(of: CompanionExamination(ofUnreadable: path), path)
  }

  private func warn(of examination: CompanionExamination, _ path: String) {
    for finding in examination.findings {
      running?.warnings?.add(
        Diagnostic(
          id: finding.id, severity: .warning, what: finding.message,
          location: Location(file: shown(path)), fix: finding.fixes.first?.text))
    }
  }

  /// Opens a store that an earlier command has already warned about.
  func openAgain(_ path: String, model: ObjectModel) throws(Diagnostic) -> SQLiteStore {
    let warnings = running?.warnings
    running?.warnings = nil
    defer { running?.warnings = warnings }
    return try open(path, among: [model])
  }

  /// Warns about the parts of an atomic store that are read by unproven rules.
  func warnOfUnprovenParts(of store: any AtomicStore, _ path: String, model: ObjectModel) {
    warn(
      "store.unproven",
      "parts of this store are read by unproven rules: no known file confirms them",
      path, fix: "compare a few objects with the app: `help stores`",
      store.unprovenParts(of: model))
  }

  /// Warns about the decimals of an atomic store that have more digits than are read.
  func warnOfRoundedValues(of store: any AtomicStore, _ path: String, model: ObjectModel) {
    let values = store.roundedValues(of: model)
    running?.warnings?.roundedCount = values.count
    warn(
      Self.roundedID,
      "\(Phrase.count(values.count, "value")) of Decimal attributes \(values.count == 1 ? "has" : "have") more digits "
        + "than SQLite keeps, and \(values.count == 1 ? "is" : "are") rounded where the store is read or migrated",
      path, fix: "compare the digits in the document; `migrate --strict` refuses to round them",
      values)
  }

  /// Warns about a value that has more digits than is stored.
  func warnOfRounding(to number: Double, _ property: String) {
    running?.warnings?.add(
      Diagnostic(
        id: Self.roundedID, severity: .warning,
        what: "\(property) has more digits than SQLite keeps, and is rounded to \(number)",
        fix: "write at most 15 digits"))
  }

  static let roundedID = "store.rounded"

  /// The warning about rounded values; `nil` if the command has read none.
  var roundedValues: Diagnostic? { running?.warnings?.all.first { $0.id == Self.roundedID } }

  /// Refuses the rounded values that the command has been warned about, for `--strict`.
  func checkNothingRounded() throws(Diagnostic) {
    guard var rounded = roundedValues else { return }
    rounded.severity = .error
    throw rounded
  }

  private func warn(
    _ id: String, _ what: String, _ path: String, fix: String, _ parts: [String]
  ) {
    guard !parts.isEmpty else { return }
    running?.warnings?.add(
      Diagnostic(
        id: id, severity: .warning, what: what, location: Location(file: shown(path)), fix: fix,
        notes: Phrase.first(20, of: parts)))
  }
}
