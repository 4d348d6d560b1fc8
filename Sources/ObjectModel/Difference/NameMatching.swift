internal import StrataBase

/// Matches the elements of two models by their renaming identifiers.
///
/// Two elements match if their renaming identifiers are equal; a missing identifier defaults to the name. If no
/// source element has an equal identifier, a destination identifier matches the *name* of an unmatched source
/// element.
///
/// Source: `Docs/Facts/inference.md`, section 1.
package struct NameMatching: Sendable {
  /// An element: its name and its renaming identifier.
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
  /// Destination elements whose source element is ambiguous.
  package private(set) var ambiguous: [Ambiguity] = []

  /// A destination element whose identifier is shared by several source elements or several destination
  /// elements.
  package struct Ambiguity: Sendable, Hashable {
    package var destination: String
    /// The source elements with that identifier; limited to the first ones.
    package var sources: [String]
    /// The other destination elements with that identifier; limited to the first ones.
    package var rivals: [String]

    static let limit = 9
  }

  package init(source: [Candidate], destination: [Candidate]) {
    // Most elements have no renaming identifier: then only names are matched.
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

  /// This matching with the ambiguous elements of another one of the same elements.
  package func withAmbiguity(of other: NameMatching) -> NameMatching {
    var matching = self
    matching.ambiguous = other.ambiguous
    return matching
  }

  /// This matching with further pairs, of other elements.
  package func adding(_ pairs: [(source: String, destination: String)]) -> NameMatching {
    var matching = self
    matching.pairs = (self.pairs + pairs).sorted { $0.destination.precedesInBytes($1.destination) }
    return matching
  }

  /// Matches elements without renaming identifiers by name.
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

  /// Matches the elements with one identifier, and returns the unmatched source elements.
  ///
  /// Usually there is one element on each side. If there are several, elements of equal names match if that
  /// resolves every destination element without a rename; otherwise all are ambiguous, and are paired for
  /// display only.
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
  /// Matches the entities of two models.
  package init(from source: ObjectModel, to destination: ObjectModel) {
    self.init(
      source: source.entities.map(\.candidate), destination: destination.entities.map(\.candidate))
  }

  package init(properties source: [some Property], _ destination: [some Property]) {
    self.init(source: source.map(\.candidate), destination: destination.map(\.candidate))
  }

  /// The matching in which a removed and an added element of the same name count as one element.
  ///
  /// Core Data does not match these: an element whose renaming identifier names another element is new. For a
  /// reader of a difference, it is the same element with another identifier.
  func pairingEqualNames() -> NameMatching {
    let same = Set(added).intersection(removed)
    var paired = adding(same.map { ($0, $0) })
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
  /// In byte order; models usually return them in this order.
  fileprivate var sortedByBytes: [String] {
    let isSorted = zip(self, dropFirst()).allSatisfy { $0.precedesInBytes($1) }
    return isSorted ? self : sorted { $0.precedesInBytes($1) }
  }
}
