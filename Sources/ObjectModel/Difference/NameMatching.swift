internal import StrataValues

/// Which elements of two models are the same one: the rule of renaming identifiers.
///
/// Two elements match when their renaming identifiers are equal, an absent one being the name; only
/// where no source element has an equal identifier does a destination identifier match the *name* of
/// a source element that is left.
///
/// Source: facts on inference, section 1.
public struct NameMatching: Sendable {
  /// An element by its name and its canonical name.
  public struct Candidate: Sendable, Hashable {
    public var name: String
    public var identifier: String

    public init(name: String, renamingIdentifier: String?) {
      self.name = name
      identifier = renamingIdentifier ?? name
    }
  }

  /// Matched names, by destination name in byte order.
  public private(set) var pairs: [(source: String, destination: String)] = []
  /// Names only in the destination.
  public private(set) var added: [String] = []
  /// Names only in the source.
  public private(set) var removed: [String] = []
  /// Destination names that several source elements claim, with those.
  public private(set) var ambiguous: [(destination: String, sources: [String])] = []

  public init(source: [Candidate], destination: [Candidate]) {
    var left = Dictionary(grouping: source, by: \.identifier)
    var unmatched: [Candidate] = []
    for element in destination.sorted(by: { $0.name.precedesInBytes($1.name) }) {
      guard var candidates = left[element.identifier], !candidates.isEmpty else {
        unmatched.append(element)
        continue
      }
      if candidates.count > 1 {
        // Of several with one identifier, the one of the same name is meant.
        if let same = candidates.firstIndex(where: { $0.name == element.name }) {
          candidates.swapAt(0, same)
        } else {
          ambiguous.append((element.name, candidates.map(\.name)))
        }
      }
      pairs.append((candidates.removeFirst().name, element.name))
      left[element.identifier] = candidates
    }
    var byName = Dictionary(
      uniqueKeysWithValues: left.values.joined().map { ($0.name, $0) })
    for element in unmatched {
      if let found = byName.removeValue(forKey: element.identifier) {
        pairs.append((found.name, element.name))
      } else {
        added.append(element.name)
      }
    }
    pairs.sort { $0.destination.precedesInBytes($1.destination) }
    removed = byName.keys.sorted { $0.precedesInBytes($1) }
  }
}

extension NameMatching {
  /// The entities of two models.
  public init(from source: ObjectModel, to destination: ObjectModel) {
    self.init(
      source: source.entities.map(\.candidate), destination: destination.entities.map(\.candidate))
  }

  public init(properties source: [some Property], _ destination: [some Property]) {
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
  fileprivate var candidate: NameMatching.Candidate {
    .init(name: name, renamingIdentifier: renamingIdentifier)
  }
}

extension Property {
  fileprivate var candidate: NameMatching.Candidate {
    .init(name: name, renamingIdentifier: renamingIdentifier)
  }
}
