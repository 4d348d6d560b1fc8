internal import StrataBase

/// Which elements of two models are the same one: the rule of renaming identifiers.
///
/// Two elements match when their renaming identifiers are equal, an absent one being the name; only
/// where no source element has an equal identifier does a destination identifier match the *name* of
/// a source element that is left.
///
/// Source: facts on inference, section 1.
package struct NameMatching: Sendable {
  /// An element by its name and its canonical name.
  package struct Candidate: Sendable, Hashable {
    package var name: String
    package var identifier: String

    package init(name: String, renamingIdentifier: String?) {
      self.name = name
      identifier = renamingIdentifier ?? name
    }
  }

  /// Matched names, by destination name in byte order.
  package private(set) var pairs: [(source: String, destination: String)] = []
  /// Names only in the destination.
  package private(set) var added: [String] = []
  /// Names only in the source.
  package private(set) var removed: [String] = []
  /// Destination elements of which the rule does not say which source element they are.
  package private(set) var ambiguous: [Ambiguity] = []

  /// A destination element whose identifier several source elements have, or several of its own model.
  package struct Ambiguity: Sendable, Hashable {
    package var destination: String
    /// The source elements of that identifier; of very many, the first.
    package var sources: [String]
    /// The other destination elements of that identifier; of very many, the first.
    package var rivals: [String]

    static let limit = 9
  }

  package init(source: [Candidate], destination: [Candidate]) {
    // Most elements were never renamed: then a name is all there is to match.
    if (source + destination).allSatisfy({ $0.identifier == $0.name }) {
      match(names: source.map(\.name), destination.map(\.name))
      return
    }
    let claims = Dictionary(grouping: destination, by: \.identifier)
    var left: [String: Candidate] = [:]
    var unmatched = destination
    for (identifier, sources) in Dictionary(grouping: source, by: \.identifier) {
      let rest = match(sources, claims[identifier] ?? [])
      for element in rest { left[element.name] = element }
    }
    let found = Set(pairs.map(\.destination))
    unmatched.removeAll { found.contains($0.name) }
    for element in unmatched.sorted(by: { $0.name.precedesInBytes($1.name) }) {
      if let same = left.removeValue(forKey: element.identifier) {
        pairs.append((same.name, element.name))
      } else {
        added.append(element.name)
      }
    }
    pairs.sort { $0.destination.precedesInBytes($1.destination) }
    ambiguous.sort { $0.destination.precedesInBytes($1.destination) }
    removed = left.keys.sorted { $0.precedesInBytes($1) }
  }

  /// Matches names alone, of elements that no identifier renames.
  private mutating func match(names source: [String], _ destination: [String]) {
    let (old, new) = (source.sortedByBytes, destination.sortedByBytes)
    var (left, right) = (0, 0)
    while left < old.count, right < new.count {
      if old[left] == new[right] {
        pairs.append((old[left], new[right]))
        left += 1
        right += 1
      } else if old[left].precedesInBytes(new[right]) {
        removed.append(old[left])
        left += 1
      } else {
        added.append(new[right])
        right += 1
      }
    }
    removed += old[left...]
    added += new[right...]
  }

  /// Matches the elements of one identifier, and returns the source elements that are left.
  ///
  /// One on either side is the rule. Of several, those of the same names are meant, where that settles
  /// every destination element and no rename is claimed; else all are ambiguous, and are paired as well
  /// as they can be, for those who only look.
  private mutating func match(_ sources: [Candidate], _ claims: [Candidate]) -> [Candidate] {
    guard sources.count > 1 || claims.count > 1 else {
      guard let source = sources.first, let claim = claims.first else { return sources }
      pairs.append((source.name, claim.name))
      return []
    }
    var rest = sources
    var open: [Candidate] = []
    for claim in claims.sorted(by: { $0.name.precedesInBytes($1.name) }) {
      if let same = rest.firstIndex(where: { $0.name == claim.name }) {
        pairs.append((rest.remove(at: same).name, claim.name))
      } else {
        open.append(claim)
      }
    }
    let names = sources.prefix(Ambiguity.limit).map(\.name)
    let firstClaims = claims.prefix(Ambiguity.limit + 1).map(\.name)
    for claim in open {
      ambiguous.append(
        Ambiguity(
          destination: claim.name, sources: names,
          rivals: Array(firstClaims.filter { $0 != claim.name }.prefix(Ambiguity.limit))))
      if !rest.isEmpty { pairs.append((rest.removeFirst().name, claim.name)) }
    }
    return rest
  }
}

extension NameMatching {
  /// The entities of two models.
  package init(from source: ObjectModel, to destination: ObjectModel) {
    self.init(
      source: source.entities.map(\.candidate), destination: destination.entities.map(\.candidate))
  }

  package init(properties source: [some Property], _ destination: [some Property]) {
    self.init(source: source.map(\.candidate), destination: destination.map(\.candidate))
  }

  /// The same, with what is added and removed under one name taken for one element.
  ///
  /// Core Data does not match these: a renaming identifier that leads elsewhere makes an element new.
  /// A person who looks at what changed sees the same element with another identifier.
  func pairingEqualNames() -> NameMatching {
    var paired = self
    let same = Set(added).intersection(removed)
    paired.pairs = (pairs + same.map { ($0, $0) })
      .sorted { $0.destination.precedesInBytes($1.destination) }
    paired.added.removeAll(where: same.contains)
    paired.removed.removeAll(where: same.contains)
    return paired
  }
}

extension Entity {
  package var candidate: NameMatching.Candidate {
    .init(name: name, renamingIdentifier: renamingIdentifier)
  }
}

extension Property {
  package var candidate: NameMatching.Candidate {
    .init(name: name, renamingIdentifier: renamingIdentifier)
  }
}

extension [String] {
  /// In byte order; models mostly hand them out so.
  fileprivate var sortedByBytes: [String] {
    let isSorted = zip(self, dropFirst()).allSatisfy { $0.precedesInBytes($1) }
    return isSorted ? self : sorted { $0.precedesInBytes($1) }
  }
}
