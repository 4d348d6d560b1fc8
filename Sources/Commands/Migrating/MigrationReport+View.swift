internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

extension HopResult {
  var view: View {
    .stack([
      .line(hop.heading(means)), .lines(hop.steps(before: true)),
      isRefused && !report.stopsMigration ? report.lossView(of: hop) : report.view(of: hop),
      .lines(hop.steps(before: false)), otherWarnings.view,
      .lines(proposal), .lines(isProof ? report.proofLines : []),
    ])
  }

  /// The warnings of the models that are not part of the receipt.
  private var otherWarnings: InferenceReport {
    InferenceReport(hop) { $0.code == nil && $0.lossRule == nil && !isLeft($0) }
  }

  /// The advice to set a renaming identifier, if a lost property could be the same as a new one; or what is needed
  /// besides, if the migration stops.
  private var proposal: [StyledText] {
    let losses = report.receipt.losses
    guard losses.values + losses.links > 0,
      hop.losses.contains(where: { $0.rule?.isUnmatched == true })
    else {
      return []
    }
    let command = CommandLineLexer.line(of: ["infer", hop.from.typableName, hop.to.typableName])
    let shows = report.stopsMigration ? "shows all fixes" : "suggests renaming identifiers"
    return [StyledText("fix: `\(command)` \(shows)", .faint)]
  }
}

extension MigrationPlan.Hop {
  /// `Model1 -> Model2  in place, inferred mapping model`
  func heading(_ means: MigrationPlan.Means) -> StyledText {
    let how =
      switch means {
      case .inPlace: "in place"
      case .passes: "in three passes into a new store"
      }
    let mapping =
      isInferred
      ? "inferred mapping model"
      : "\(parts.count == 1 ? "mapping model" : "mapping models") \(Phrase.list(parts.map(\.name)))"
    return StyledText("\(from.name) -> \(to.name)", .heading)
      + StyledText("  \(how), \(mapping)")
  }
}

extension MigrationReport {
  /// The receipt and the validation errors; if these stop the migration, nothing was created
  /// or lost.
  func view(of hop: MigrationPlan.Hop) -> View {
    guard !stopsMigration else { return .lines(problemLines + deletedLines) }
    return .stack([
      receipt.objectTable(hop),
      .lines(receipt.repeatedLines(hop) + unmappedLines + deletedLines),
      receipt.propertyView(),
      .lines(problemLines),
    ])
  }

  /// The losses that `--strict` refuses.
  func lossView(of hop: MigrationPlan.Hop) -> View {
    .stack([
      receipt.lostObjectTable(hop),
      .lines(receipt.repeatedLines(hop) + unmappedLines + deletedLines),
      receipt.propertyView(onlyLosses: true), .lines(problemLines),
    ])
  }

  /// The validation errors of the new model.
  private var problemLines: [StyledText] {
    problems.flatMap { problem in
      [
        StyledText("  \(problem.entity).\(problem.property)", .name)
          + StyledText(
            " \(problem.reason) in \(Phrase.count(problem.count, "object")): \(Self.list(problem))"
          )
          + StyledText(
            problem.stopsMigration ? "" : ": migrated, but cannot be saved unchanged", .warning),
        StyledText("    fix: ", .faint) + StyledText(problem.fix),
      ]
    }
  }

  /// The objects that no entity mapping reads: lost, or left to other mapping models.
  private var unmappedLines: [StyledText] {
    unmapped.map { unmapped in
      guard !isPart else {
        let present = unmapped.present.map {
          "; the destination had \(Phrase.count($0, "object")) of this entity"
        }
        return StyledText("  \(unmapped.entity)", .name)
          + StyledText(
            " \(Phrase.count(unmapped.count, "object is", "objects are")) left to other mapping models\(present ?? "")",
            .faint)
      }
      return StyledText("  \(unmapped.entity)", .name)
        + StyledText(
          " \(Phrase.count(unmapped.count, "object is", "objects are")) lost: no entity mapping reads \(unmapped.count == 1 ? "it" : "them"), first p\(unmapped.firstKey)",
          .warning)
    }
  }

  /// The objects that scripts of the stage delete.
  private var deletedLines: [StyledText] {
    deleted.map { deleted in
      StyledText("  \(deleted.entity)", .name)
        + StyledText(
          " \(Phrase.count(deleted.affected.count, "object is", "objects are")) deleted by the scripts of the stage"
            + deleted.affected.keyList, .warning)
    }
  }

  /// The objects with a problem; if there are many, the first of them.
  private static func list(_ problem: Problem) -> String {
    let all = problem.keys.map { "p\($0)" } + problem.newKeys.map { "new p\($0)" }
    let shown = all.prefix(problem.count > 12 ? 10 : 12)
    let rest = problem.count - shown.count
    return shown.joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }
}
