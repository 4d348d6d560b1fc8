internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// The results of inference between the versions of a bundle.
struct BundleInference {
  /// The pairs of versions to infer.
  enum Scope {
    case neighbors, toCurrent, all
  }

  let name: String
  /// The versions that can be read.
  let versions: [NamedModel]
  /// The index of the current version in `models`.
  private let current: Int?
  /// The versions that cannot be read, by name, each with its error.
  private let unreadable: [(name: String, reason: Diagnostic)]
  /// All versions by name, in their order; `nil` for one that cannot be read.
  private let allVersions: [(name: String, index: Int?)]
  private let models: [MatchableModel]
  /// The bundle as the user typed it.
  private let typed: String
  /// The mapping models that a migration could use instead of inference.
  private let mappings: [NamedMappingModel]
  private let problems: [Diagnostic]

  init(of reference: String, in session: Session) throws {
    let bundle = try session.bundle(reference)
    name = bundle.name
    typed = reference.hasSuffix("/") ? String(reference.dropLast()) : reference
    let known = try session.knownMappings(for: [reference])
    (mappings, problems) = (known.forChoice, known.problems)
    (versions, allVersions, unreadable) = Self.sorted(bundle, session.readEach(of: bundle))
    try Interruption.check()
    models = ConcurrentMap.map(versions) { MatchableModel($0.model) }
    current = bundle.versions.firstIndex { $0.name == bundle.currentVersionName }
  }

  /// The results with the findings of each pair of versions; no findings for every pair (`--all`).
  func outcome(
    of scope: Scope, in session: Session
  ) throws -> (outcome: Outcome, checked: [CheckedFile]) {
    guard versions.count > 1 else {
      if let first = unreadable.first { throw first.reason }
      let view = View.line("\(name) has one version: there is nothing to infer")
      guard scope == .all else {
        return (Outcome(view, json: [], warnings: problems), [])
      }
      return (Outcome(view, json: matrixJSON([[.compatible]])), [])
    }
    var answer = try readableOutcome(of: scope, in: session)
    guard !unreadable.isEmpty else { return answer }
    // If a version cannot be read, the result is incomplete: the other versions are still shown.
    answer.outcome.warnings += unreadable.map(\.reason)
    answer.outcome.status = .failed
    let unchecked = unreadable.map { version in
      let path = "\(typed)/\(version.name)"
      return CheckedFile(
        name: path, file: session.reportedFile(path)?.path, unchecked: version.reason)
    }
    answer.checked = unchecked + answer.checked
    return answer
  }

  private func readableOutcome(
    of scope: Scope, in session: Session
  ) throws -> (outcome: Outcome, checked: [CheckedFile]) {
    switch scope {
    case .all: return (try matrix(), [])
    case .neighbors:
      return try outcome(
        of: allVersions.indices.dropFirst().map { ($0 - 1, $0) }, in: session)
    case .toCurrent:
      guard let current else {
        throw Diagnostic(
          id: "reference.noCurrent", what: "\(name) has no current version",
          fix: "name two models: `infer \(typed)/<version> \(typed)/<version>`")
      }
      return try outcome(
        of: allVersions.indices.filter { $0 != current }.map { ($0, current) }, in: session)
    }
  }

  /// The versions of a bundle that can be read, the index of each among all versions, and the errors of the others.
  private static func sorted(
    _ bundle: ModelBundle, _ results: [Result<ObjectModel, Diagnostic>]
  ) -> (
    versions: [NamedModel], allVersions: [(name: String, index: Int?)],
    unreadable: [(name: String, reason: Diagnostic)]
  ) {
    var versions: [NamedModel] = []
    var allVersions: [(name: String, index: Int?)] = []
    var unreadable: [(name: String, reason: Diagnostic)] = []
    for (version, result) in zip(bundle.versions, results) {
      switch result {
      case .success(let model):
        allVersions.append((version.name, versions.count))
        versions.append(NamedModel(name: version.name, model: model))
      case .failure(let reason):
        allVersions.append((version.name, nil))
        unreadable.append((version.name, reason))
      }
    }
    return (versions, allVersions, unreadable)
  }

