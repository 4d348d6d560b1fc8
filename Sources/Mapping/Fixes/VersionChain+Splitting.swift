internal import StrataBase
internal import StrataObjectModel

extension VersionChain {
  /// Splits a change into steps that avoid obstacles of inference and losses of values.
  ///
  /// `nil` if a step would still not be inferable: if renaming identifiers match several elements, which only
  /// the user can resolve, or if elements of a composite change their types. Losses that no destination element
  /// can prevent are in ``warnings``. The result is verified: every step can be inferred from the previous one,
  /// and the last has the hashes of the destination.
  package init?(from source: MatchableModel, to destination: MatchableModel) {
    let renames = RenameIdentifiers(from: source, to: destination)
    for keepsValues in [true, false] {
      guard let chain = Self(from: source, to: renames.destination, keepsValues: keepsValues),
        chain.hasHashes(of: destination)
      else { continue }
      self = chain
      identifiers = renames.identifiers
      return
    }
    return nil
  }

  /// - Parameter keepsValues: Whether to keep values that inference would lose.
  private init?(
    from source: MatchableModel, to destination: MatchableModel, keepsValues: Bool
  ) {
    let inference = Inference(from: source, to: destination)
    var splitter = Splitter(ModelMatching(from: source, to: destination))
    guard splitter.split(inference.obstacles) else { return nil }
    if keepsValues { splitter.keepValues(inference.warnings) }
    guard !splitter.copies.isEmpty else {
      guard inference.isInferable else { return nil }
      steps = [Step(model: destination.model, copies: [])]
      warnings = inference.warnings
      return
    }
    guard let middle = try? ObjectModel(splitter.middle), let last = try? ObjectModel(splitter.last)
    else { return nil }
    let models = [source, MatchableModel(middle), MatchableModel(last)]
    guard
      zip(models, models.dropFirst()).allSatisfy({
        Inference.Verdict(from: $0, to: $1) == .inferable
      })
    else { return nil }
    let end = ModelMatching(from: models[1], to: models[2])
    let names = end.sourceNames
    warnings =
      Inference(from: models[1], to: models[2]).warnings.filter { warning in
        guard let lost = warning.lostElement(names) else { return true }
        return !splitter.replaced.contains(lost)
      } + splitter.copies.compactMap { $0.narrowing(end) }
    steps = [
      Step(model: middle, copies: splitter.copies), Step(model: last, copies: []),
    ]
  }

  private func hasHashes(of destination: MatchableModel) -> Bool {
    steps.last?.model.versionHashes() == destination.hashes
  }
}

extension VersionChain.Copy {
  /// The losses of numbers of a copy, at the destination attribute of the copy.
  fileprivate func narrowing(_ end: ModelMatching) -> Finding? {
    guard case .values(let values) = kind, let rule = values.narrowing,
      let pair = end.pairs.first(where: { $0.source == entity })
    else { return nil }
    let name = pair.attributes.pairs.first { $0.source == values.newName }?.destination
    let attribute = name ?? values.newName
    let declared = end.destination.properties(of: pair.destination).attribute(attribute)
    return Finding(
      rule, entity: declared?.declaringEntity ?? pair.destination, property: attribute)
  }
}

extension Finding {
  /// The lost source entity and property of a warning; the property is empty for an entity.
  ///
  /// - Parameter names: Destination entity to source entity.
  fileprivate func lostElement(_ names: [String: String]) -> [String]? {
    guard let lossRule, lossRule.isOfElement else { return nil }
    guard case .unmatchedRename(let old, _, _) = lossRule else { return [entity, property ?? ""] }
    return property == nil ? [old, ""] : [names[entity] ?? entity, old]
  }
}
