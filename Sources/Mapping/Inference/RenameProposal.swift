internal import StrataBase
internal import StrataObjectModel

/// A removed and an added element that are probably a rename without a renaming identifier.
struct RenameProposal {
  var source: String
  var destination: String
  var score: RenameScore

  /// The minimum score of a proposal.
  private static let threshold = 0.6

  /// The maximum number of comparisons in one inference, as a protection against malicious models.
  struct Budget {
    var comparisons = 5_000

    /// Whether this number of comparisons is still allowed; it is subtracted from the budget.
    mutating func allows(_ count: Int) -> Bool {
      guard count <= comparisons else { return false }
      comparisons -= count
      return true
    }
  }

  /// The likely renames among the properties of an entity, the best first; each property occurs at most once.
  static func all(
    for pair: ModelMatching.Pair, in matching: ModelMatching, budget: inout Budget
  ) -> [RenameProposal] {
    let before = matching.source.properties(of: pair.source)
    let after = matching.destination.properties(of: pair.destination)
    var proposals: [RenameProposal] = []
    if budget.allows(pair.attributes.removed.count * pair.attributes.added.count) {
      let removed = pair.attributes.removed.compactMap { before.attribute($0)?.property }
      let added = pair.attributes.added.compactMap { after.attribute($0)?.property }
      let (removedTypes, addedTypes) = (counts(removed.map(\.type)), counts(added.map(\.type)))
      for old in removed {
        for new in added where new.type == old.type {
          let isOnly = removedTypes[old.type] == 1 && addedTypes[old.type] == 1
          proposals += [weigh(old, new, isOnly: isOnly)].compactMap { $0 }
        }
      }
    }
    if budget.allows(pair.relationships.removed.count * pair.relationships.added.count) {
      let removed = pair.relationships.removed.compactMap { before.relationship($0)?.property }
      let added = pair.relationships.added.compactMap { after.relationship($0)?.property }
      let (removedNames, addedNames) = (
        counts(removed.map(\.destinationName)), counts(added.map(\.destinationName))
      )
      for old in removed {
        for new in added where matching.sourceNames[new.destinationName] == old.destinationName {
          let isOnly =
            removedNames[old.destinationName] == 1 && addedNames[new.destinationName] == 1
          proposals += [weigh(old, new, isOnly: isOnly)].compactMap { $0 }
        }
      }
    }
    proposals.sort { a, b in
      a.score.value == b.score.value
        ? (a.source, a.destination) < (b.source, b.destination) : a.score.value > b.score.value
    }
    var used: (Set<String>, Set<String>) = ([], [])
    return proposals.filter { proposal in
      guard !used.0.contains(proposal.source), !used.1.contains(proposal.destination) else {
        return false
      }
      used.0.insert(proposal.source)
      used.1.insert(proposal.destination)
      return true
    }
  }

  private static func counts<Value: Hashable>(_ values: [Value]) -> [Value: Int] {
    values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private static func weigh(_ old: Attribute, _ new: Attribute, isOnly: Bool) -> RenameProposal? {
    var evidence = ["both are \(new.type.name)"]
    var score = 0.4
    if isOnly {
      score += 0.2
      evidence.append("no other \(new.type.name) is added or removed")
    }
    if old.isOptional == new.isOptional, old.defaultValue == new.defaultValue {
      score += 0.1
    }
    return proposal(old.name, new.name, score, evidence)
  }

  private static func weigh(
    _ old: Relationship, _ new: Relationship, isOnly: Bool
  ) -> RenameProposal? {
    var evidence = ["both have the destination \(new.destinationName)"]
    var score = 0.4
    if isOnly {
      score += 0.2
      evidence.append("no other relationship to it is added or removed")
    }
    if old.isToMany == new.isToMany, old.inverseName == new.inverseName { score += 0.1 }
    return proposal(old.name, new.name, score, evidence)
  }

  private static func proposal(
    _ old: String, _ new: String, _ score: Double, _ evidence: [String]
  ) -> RenameProposal? {
    // Only the beginning of a very long name is compared.
    let (oldName, newName) = (String(old.prefix(40)), String(new.prefix(40)))
    let (oldComponents, newComponents) = (
      Set(components(of: oldName)), Set(components(of: newName))
    )
    let common = Double(oldComponents.intersection(newComponents).count)
    let likeness = max(
      NearestName.likeness(oldName, newName),
      common / Double(max(1, oldComponents.union(newComponents).count)))
    let isAlike = likeness >= 0.6
    let total = score + (isAlike ? 0.3 * likeness : 0)
    guard total >= threshold else { return nil }
    return RenameProposal(
      source: old, destination: new,
      score: RenameScore(total, evidence + (isAlike ? ["the names are similar"] : [])))
  }

  /// The words of a name: `presenterName` consists of `presenter` and `name`.
  static func components(of name: String) -> [String] {
    var components: [String] = []
    for letter in name {
      if letter.isUppercase || components.isEmpty || letter == "_" {
        components.append("")
      }
      if letter != "_" { components[components.count - 1] += letter.lowercased() }
    }
    return components.filter { !$0.isEmpty }
  }

  /// The added attributes into which an attribute was probably split: two or more of its type whose names
  /// contain its name, such as `firstName` and `lastName` for `name`.
  static func split(
    of old: Attribute, _ pair: ModelMatching.Pair, in matching: ModelMatching,
    budget: inout Budget
  ) -> [String]? {
    guard budget.allows(pair.attributes.added.count) else { return nil }
    let wanted = components(of: old.name)
    let after = matching.destination.properties(of: pair.destination)
    let parts = pair.attributes.added.filter { name in
      let found = components(of: name)
      return after.attribute(name)?.property.type == old.type && found.count > wanted.count
        && (found.starts(with: wanted) || Array(found.suffix(wanted.count)) == wanted)
    }
    return parts.count > 1 ? parts : nil
  }

  /// The added entity that is probably a renamed one, with the evidence.
  static func successor(
    of name: String, in matching: ModelMatching
  ) -> (name: String, score: RenameScore)? {
    let old = Set(matching.source.properties(of: name).candidates.map(\.name))
    guard !old.isEmpty else { return nil }
    var best: (name: String, shared: Int, total: Int)?
    for added in matching.entities.added {
      let new = Set(matching.destination.properties(of: added).candidates.map(\.name))
      let (shared, total) = (old.intersection(new).count, old.union(new).count)
      guard shared * 2 > old.count,
        shared * (best?.total ?? 1) > (best?.shared ?? 0) * total
      else { continue }
      best = (added, shared, total)
    }
    return best.map {
      (
        $0.name,
        RenameScore(
          Double($0.shared) / Double($0.total),
          ["\($0.shared) of its \(old.count) properties have the same names"])
      )
    }
  }
}

/// The score of a probable rename without a renaming identifier.
package struct RenameScore: Sendable, Hashable {
  /// From 0 to 1, rounded to hundredths.
  package var value: Double
  /// The descriptions of the evidence.
  package var evidence: [String]

  init(_ value: Double, _ evidence: [String]) {
    self.value = (min(1, value) * 100).rounded() / 100
    self.evidence = evidence
  }
}
