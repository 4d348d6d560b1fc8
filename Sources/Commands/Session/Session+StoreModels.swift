internal import StrataDiagnostics
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// The model of a store, as far as a session can tell.
struct StoreModel {
  /// `nil` where no loaded model fits and the store keeps none.
  var model: NamedModel?
  /// Whether the model is the one that the store itself keeps, and no loaded one fits.
  var isCached = false
  /// How the hashes that Strata computes from the cached model agree with those that the store records.
  var agreement: HashAgreement?
  var warnings: [Diagnostic] = []
}

extension StoreModel {
  /// The entities for which Strata computes another hash from the cached model than the store records.
  var unknownHashes: [String] { agreement?.different ?? [] }

  /// That Strata computes other hashes than the store records, where it does.
  ///
  /// - Parameter severity: An error where the work rests on the cached model: then it must be that of the
  ///   whole store, and not of more entities than the store has.
  func hashDiagnostic(
    _ severity: Diagnostic.Severity = .warning, of store: String
  ) -> Diagnostic? {
    guard let agreement, !(severity == .error ? agreement.isWhole : agreement.isPart) else {
      return nil
    }
    let finding = Finding(agreement.rule, path: store)
    return Diagnostic(
      id: finding.id, severity: severity, what: finding.message,
      location: Location(element: store), mend: finding.fixes.first?.text)
  }
}

extension Session {
  /// Every model version that is loaded, under the shortest name that reaches it.
  func loadedVersions() -> [(name: String, version: ModelVersion)] {
    loaded.flatMap { item -> [(name: String, version: ModelVersion)] in
      switch item.kind {
      case .bundle(let bundle):
        bundle.versions.map { version in
          (shortName(of: version, in: bundle) ?? "\(item.name)/\(version.name)", version)
        }
      case .model(let version): [(item.name, version)]
      case .store, .mapping: []
      }
    }
  }

  /// Every loaded model that can be read.
  func loadedModels() -> [NamedModel] {
    let versions = loadedVersions()
    readAll(versions.map(\.version))
    return versions.compactMap { name, version in
      (try? model(of: version)).map { NamedModel(name: name, model: $0) }
    }
  }

  /// The model that wrote a store: a loaded version with the same hashes, else one of `candidates`,
  /// else the model that the store keeps.
  func modelOf(
    _ store: borrowing SQLiteStore, path: String, candidates: [NamedModel] = []
  ) throws -> StoreModel {
    let hashes = store.metadata.versionHashes
    let fitting = (loadedModels() + candidates).first { $0.model.versionHashes() == hashes }
    if let fitting { return StoreModel(model: fitting) }
    do {
      guard let cached = try store.cachedModel() else { return StoreModel() }
      return StoreModel(
        model: NamedModel(name: "the store's own model", model: cached), isCached: true,
        agreement: HashAgreement(of: cached, with: store.metadata))
    } catch {
      return StoreModel(warnings: [error.diagnostic.located(in: shown(path)).asWarning])
    }
  }
}
