internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

extension HopResult {
  var view: View {
    .stack([
      .lines(hop.steps(before: true)), report.view(of: hop),
      .lines(hop.steps(before: false)), .lines(losses.map { $0.line(revealing: isRevealing) }),
      warnings.beware,
      .lines(isProof ? report.proofLines : []),
    ])
  }
}

extension MigrationReport {
  func view(of hop: MigrationPlan.Hop) -> View {
    let rows: [[StyledText]] = entities.map { entity in
      // The parts of a hop have entity mappings of the same names.
      let part = hop.parts.count > 1 ? "\(hop.parts[entity.part].name) " : ""
      return [
        StyledText(part, .faint) + StyledText(entity.mapping, .name),
        StyledText(String(entity.source)),
        StyledText(String(entity.created)),
        StyledText(String(entity.dropped), entity.dropped > 0 ? .warning : .plain),
      ]
    }
    let table = Table(
      columns: [
        .init("\(hop.from.name) -> \(hop.to.name)"), .init("source", .right),
        .init("created", .right), .init("dropped", .right),
      ], rows: rows)
    let lines = problems.map { problem in
      StyledText("  \(problem.entity).\(problem.property)", .name)
        + StyledText(
          " \(problem.reason) in \(Words.count(problem.count, "object", "objects")): \(Self.list(problem))"
        )
        + StyledText(
          problem.stopsMigration ? "" : ": migrates, but cannot be saved as it is", .warning)
    }
    let left = untaken.map { untaken in
      StyledText("  \(untaken.entity)", .name)
        + StyledText(
          " \(Words.count(untaken.count, "object is", "objects are")) taken by no entity mapping or its filter, first p\(untaken.firstKey)",
          .warning)
    }
    return .stack([
      .table(table), .lines(left), .lines(numbers.map { $0.line() }),
      .lines(links.compactMap(\.line)),
      .lines(lines),
    ])
  }

  /// Which objects have it; where there are many, the first of them.
  private static func list(_ problem: Problem) -> String {
    let all = problem.keys.map { "p\($0)" } + problem.newKeys.map { "new p\($0)" }
    let shown = all.prefix(problem.count > 12 ? 10 : 12)
    let rest = problem.count - shown.count
    return shown.joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension LinkReport {
  /// `Topic.topicList  lost in 3 links, 1 dangling link not copied`; `nil` where all links are kept.
  var line: StyledText? {
    var parts: [String] = []
    if lost > 0 {
      parts.append(
        "\(lost) of \(Words.count(count, "link", "links")) lost"
          + (isChoice ? " (unproven: Core Data may keep others)" : ""))
    }
    if dangling > 0 {
      parts.append(
        "\(Words.count(dangling, "dangling link", "dangling links")) not copied")
    }
    guard !parts.isEmpty else { return nil }
    return StyledText("  \(relationship)", .name)
      + StyledText("  \(parts.joined(separator: ", "))", .warning)
  }
}
