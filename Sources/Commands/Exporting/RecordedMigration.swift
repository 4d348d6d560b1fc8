internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataPages

/// A migration recorded for a page, small enough for it.
struct RecordedMigration {
  let title: String
  let recording: MigrationRecording
  /// The part of the page.
  let data: StepperData
  /// What the plan warns of.
  let problems: [Diagnostic]
  /// Whether the values of the store are shown.
  let reveals: Bool
  /// The policies that the default behavior replaces.
  private let replacedPolicies: [String]

  struct Options {
    /// The objects recorded of each entity mapping and pass; `nil` for as many as fit.
    var objects: Int?
    var asks: Bool
    var reveals: Bool
    /// The size in bytes below which a page stays, unless a number of objects is given.
    var size = 1_900_000
  }

  private static let stopLimit = 500
  /// The rows that are recorded even if no step touches them.
  private static let rowLimit = 400
  /// The least part of these numbers that is tried.
  private static let leastPart = 128

  /// - Parameter planned: A migration of at least one hop.
  init(
    _ planned: PlannedMigration, _ options: Options, withoutPolicies: Bool, in session: Session
  ) throws {
    problems = planned.problems + planned.plan.faults(planned.policies, isStepped: true)
    replacedPolicies =
      withoutPolicies
      ? Set(
        planned.plan.hops.flatMap(\.policyUses).filter { !planned.policies.knows($0) }
          .map(\.policyName)
      ).sorted() : []
    reveals = options.reveals || Session.isOfSample(planned.source.model)
    let (hops, mappings) = (
      planned.plan.hops, planned.plan.hops.reduce(0) { $0 + $1.entityMappings.count }
    )
    title = "\(planned.name): \(hops[0].from.name) to \(hops[hops.count - 1].to.name)"
    let count = max(2, Self.stopLimit / (2 * max(1, mappings)))
    var part = 1
    while true {
      let recording = try MigrationRecording(
        of: session.stepper(of: planned, withoutPolicies: withoutPolicies), named: planned.name,
        .init(
          objects: options.objects ?? max(1, count / part), rows: Self.rowLimit / part,
          asks: options.asks, reveals: reveals))
      let data = recording.data
      if options.objects != nil || part == Self.leastPart || data.size <= options.size {
        (self.recording, self.data) = (recording, data)
        return
      }
      // One more try is shorter than many.
      let times = max(2, min(8, data.size / max(1, options.size)))
      part = min(Self.leastPart, part * times)
    }
  }
}

extension RecordedMigration {
  /// What is lost, left out and masked.
  var notes: [String] {
    var notes: [String] = []
    if !replacedPolicies.isEmpty {
      notes.append("The default behavior replaces \(Phrase.list(replacedPolicies))")
    }
    if let model = recording.invalidModel {
      notes.append("The migration fails: objects are invalid in the \(model)")
    }
    if !recording.losses.isEmpty { notes.append("Lost: \(Phrase.list(recording.losses))") }
    if !recording.truncations.isEmpty {
      notes.append("Truncated: \(Phrase.list(recording.truncations))")
    }
    if recording.leftOut > 0 {
      notes.append(
        "\(Phrase.count(recording.leftOut, "step")) of single objects not recorded one by one")
    }
    if !reveals { notes.append("Values are masked: --reveal shows them") }
    return notes
  }

  /// The stepper, and what it leaves out.
  var parts: [HTMLPage.Part] {
    let warnings = problems.map { problem in
      HTMLPage.Part.answer(
        "\(problem.severity.rawValue): "
          + (problem.location.map { "\($0): " } ?? "") + problem.what)
    }
    return [.note("Recorded in a private copy; the store is unchanged. \(noteText)")] + warnings
      + [.stepper(data)]
  }

  var noteText: String { notes.map { "\($0). " }.joined() }
}
