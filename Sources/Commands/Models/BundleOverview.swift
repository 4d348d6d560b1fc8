internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

/// The result of `show` for a bundle whose current version cannot be read: its other versions.
struct BundleOverview {
  private let bundle: ModelBundle
  private let results: [Result<ObjectModel, Diagnostic>]

  /// - Throws: ``Diagnostic`` if the reference is not a bundle, or all or none of its versions can be read.
  init(of reference: String, in session: Session) throws {
    bundle = try session.bundle(reference)
    results = session.readEach(of: bundle)
    let readable = results.count { (try? $0.get()) != nil }
    guard readable > 0, readable < results.count else {
      throw Diagnostic(
        id: "reference.unknown",
        what: "\(readable == 0 ? "no version" : "each version") of \(bundle.name) can be read")
    }
  }

  /// The versions with their entities; unreadable versions are reported as errors, with status 2.
  var outcome: Outcome {
    let rows = zip(bundle.versions, results).map { version, result -> [StyledText] in
      let isCurrent = version.name == bundle.currentVersionName
      return [
        StyledText(version.name, .name), Self.entities(result),
        StyledText(isCurrent ? "current" : "", .faint),
      ]
    }
    return Outcome(
      .stack([
        .line(
          StyledText(bundle.name, .heading)
            + StyledText("  \(Phrase.count(rows.count, "version"))")),
        .table(rows: rows),
      ]),
      json: zip(bundle.versions, results).json { version, result in
        .object(withoutNull: [
          "version": version.name, "isCurrent": version.name == bundle.currentVersionName,
          "entities": try? result.get().entityNames,
        ])
      },
      status: .failed,
      warnings: results.compactMap { if case .failure(let reason) = $0 { reason } else { nil } })
  }

  private static func entities(_ result: Result<ObjectModel, Diagnostic>) -> StyledText {
    switch result {
    case .success(let model):
      StyledText(Phrase.count(model.entityNames.count, "entity", "entities"))
    case .failure: StyledText("cannot be read", .error)
    }
  }
}