  // MARK: Single pairs

  /// The result for each pair, with its obstacles and warnings.
  private func outcome(
    of pairs: [(source: Int, destination: Int)], in session: Session
  ) throws -> (outcome: Outcome, checked: [CheckedFile]) {
    var views: [View] = []
    var checked: [CheckedFile] = []
    var json: [JSONValue] = []
    var isRefused = false
    for pair in pairs {
      try Interruption.check()
      let (before, after) = (allVersions[pair.source], allVersions[pair.destination])
      let heading = StyledText("\(before.name) -> \(after.name)  ", .heading)
      guard let source = before.index, let destination = after.index else {
        let name = before.index == nil ? before.name : after.name
        views.append(.line(heading + StyledText("unknown: \(name) cannot be read", .error)))
        json.append(Self.pairJSON(from: before.name, to: after.name))
        continue
      }
      let (old, new) = (versions[source], versions[destination])
      guard models[source].hashes != models[destination].hashes else {
        views.append(.line(heading + StyledText("compatible", .good)))
        json.append(Self.pairJSON(from: old.name, to: new.name, .compatible))
        continue
      }
      let inference = Inference(from: models[source], to: models[destination])
      let obstacles = InferenceReport(inference.obstacles, from: qualified(old), to: qualified(new))
      let warnings = InferenceReport(inference.warnings, from: qualified(old), to: qualified(new))
      let fitting = fittingMappings(from: old, to: new)
      views.append(
        .stack([
          .line(heading + inference.shownVerdict + Self.note(fitting)),
          obstacles.view, warnings.view,
        ]))
      checked.append(
        session.checkedFile(
          "\(typed)/\(old.name) -> \(new.name)", obstacles.findings + warnings.findings,
          in: qualified(new).name))
      json.append(
        Self.pairJSON(
          from: old.name, to: new.name,
          inference.isInferable ? .inferable : .refused(inference.obstacles),
          obstacles: obstacles.json, warnings: warnings.json, mappingModels: fitting))
      isRefused = isRefused || !inference.isInferable
    }
    let outcome = Outcome(
      .stack(views), json: .array(json), status: isRefused ? .no : .done, warnings: problems)
    return (outcome, checked)
  }

  /// - Parameter verdict: The verdict; `nil` if a version cannot be read.
  private static func pairJSON(
    from source: String, to destination: String, _ verdict: Inference.Verdict? = nil,
    obstacles: [JSONValue] = [], warnings: [JSONValue] = [], mappingModels: [String] = []
  ) -> JSONValue {
    .object(withoutNull: [
      "from": source, "to": destination, "verdict": verdict?.text ?? "unreadable",
      "obstacles": obstacles, "warnings": warnings,
      "mappingModels": mappingModels.isEmpty ? nil : mappingModels,
    ])
  }

  /// The mapping model that Core Data would use instead of inference; several if its choice is undefined.
  private func fittingMappings(from old: NamedModel, to new: NamedModel) -> [String] {
    let choice = MappingChoice(from: old, to: new, among: mappings)
    return (choice.chosen.map { [$0] } ?? (choice.isUndefined ? choice.fitting : [])).map(\.name)
  }

  private static func note(_ fitting: [String]) -> StyledText {
    switch fitting.count {
    case 0: ""
    case 1: StyledText("; Core Data uses \(fitting[0])", .faint)
    default:
      StyledText("; \(Phrase.list(fitting)) fit, Core Data's choice is undefined", .faint)
    }
  }

  /// The version under the name that commands use for it.
  private func qualified(_ version: NamedModel) -> NamedModel {
    NamedModel(name: "\(typed)/\(version.name)", model: version.model)
  }

  // MARK: Every pair

