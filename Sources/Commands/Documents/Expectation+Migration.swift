internal import ArgumentParser
internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// Expectations about a migration from one model to another.
extension Expectation {
  /// Both subjects as they were typed: `Model1 to Model2`.
  private var direction: String { subjects.suffix(2).joined(separator: " to ") }

  /// Whether `plan` finds a path.
  func reaches(in session: Session) throws -> ExpectationResult {
    let (plan, holds) = try plan(in: session)
    return ExpectationResult(
      holds: holds, message: "there is \(holds ? "a" : "no") path from \(direction)",
      expected: "a path", details: plan.view)
  }

  /// Whether a mapping model can be inferred, and `infer` gives no warning; notes do not count.
  func safe(in session: Session) throws -> ExpectationResult {
    var infer = try Infer.parse(["--"] + subjects)
    let answer = try infer.run(in: session)
    guard answer.status == .done else {
      return ExpectationResult(
        holds: false, message: "\(direction) is not inferable",
        expected: "inferable without a warning",
        details: answer.view)
    }
    // An unreadable file next to the models is not a warning about the models.
    let others = answer.warnings.filter { $0.id == "migration.mappingModel" }
    let models = try subjects.map { try session.model($0).model }
    let warnings = Inference(from: models[0], to: models[1]).warnings
    let count = others.count + warnings.count { $0.severity != .note }
    return ExpectationResult(
      holds: count == 0,
      message:
        "\(direction) is inferable with \(count == 0 ? "no warnings" : Phrase.count(count, "warning"))",
      expected: "inferable without a warning",
      details: .stack([
        answer.view, .lines(others.map { StyledText("warning: \($0.what)", .warning) }),
      ]))
  }

  /// Whether the version hashes of a mapping model are those of a source and a destination.
  func fits(in session: Session) throws -> ExpectationResult {
    let mapping = try session.mapping(subjects[0]).mapping
    let models = try subjects.dropFirst().map { MatchableModel(try session.model($0).model) }
    let holds = mapping.fit(from: models[0], to: models[1]).isFitting
    return ExpectationResult(
      holds: holds, message: "\(subjects[0]) \(holds ? "fits" : "does not fit") \(direction)",
      expected: "a mapping model that fits",
      details: holds ? .nothing : try FittingModels(subjects, in: session).outcome.view)
  }

  // MARK: Rehearsals

  /// Whether a rehearsal of the migration succeeds.
  func migrates(in session: Session) throws -> ExpectationResult {
    let rehearsal = try rehearsal(in: session)
    return ExpectationResult(
      holds: rehearsal.succeeds,
      message:
        "\(subjects[0]) \(rehearsal.succeeds ? "migrates" : "does not migrate") to \(subjects[1])",
      expected: "a rehearsal that succeeds", details: rehearsal.view)
  }

  /// Whether a rehearsal loses nothing.
  ///
  /// - Throws: ``Diagnostic`` if the rehearsal fails: then the losses are unknown.
  func losesNothing(in session: Session) throws -> ExpectationResult {
    let rehearsal = try rehearsal(in: session)
    guard let hops = rehearsal.hops else {
      throw Diagnostic(
        id: "expect.noMigration",
        what: "\(subjects[0]) does not migrate to \(subjects[1]), so its losses are unknown",
        fix: rehearsalCommand)
    }
    let isRounding = !hops.isEmpty && session.roundedValues != nil
    let losses = hops.rehearsedLosses + (isRounding ? ["digits of Decimal values"] : [])
    let migration = "the migration of \(subjects[0]) to \(subjects[1])"
    return ExpectationResult(
      holds: losses.isEmpty,
      message: "\(migration) loses \(losses.isEmpty ? "nothing" : Phrase.list(losses))",
      expected: "no loss",
      details: .line(StyledText("`\(rehearsalCommand)` shows the whole rehearsal", .faint)))
  }

  /// The command that shows the complete rehearsal.
  private var rehearsalCommand: String {
    CommandLineLexer.line(
      of: ["migrate", subjects[0], "--to", subjects[1]] + (stages.map { ["--stages", $0] } ?? [])
        + ["--dry-run"])
  }

  /// The migration as arguments of `plan` and `migrate`.
  private var migrationArguments: [String] {
    ["--to=\(subjects[1])"] + (stages.map { ["--stages=\($0)"] } ?? []) + ["--", subjects[0]]
  }

  private struct Rehearsal {
    /// The results of its hops; `nil` if the migration is not possible.
    var hops: [HopResult]?
    /// The reason why it is not possible, without values of the store.
    var view = View.nothing
    var succeeds: Bool { hops != nil }
  }

  /// - Throws: ``Diagnostic`` if it cannot be tried, for example because the store is unreadable.
  private func rehearsal(in session: Session) throws -> Rehearsal {
    let (plan, hasPath) = try plan(in: session)
    guard hasPath else { return Rehearsal(view: plan.view) }
    let arguments = try MigrationArguments.parse(migrationArguments)
    do {
      let (answer, hops) = try MigrationJob(
        migration: arguments, dryRun: true, oldStore: OldStoreOptions.parse([])
      ).answer(in: session)
      return answer.status == .done
        ? Rehearsal(hops: hops) : Rehearsal(view: .lines(hops.refusals))
    } catch let error as any DiagnosticError
      where RehearsalAnswer.isNo(error) || plan.status != .done
    {
      return Rehearsal(view: .line(StyledText(error.diagnostic.what)))
    }
  }

  private func plan(in session: Session) throws -> (outcome: Outcome, hasPath: Bool) {
    try Plan.parse(migrationArguments).answer(in: session)
  }
}

extension [HopResult] {
  /// The validation problems in the destination model, as lines.
  fileprivate var refusals: [StyledText] {
    flatMap(\.report.problems).filter(\.stopsMigration).map { problem in
      StyledText("  \(problem.entity).\(problem.property)", .name)
        + StyledText(" \(problem.reason) in \(Phrase.count(problem.count, "object"))")
    }
  }
}
