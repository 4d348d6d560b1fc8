internal import StrataBase
internal import StrataRendering

/// The result of `check`: what was checked, the findings, and the migrated stores.
struct CheckReport {
  /// What was checked.
  struct Checked: Sendable {
    var bundles: [String] = []
    var versions = 0
    var shipped = 0
    /// The tags of the releases, oldest first.
    var releases: [String] = []
    /// Whether shipped versions are named in the lock file only; otherwise `nil`.
    var isLocked: Bool?
    /// The revision whose plans are compared.
    var base: String?
    var mappings = 0
    var stores = 0
    /// The part of the migrations that was performed: `2/4`.
    var shard: String?
    /// The number of files, if all are as at the base: then nothing else was checked.
    var unchanged: Int?
  }

  let findings: [Finding]
  let rows: [CheckMatrix.Row]
  /// What became of the objects in the migration of each row.
  var receipts: [View] = []
  let checked: Checked
  /// The path of the folder with the checked files.
  let root: String
  let bundles: [ProjectState.Bundle]
  /// The path of the project's folder in the repository, with a slash at the end; empty if they are the same.
  let repositoryPath: String
  let unchecked: [Diagnostic]

  // MARK: View

  var view: View {
    guard checked.unchanged == nil else { return .line(heading) }
    return .sections([.stack([.line(heading), .line(verdict)]), .stack(findingViews), matrix])
  }

  /// `checked 1 bundle: 5 versions, 4 shipped in 7 releases (v1.0 … v2.3), 2 mapping models, 1 store; base v2.3`.
  var heading: StyledText {
    if let count = checked.unchanged {
      return StyledText("nothing changed since \(checked.base ?? ""): ")
        + StyledText(
          "\(Phrase.count(count, "file")) of models, migrations and stores \(count == 1 ? "is" : "are") equal"
        )
    }
    guard !checked.bundles.isEmpty else {
      return findings.isEmpty ? "nothing was checked" : "the project has no bundle any more"
    }
    let releases = checked.releases
    let range =
      releases.count > 1 ? "\(releases[0]) … \(releases[releases.count - 1])" : releases.first ?? ""
    let sources =
      (releases.isEmpty ? [] : ["\(Phrase.count(releases.count, "release")) (\(range))"])
      + (checked.isLocked == true ? [LockFile.fileName] : [])
    let shipped =
      sources.isEmpty
      ? "no releases" : "\(checked.shipped) shipped in \(sources.joined(separator: " and "))"
    let performed = rows.count { $0.performed }
    let migrations =
      performed == rows.count
      ? Phrase.count(performed, "migration")
      : "\(performed) of \(rows.count) migrations performed"
    let parts =
      [
        Phrase.count(checked.versions, "version"), shipped,
        Phrase.count(checked.mappings, "mapping model"), Phrase.count(checked.stores, "store"),
      ] + (rows.isEmpty ? [] : [migrations])
    let bundles =
      checked.bundles.count > 3
      ? "\(checked.bundles.count) bundles" : Phrase.list(checked.bundles)
    return StyledText("checked ") + StyledText(bundles, .name)
      + StyledText(": \(parts.joined(separator: ", "))")
      + StyledText(checked.base.map { "; compared with \($0)" } ?? "", .faint)
      + StyledText(checked.shard.map { "; migrations \($0)" } ?? "", .faint)
  }

  var verdict: StyledText {
    let counted = findings.filter { $0.acceptance == nil }
    let accepted = findings.count - counted.count
    let problems =
      counted.isEmpty
      ? StyledText(
        "no \(accepted > 0 ? "other " : "")problems found\(unchecked.isEmpty ? "" : " in what could be checked")",
        unchecked.isEmpty ? .good : .warning)
      : StyledText(counted.counts, counted.first?.severity.style ?? .plain)
    return problems
      + StyledText(accepted > 0 ? "; \(Phrase.count(accepted, "finding")) accepted" : "")
  }

  /// The findings; fixes that the next finding repeats are shown with the last one.
  private var findingViews: [View] {
    findings.indices.map { index in
      var finding = findings[index]
      if index + 1 < findings.count, findings[index + 1].fixes == finding.fixes {
        finding.fixes = []
      }
      return .lines(finding.lines(at: finding.checkedSubject))
    }
  }

