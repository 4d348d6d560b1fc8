internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// The details of the events of a step, for observers of single objects; without one there is none of these.
///
/// What it reads is not logged as statements.
final class StepDetails {
  private let log: StatementLog?
  private var kinds: [TraceEvent.Kind] = []
  /// The lookup for the relationship that is set next; without one, a policy sets it.
  var lookup: TraceLink?

  init(_ log: StatementLog?) {
    self.log = log
  }

  func add(_ kind: TraceEvent.Kind) { kinds.append(kind) }

  func take() -> [TraceEvent.Kind] {
    defer { kinds = [] }
    return kinds
  }

  func quietly<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let log else { return try body() }
    return try log.muted(body)
  }

  /// Sets a relationship and adds its details.
  func observe(
    _ relationship: Declared<Relationship>, of object: NewObject, to candidates: [NewObject],
    _ write: () throws -> Void
  ) throws {
    let name = relationship.property.name
    var link = lookup ?? TraceLink(of: object.traced, name, .policy)
    lookup = nil
    let inverse = object.context.model.inverse(of: relationship.property)
    let before = try quietly { try End(object, name, candidates, inverse) }
    try write()
    let after = try quietly { try End(object, name, candidates + before.destinations, inverse) }
    link.destinations = after.destinations.map(\.traced)
    (link.added, link.removed) = after.difference(from: before)
    link.changes = after.changes(since: before, by: object, inverse)
    add(.relationshipSet(link))
  }

  /// Adds the details of a relationship that a step does not write.
  func addUnchanged(_ link: TraceLink, _ object: NewObject) throws {
    var link = link
    link.destinations = try quietly { try object.destinations(link.relationship).map(\.traced) }
    add(.relationshipSet(link))
  }

  /// The state of a relationship of an object, and of the to-one ends of its inverse.
  private struct End {
    var destinations: [NewObject]
    /// By destination object, the object of the inverse, if that is to-one.
    private var owners: [ObjectRef: NewObject] = [:]

    init(
      _ object: NewObject, _ name: String, _ candidates: [NewObject],
      _ inverse: Declared<Relationship>?
    ) throws {
      destinations = try object.destinations(name)
      guard let inverse, !inverse.property.isToMany else { return }
      for other in candidates + destinations {
        owners[other.traced] = try other.destinations(inverse.property.name).first
      }
    }

    func difference(from before: End) -> (added: [ObjectRef], removed: [ObjectRef]) {
      let (old, new) = (before.destinations.map(\.traced), destinations.map(\.traced))
      let (known, kept) = (Set(old), Set(new))
      return (new.filter { !known.contains($0) }, old.filter { !kept.contains($0) })
    }

    /// Of an inverse that is to-many, both ends are the same rows: it changes with the relationship.
    func changes(
      since before: End, by object: NewObject, _ inverse: Declared<Relationship>?
    ) -> [TraceLink.Change] {
      guard let inverse else { return [] }
      let name = inverse.property.name
      let own = object.traced
      guard !inverse.property.isToMany else {
        let (added, removed) = difference(from: before)
        return added.map { .init(object: $0, relationship: name, added: [own], removed: []) }
          + removed.map { .init(object: $0, relationship: name, added: [], removed: [own]) }
      }
      var changes: [TraceLink.Change] = []
      let known = Set(before.owners.keys).union(owners.keys)
      for other in known.sorted(by: ObjectRef.precedes) {
        let (old, new) = (before.owners[other]?.traced, owners[other]?.traced)
        guard old != new else { continue }
        changes.append(
          .init(
            object: other, relationship: name, added: new.map { [$0] } ?? [],
            removed: old.map { [$0] } ?? []))
        // It leaves its previous owner.
        if let old, old != own, let opposite = object.relationshipName(oppositeTo: inverse) {
          changes.append(
            .init(object: old, relationship: opposite, added: [], removed: [other]))
        }
      }
      return changes
    }
  }
}

extension NewObject {
  fileprivate func relationshipName(oppositeTo inverse: Declared<Relationship>) -> String? {
    context.model.inverse(of: inverse.property)?.property.name
  }
}

extension ObjectRef {
  fileprivate static func precedes(_ a: ObjectRef, _ b: ObjectRef) -> Bool {
    a.entity == b.entity ? a.key < b.key : a.entity.precedesInBytes(b.entity)
  }
}
