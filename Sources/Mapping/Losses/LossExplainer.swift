internal import StrataBase
internal import StrataObjectModel

/// Finds losses of inference that are probably renames or splits without a renaming identifier.
struct LossExplainer {
  private let matching: ModelMatching
  private let pairs: [String: ModelMatching.Pair]
  /// The number of properties of all added entities, which each removed entity may be compared with.
  private let addedSize: Int
  private var budget = RenameProposal.Budget()
  private var proposals: [String: [RenameProposal]] = [:]

  init(_ matching: ModelMatching) {
    self.matching = matching
    pairs = Dictionary(first: matching.pairs.map { ($0.source, $0) })
    addedSize = matching.entities.added.reduce(0) {
      $0 + matching.destination.properties(of: $1).candidates.count
    }
  }

  /// The losses with better explanations, without duplicates.
  mutating func explained(_ losses: [Loss]) -> [Loss] {
    var merged: [Loss] = []
    var indices: [Finding: Int] = [:]
    for loss in losses {
      var loss = loss
      if let finding = explanation(of: loss) { loss.finding = finding }
      if let index = indices[loss.finding] {
        merged[index].sources += loss.sources
      } else {
        indices[loss.finding] = merged.count
        merged.append(loss)
      }
    }
    return merged
  }

  private mutating func explanation(of loss: Loss) -> Finding? {
    guard let source = loss.sources.first else { return nil }
    switch loss.rule {
    case .removedEntity, .unreadEntity:
      guard budget.allows(addedSize) else {
        return Finding(LossRule.removedEntity, entity: source.entity)
      }
      return RenameProposal.successor(of: source.entity, in: matching).map {
        Finding(
          LossRule.unmatchedRename(of: source.entity, to: $0.name, score: $0.score),
          entity: $0.name)
      } ?? Finding(LossRule.removedEntity, entity: source.entity)
    case .removed(let isRelationship), .unread(let isRelationship):
      guard let name = loss.finding.property, let pair = pairs[source.entity] else { return nil }
      return self.loss(of: name, pair, isRelationship: isRelationship)
        ?? Finding(LossRule.removed(isRelationship: isRelationship), at: loss.finding.location)
    default: return nil
    }
  }

  /// The probable rename or split of a removed property.
  private mutating func loss(
    of name: String, _ pair: ModelMatching.Pair, isRelationship: Bool
  ) -> Finding? {
    let before = matching.source.properties(of: pair.source)
    let after = matching.destination.properties(of: pair.destination)
    if !isRelationship, let old = before.attribute(name),
      let parts = RenameProposal.split(of: old.property, pair, in: matching, budget: &budget)
    {
      return Finding(
        LossRule.unmatchedSplit(of: name, into: parts), entity: old.declaringEntity,
        property: name)
    }
    let known =
      proposals[pair.source] ?? RenameProposal.all(for: pair, in: matching, budget: &budget)
    proposals[pair.source] = known
    guard let rename = known.first(where: { $0.source == name }),
      let owner = isRelationship
        ? after.relationship(rename.destination)?.declaringEntity
        : after.attribute(rename.destination)?.declaringEntity
    else { return nil }
    return Finding(
      LossRule.unmatchedRename(of: name, to: rename.destination, score: rename.score),
      entity: owner, property: rename.destination)
  }
}
