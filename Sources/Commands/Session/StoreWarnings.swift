internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// What one command has found beside the stores that it read, and the names that it took in one of two meanings: its
/// answer warns of each once.
struct StoreWarnings {
  private var examined: Set<String> = []
  private(set) var all: [Diagnostic] = []
  /// What pages of another store cause.
  private static let symptoms: Set = ["store.damaged", "store.sqlite", "store.truncated"]

  /// - Returns: Whether the command has not read the store before.
  mutating func begin(_ path: String) -> Bool { examined.insert(path).inserted }

  /// Adds a warning, once.
  mutating func add(_ warning: Diagnostic) {
    guard !all.contains(where: { $0.id == warning.id && $0.location == warning.location }) else {
      return
    }
    all.append(warning)
  }

  /// Leaves out a warning that the answer itself gives in detail.
  mutating func remove(_ id: String) { all.removeAll { $0.id == id } }

  /// An answer with these warnings, besides those that it gives itself.
  func added(to outcome: Outcome) -> Outcome {
    var outcome = outcome
    outcome.warnings += all.filter { warning in
      !outcome.warnings.contains { $0.id == warning.id && $0.location == warning.location }
    }
    return outcome
  }

  /// An error with these warnings among its notes; where one of them is its cause, that is the error.
  func added(to error: Diagnostic) -> Diagnostic {
    var error = cause(of: error) ?? error
    error.notes += all.filter { $0.id != error.id }.map { warning in
      "\(warning.severity.rawValue): \(warning.location.map { "\($0): " } ?? "")\(warning.what)"
    }
    return error
  }

  /// A store is damaged only with the WAL or the journal of another one beside it.
  private func cause(of error: Diagnostic) -> Diagnostic? {
    let causes = [StoreError.foreignWAL, .foreignJournal, .unclearJournal].map(\.diagnostic)
    guard Self.symptoms.contains(error.id),
      let warning = all.first(where: { warning in causes.contains { $0.id == warning.id } }),
      error.location == nil || error.location?.file == warning.location?.file
    else { return nil }
    return causes.first { $0.id == warning.id }?.located(in: warning.location?.file ?? "")
  }
}

extension Session {
  /// Looks beside a store that the running command reads: every command that reads a store comes here.
  ///
  /// - Parameter isUnreadable: Whether reading it has failed.
  func examineCompanions(of path: String, isUnreadable: Bool = false) {
    guard running?.warnings?.begin(path) == true else { return }
    for finding in CompanionExamination(of: path, isUnreadable: isUnreadable).findings {
      running?.warnings?.add(
        Diagnostic(
          id: finding.id, severity: .warning, what: finding.message,
          location: Location(file: shown(path)), fix: finding.fixes.first?.text))
    }
  }

  /// Opens a store that an earlier command has warned of.
  func openAgain(_ path: String, model: ObjectModel) throws(Diagnostic) -> SQLiteStore {
    let warnings = running?.warnings
    running?.warnings = nil
    defer { running?.warnings = warnings }
    return try open(path, among: [model])
  }

  /// Says what of an atomic store is read by rules that no known file proves.
  func warnOfUnprovenParts(of store: any AtomicStore, _ path: String, model: ObjectModel) {
    let parts = store.unprovenParts(of: model)
    guard !parts.isEmpty else { return }
    let (limit, rest) = (20, parts.count - 20)
    running?.warnings?.add(
      Diagnostic(
        id: "store.unproven", severity: .warning,
        what: "parts of this store are read by rules that no known file proves (unproven)",
        location: Location(file: shown(path)),
        fix: "compare a few objects with what the app shows: `help stores`",
        notes: parts.prefix(limit) + (rest > 0 ? ["and \(rest) more"] : [])))
  }
}
