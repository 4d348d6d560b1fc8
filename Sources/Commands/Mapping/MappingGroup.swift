internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

/// Mapping models for the same two models, which `mapping lint` checks together.
struct MappingGroup {
  private var parts: [TypedMapping] = []
  private let source: NamedModel
  private let destination: NamedModel
  private var warnings: [Diagnostic] = []
  /// The policies known to the session for these models.
  private let policies: PolicyRegistry

  /// The groups in the order of their first members.
  ///
  /// - Throws: ``Diagnostic`` if the models of a mapping model are unknown.
  static func groups(of mappings: [TypedMapping], in session: Session) throws -> [MappingGroup] {
    var groups: [MappingGroup] = []
    for mapping in mappings {
      guard let (source, destination) = session.models(of: mapping) else {
        let typed = CommandLineLexer.quoted(mapping.shownPath ?? mapping.name)
        throw Diagnostic(
          id: "mapping.unknownModels",
          what: "\(mapping.name) does not contain its models",
          fix: "name them: `mapping lint \(typed) --from <model> --to <model>`")
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
        groups[index].warnings += policies.unreadable.map(\.asWarning)
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

  private func policyMethods(_ mapping: EntityMapping) -> Set<String>? {
    guard let policyName = mapping.policyName,
      let part = parts.first(where: { $0.mapping.entityMappings.contains(mapping) })
    else { return nil }
    return policies.methods(
      for: PolicyUse(
        policyName: policyName, entityMapping: mapping.name, mappingModel: part.forChoice.name,
        source: source.versionName, destination: destination.versionName))
  }

  /// The findings of the group; copies count once.
  func lint() -> MappingLintView {
    let distinct = self.parts.map(\.forChoice).distinct(mergingForms: false)
    let parts = distinct.indexes.map { self.parts[$0] }
    let lint = MappingLint(
      parts.map(\.mapping), named: parts.map(\.name), from: MatchableModel(source.model),
      to: MatchableModel(destination.model),
      omitted: parts.reduce(into: [:]) { $0.merge($1.omitted) { $0.union($1) } },
      policyMethods: policyMethods)
    return MappingLintView(
      lint.findings, names: parts.map(\.name), from: source.name, to: destination.name,
      warnings: warnings + distinct.copies.map(\.warning))
  }
}

extension Session {
  /// The models of a mapping model: those that it names or contains, else known models with its hashes.
  fileprivate func models(
    of named: TypedMapping
  ) -> (source: NamedModel, destination: NamedModel)? {
    if let source = named.source, let destination = named.destination {
      return (source, destination)
    }
    return pair(of: named.mapping, beside: named.folder)
  }

  /// The warnings about versions, loaded or beside a mapping model, that were edited after it was saved.
  fileprivate func staleWarnings(of named: TypedMapping) -> [Diagnostic] {
    let known = loadedModels() + (named.folder.map(models(in:)) ?? [])
    let candidate = named.forChoice
    guard !named.isText, named.folder != nil, let ownSource = candidate.source,
      let ownDestination = candidate.destination
    else { return [] }
    if let pair = pair(of: named.mapping, beside: named.folder),
      pair.source.model.versionHashes() != pair.destination.model.versionHashes()
    {
      return []
    }
    func version(_ own: NamedModel, _ fits: (MatchableModel) -> Bool) -> NamedModel? {
      known.first { $0.versionName == own.versionName }
        ?? known.first { fits(MatchableModel($0.model)) }
    }
    let mapping = named.mapping
    guard
      mapping.entityMappings.contains(where: { $0.sourceHash != nil || $0.destinationHash != nil })
    else {
      return [
        Diagnostic(
          id: "mapping.withoutHashes", severity: .warning,
          what:
            "\(named.name) has no version hashes, by which Core Data chooses a mapping model for a store",
          fix: "open it in Xcode and save it, which adds the models")
      ]
    }
    guard let source = version(ownSource, { mapping.sourceFit(of: $0).isPart }),
      let destination = version(ownDestination, { mapping.destinationFit(of: $0).isPart })
    else { return [] }
    let (from, to) = (typedBeside(source, named.folder), typedBeside(destination, named.folder))
    if let stale = StaleMapping(candidate, from: source, to: destination, among: []) {
      return [stale.warning(from: source, to: destination, typed: (from, to))]
    }
    let fits = [
      mapping.sourceFit(of: MatchableModel(source.model)).isPart,
      mapping.destinationFit(of: MatchableModel(destination.model)).isPart,
    ]
    guard fits == [false, false] else { return [] }
    return [
      Diagnostic(
        id: "migration.staleMapping", severity: .warning,
        what:
          "\(named.name) is stale: \(source.name) and \(destination.name) were both edited after it was saved; Core Data does not use it",
        fix: StaleMapping.fix(candidate.path, named.name, from: from, to: to))
    ]
  }

  /// The reference to a version of a bundle in a folder.
  private func typedBeside(_ model: NamedModel, _ folder: String?) -> String {
    guard let folder, (try? self.model(model.name)) == nil else { return model.name }
    let name = model.name.split(separator: "/").map(String.init)
    guard name.count == 2 else { return model.name }
    let form = BundleForm.allCases.first { isThere("\(folder)/\(name[0])\($0.bundleExtension)") }
    return form.map { shown("\(folder)/\(name[0])\($0.bundleExtension)") + "/\(name[1])" }
      ?? model.name
  }
}