  /// The verdict for every pair: a row for each source, a column for each destination.
  private func matrix() throws -> Outcome {
    let table = VerdictTable(models)
    let rows = ConcurrentMap.map(Array(models.indices), reporting: "inferring mapping models") {
      Interruption.isRequested ? [] : table.verdicts(from: $0)
    }
    try Interruption.check()
    var counts = (compatible: 0, inferable: 0, refused: 0)
    // Migrations to a later version matter most, so they are counted separately.
    var forward = 0
    var reasons: [Finding: (count: Int, first: String)] = [:]
    for (source, row) in rows.enumerated() {
      for (destination, verdict) in row.enumerated() where source != destination {
        switch verdict {
        case .compatible: counts.compatible += 1
        case .inferable: counts.inferable += 1
        case .refused(let obstacles):
          counts.refused += 1
          forward += source < destination ? 1 : 0
          for obstacle in obstacles {
            reasons[
              obstacle,
              default: (0, "\(versions[source].name) -> \(versions[destination].name)")
            ].count += 1
          }
        }
      }
    }
    let total = versions.count * (versions.count - 1)
    let heading =
      StyledText(name, .heading)
      + StyledText(
        "  \(total) pairs of \(versions.count) versions: \(counts.inferable) inferable, \(counts.refused) not\(counts.refused == 0 ? "" : " (\(forward) to a later version)"), \(counts.compatible) compatible"
      )
    return Outcome(
      .stack([
        .line(heading),
        .line(
          StyledText(
            "row: source, column: destination; + inferable, x not inferable, = compatible", .faint)),
        grid(rows), Self.table(reasons),
      ]),
      json: matrixJSON(rows), status: counts.refused > 0 ? .no : .done)
  }

  /// The matrix has a string for each source, with a letter for each destination.
  private func matrixJSON(_ rows: [[Inference.Verdict]]) -> JSONValue {
    let refused = rows.enumerated().flatMap { source, row in
      row.enumerated().compactMap { destination, verdict -> JSONValue? in
        guard case .refused(let obstacles) = verdict else { return nil }
        return [
          "from": versions[source].name, "to": versions[destination].name,
          "obstacles": obstacles.map { "\($0.location): \($0.reason)" },
        ]
      }
    }
    let matrix: [String] = rows.map { $0.map(\.letter).joined() }
    return [
      "versions": versions.map(\.name), "matrix": matrix, "refused": refused,
      "unreadable": allVersions.filter { $0.index == nil }.map(\.name),
    ]
  }

  /// A line for each source, a letter for each destination, under the numbers of the columns.
  private func grid(_ rows: [[Inference.Verdict]]) -> View {
    var header: [[StyledText]] = []
    var divisor = 1
    while divisor <= versions.count {
      // Tens and hundreds are shown only where they change.
      let digits = (1...versions.count).map { number in
        number % divisor == 0 && number >= divisor ? String(number / divisor % 10) : " "
      }
      header.insert(["", "", StyledText(digits.joined(), .faint)], at: 0)
      divisor *= 10
    }
    return .table(
      columns: [.init("", .right), .init(""), .init("", isWhole: true)],
      rows: header
        + rows.enumerated().map { index, row in
          [
            StyledText(String(index + 1), .faint), StyledText(versions[index].name, .name),
            StyledText(row.map(\.letter).joined()),
          ]
        })
  }

  private static func table(_ reasons: [Finding: (count: Int, first: String)]) -> View {
    guard !reasons.isEmpty else { return .nothing }
    let sorted = reasons.sorted { a, b in
      a.value.count == b.value.count
        ? (a.key.location.description, a.key.reason) < (b.key.location.description, b.key.reason)
        : a.value.count > b.value.count
    }
    return .table(
      columns: [.init("pairs", .right), .init("obstacle"), .init(""), .init("first")],
      rows: sorted.map { obstacle, found in
        [
          StyledText(String(found.count)), StyledText(obstacle.location.description, .name),
          StyledText(obstacle.reason), StyledText(found.first, .faint),
        ]
      })
  }
}

extension Inference.Verdict {
  fileprivate var letter: String {
    switch self {
    case .compatible: "="
    case .inferable: "+"
    case .refused: "x"
    }
  }

  var text: String {
    switch self {
    case .compatible: "compatible"
    case .inferable: "inferable"
    case .refused: "not inferable"
    }
  }
}