  private var matrix: View { rows.isEmpty ? .nothing : .table(table) }

  /// The migrated stores.
  var table: Table {
    let isShared = Set(rows.map(\.bundle)).count > 1
    return Table(
      columns: (isShared ? [.init("bundle")] : []) + [
        .init("from"), .init("to"), .init("store"), .init("by"),
        .init("objects", .right), .init("losses", .right), .init("result"),
      ],
      rows: rows.map { row in
        // Of a migration that stops nothing is known to be kept or lost.
        let isCounted = row.performed && row.problem == nil
        return (isShared ? [StyledText(row.bundle, .faint)] : []) + [
          StyledText(row.from, .name), StyledText(row.to, .name),
          StyledText(row.store ?? "generated", row.store == nil ? .faint : .plain),
          StyledText(row.means), StyledText(isCounted ? "\(row.objects)" : ""),
          StyledText(isCounted ? "\(row.lost)" : "", row.lost == 0 ? .plain : .warning),
          row.problem.map { StyledText($0, .error) } ?? StyledText("migrated", .good),
        ]
      })
  }

  // MARK: Reports

  /// What could not be checked is at a file, with its line and column as far as known.
  var json: JSONValue {
    [
      "checked": checked.json, "findings": findings.json(\.checkedJSON),
      "migrations": rows.json(\.json),
      "unchecked": unchecked.json {
        .object(withoutNull: [
          "id": $0.id, "message": $0.what, "place": $0.location?.description, "fix": $0.fix,
        ])
      },
    ]
  }
}

extension CheckReport.Checked {
  fileprivate var json: JSONValue {
    .object(withoutNull: [
      "bundles": bundles, "versions": versions, "shipped": shipped, "releases": releases,
      "isLocked": isLocked, "base": base, "mappings": mappings, "stores": stores, "shard": shard,
      "unchanged": unchanged,
    ])
  }
}

extension CheckMatrix.Row {
  fileprivate var json: JSONValue {
    .object(withoutNull: [
      "bundle": bundle, "from": from, "to": to, "store": store, "means": means,
      "objects": objects, "lost": lost, "seconds": seconds, "problem": problem,
      "performed": performed, "unknownPolicies": unknownPolicies,
    ])
  }
}

extension Finding {
  /// The finding is the text by which it can be accepted: `loss/values Wallet: Wallet 6 -> Wallet 7: Card.color`.
  fileprivate var checkedJSON: JSONValue {
    let accepted = acceptance.map {
      JSONValue.object(withoutNull: ["reason": $0.reason, "until": $0.until])
    }
    return .object(withoutNull: [
      "rule": id, "severity": severity.rawValue, "finding": checkedName,
      "bundle": location.bundle, "version": location.version, "entity": location.entity,
      "property": location.property, "file": location.file, "line": location.line,
      "message": message, "fixes": fixes.map(\.text), "commands": fixes.flatMap(\.commands),
      "accepted": accepted,
    ])
  }

  /// `Wallet: Wallet 6 -> Wallet 7: Card.color`, as far as known; a store or a mapping model by its file.
  var checkedSubject: String {
    let inner = location.subject.map { owner in location.property.map { "\(owner).\($0)" } ?? owner
    }
    let parts = [location.bundle, location.version, inner].compactMap { $0 }
    return parts.isEmpty ? location.description : parts.joined(separator: ": ")
  }
}

extension CheckReport {
  /// The report of a project whose files are all as at a revision.
  init(unchanged count: Int, since revision: String, in repository: ProjectRepository) {
    self.init(
      findings: [], rows: [], checked: Checked(base: revision, unchanged: count), root: "",
      bundles: [], repositoryPath: repository.prefix, unchecked: [])
  }

  /// The report of a check that stopped.
  ///
  /// - Parameter folder: The folder as typed.
  init(failed problem: Diagnostic, in folder: String, _ session: Session) {
    let root = (try? session.projectRoot(folder)) ?? ""
    let repository = try? ProjectRepository(containing: root, in: session)
    self.init(
      findings: [], rows: [], checked: Checked(), root: root, bundles: [],
      repositoryPath: repository?.prefix ?? "", unchecked: [problem])
  }
}
