internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

extension StrategyComparison {
  func view(from source: NamedModel, to target: NamedModel) -> View {
    .stack([
      .table(
        columns: [
          .init("strategy"), .init("hops from \(source.versionName)", .right),
          .init("paths to test", .right), .init("new with \(target.versionName)", .right),
          .init("no path from"),
        ],
        rows: rows.map { row in
          [
            StyledText(row.strategy.rawValue, .name),
            StyledText(
              row.hops.map(String.init)
                ?? (row.isUndefined ? "undefined" : row.errors.isEmpty ? "no path" : "error"),
              row.hops == nil ? .warning : .plain),
            StyledText(String(row.paths)), StyledText(String(row.newPaths)),
            StyledText(Phrase.list(row.missing), .warning),
          ]
        }),
      .line(
        StyledText(
          versions.isEmpty
            ? "no version is known before \(target.versionName)"
            : "paths of stores of \(Phrase.list(versions.map(\.versionName)))", .faint)),
    ])
  }

  var json: JSONValue {
    rows.json {
      .object(withoutNull: [
        "strategy": $0.strategy.rawValue, "hops": $0.hops, "paths": $0.paths,
        "newPaths": $0.newPaths, "noWayFrom": $0.missing,
      ])
    }
  }

  /// The errors because of which it is unknown whether there is a path.
  var errors: [Failure] { rows.flatMap(\.errors) }

  /// The errors as warnings, each with the strategy and the version.
  var warnings: [Diagnostic] {
    rows.flatMap { row in
      row.errors.map { error in
        var warning = error.diagnostic.asWarning
        warning.what = "\(row.strategy.rawValue) from \(error.version): \(warning.what)"
        return warning
      }
    }
  }
}
