internal import StrataDiagnostics
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataReports

/// Mapping models for one pair of models, which `mapping lint` judges together.
struct MappingGroup {
  private var parts: [NamedMapping] = []
  private let source: NamedModel
  private let destination: NamedModel
  private var warnings: [Diagnostic] = []
  /// Those that the session knows for these models.
  private let policies: PolicyRegistry

  /// The groups in the order of their first members.
  ///
  /// - Throws: ``Diagnostic`` where nothing tells the models of a mapping model.
  static func groups(of mappings: [NamedMapping], in session: Session) throws -> [MappingGroup] {
    var groups: [MappingGroup] = []
    for mapping in mappings {
      guard let (source, destination) = session.models(of: mapping) else {
        throw Diagnostic(
          id: "mapping.unknownModels",
          what: "\(mapping.name) does not hold the models that it is for",
          mend: "name them: mapping lint \(mapping.name) --from <model> --to <model>")
      }
      let index =
        groups.firstIndex {
          $0.source.model.versionHashes() == source.model.versionHashes()
            && $0.destination.model.versionHashes() == destination.model.versionHashes()
        } ?? groups.endIndex
      if index == groups.endIndex {
        let policies = try session.policies(
          for: mapping.references.map { [$0.source, $0.destination] } ?? [], files: [],
          in: mapping.folder)
        groups.append(MappingGroup(source: source, destination: destination, policies))
      }
      groups[index].parts.append(mapping)
      groups[index].warnings += session.staleWarnings(of: mapping)
    }
    return groups
  }

  private init(source: NamedModel, destination: NamedModel, _ policies: PolicyRegistry) {
    (self.source, self.destination) = (source, destination)
    self.policies = policies
  }

  var findings: [Finding] {
    MappingLint(
      parts.map(\.mapping), from: MatchableModel(source.model),
      to: MatchableModel(destination.model),
      omitted: parts.reduce(into: [:]) { $0.merge($1.omitted) { $0.union($1) } },
      policyMethods: policyMethods
    ).findings
  }

  private func policyMethods(_ mapping: EntityMapping) -> Set<String>? {
    guard let policyName = mapping.policyName,
      let part = parts.first(where: { $0.mapping.entityMappings.contains(mapping) })
    else { return nil }
    return policies.methods(
      for: PolicyUse(
        policyName: policyName, entityMapping: mapping.name, mappingModel: part.forChoice.name,
        source: source.versionName, destination: destination.versionName))
  }

  /// A suite of a report.
  var checked: CheckedFile {
    CheckedFile(name: parts.map(\.name).joined(separator: ", "), findings: findings)
  }

  var lint: MappingLintView {
    MappingLintView(
      findings, names: parts.map(\.name), from: source.name, to: destination.name,
      warnings: warnings)
  }
}

extension Session {
  /// The models of a mapping model: those that it names or holds, else those known that have its hashes.
  fileprivate func models(
    of named: NamedMapping
  ) -> (source: NamedModel, destination: NamedModel)? {
    if let source = named.source, let destination = named.destination {
      return (source, destination)
    }
    return pair(of: named.mapping, beside: named.folder)
  }

  /// Says where the versions that are loaded, or lie beside a mapping model, were edited after it was saved.
  fileprivate func staleWarnings(of named: NamedMapping) -> [Diagnostic] {
    let known = loadedModels() + (named.folder.map(models(in:)) ?? [])
    let candidate = named.forChoice
    guard !named.isText, named.folder != nil, let ownSource = candidate.source,
      let ownDestination = candidate.destination,
      pair(of: named.mapping, beside: named.folder) == nil
    else { return [] }
    func version(_ own: NamedModel, _ fits: (MatchableModel) -> Bool) -> NamedModel? {
      known.first { fits(MatchableModel($0.model)) }
        ?? known.first { $0.versionName == own.versionName }
    }
    guard let source = version(ownSource, { named.mapping.sourceFit(of: $0).isPart }),
      let destination = version(
        ownDestination, { named.mapping.destinationFit(of: $0).isPart })
    else { return [] }
    if let stale = StaleMapping(candidate, from: source, to: destination, among: []) {
      return [stale.warning(from: source, to: destination)]
    }
    return [
      Diagnostic(
        id: "migration.staleMapping", severity: .warning,
        what:
          "\(named.name) is stale: \(source.name) and \(destination.name) were both edited after it was saved; Core Data does not use it",
        mend: "save \(named.name) again for these versions, in Xcode or with `infer` and --write")
    ]
  }
}
