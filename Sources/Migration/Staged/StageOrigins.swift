internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// What the attributes of each object have of the values that the store had before a stage, while its statements replace
/// values: so that a value is lost where the last attribute that continues it gets another.
struct StageOrigins: Sendable {
  private var entities: [String: EntityOrigins] = [:]

  init(_ hop: MigrationPlan.Hop, _ reader: borrowing StoreReader) throws(StoreError) {
    guard let stage = hop.stage, !(stage.will.changes + stage.did.changes).isEmpty else { return }
    let model = hop.from.model
    let read = (before: stage.will.changes.paths, after: stage.did.changes.paths)
    let set = Set(stage.will.changes.flatMap(\.attributes))
    let given = Set(stage.did.changes.flatMap(\.attributes))
    for entity in model.entityNames where model[entity]?.isAbstract == false {
      let copies = hop.copies(of: entity)
      let names = model.allStoredAttributes(of: entity).map(\.name)
      var origins = EntityOrigins(of: names, kept: Set(copies.map(\.old.name)))
      // What is computed from nil has no value of it. Where the migration gives a default to an object without a value,
      // the default is none of its values.
      let continued = copies.filter { copy in
        read.after.contains(where: copy.new.name.isRead)
          || !copy.new.isOptional && given.contains(copy.new.name)
      }
      let readNames = names.filter { read.before.contains(where: $0.isRead) }
      for name in set.union(readNames + continued.map(\.old.name)).sorted() {
        for key in try reader.keys(of: entity, without: name) { origins.clear(name, of: key) }
      }
      entities[entity] = origins
    }
  }

  /// The origins of an entity's objects, without its subentities.
  subscript(_ entity: String) -> EntityOrigins {
    get { entities[entity] ?? EntityOrigins(of: [], kept: []) }
    set { entities[entity] = newValue }
  }

  /// Takes the origins of an entity out for a change, which puts them back.
  mutating func take(_ entity: String) -> EntityOrigins {
    var taken = self[entity]
    entities[entity] = nil
    taken.forgetStatements()
    return taken
  }

  /// Passes from the attributes of the source model to those of the destination model.
  mutating func migrate(along hop: MigrationPlan.Hop) {
    var migrated: [String: EntityOrigins] = [:]
    for (entity, known) in entities {
      for (new, copies) in Dictionary(grouping: hop.copies(of: entity), by: \.entity) {
        migrated[new] = known.migrated(
          along: copies, to: hop.to.model.allStoredAttributes(of: new).map(\.name))
      }
    }
    entities = migrated
  }
}

/// The origins of the values of one entity's objects.
///
/// Objects with equal origins share a state, since a stage treats most objects alike.
struct EntityOrigins: Sendable {
  /// The attributes of the source model whose values each attribute has, or is computed from; those of values that
  /// other objects got, or whose loss is already noted, are under ``elsewhere``.
  private typealias Origins = [String: Set<String>]
  static let elsewhere = ""

  private var states: [Origins]
  private var indices: [Origins: Int]
  /// The states of the objects that are not in the first one.
  private var objects: [Int64: Int] = [:]
  /// The attributes whose values are kept.
  private let kept: Set<String>
  /// The results for the statements of the current change.
  private var transitions: [Transition: (state: Int, lossCounts: [Int])] = [:]

  private struct Transition: Hashable {
    var state: Int
    var statement: Int
    var assignments: [Assignment]
  }

  /// An attribute that a statement sets.
  struct Assignment: Hashable {
    var attribute: String
    var former: Former
    /// Whether it is set to a value.
    var hasValue: Bool
  }

  /// What an attribute had before it is set.
  enum Former {
    case nothing, another
    /// The value that it is set to.
    case same
  }

  fileprivate init(of attributes: [String], kept: Set<String>) {
    self.init(
      states: [Dictionary(first: attributes.map { ($0, [$0]) })],
      kept: kept)
  }

  private init(states: [Origins], kept: Set<String>) {
    self.states = states
    self.kept = kept
    indices = Dictionary(first: states.enumerated().map { ($1, $0) })
  }

  /// - Parameter attributes: The attributes afterwards.
  fileprivate func migrated(
    along copies: [MigrationPlan.Hop.Copy], to attributes: [String]
  ) -> EntityOrigins {
    var migrated = EntityOrigins(
      states: states.map { state in
        var new: Origins = [:]
        new[Self.elsewhere] = state[Self.elsewhere]
        for copy in copies { new[copy.new.name, default: []].formUnion(state[copy.old.name] ?? []) }
        return new
      }, kept: Set(attributes))
    migrated.objects = objects
    return migrated
  }

  /// Notes that a statement sets attributes of an object, all at once.
  ///
  /// - Parameters:
  ///   - statement: The number of the statement in its change.
  ///   - paths: The key paths of the object from which the statement computes the values.
  ///   - read: The key paths that later statements read: the values of these are not lost yet.
  /// - Returns: For each assignment, how many values nothing continues any more.
  mutating func set(
    _ assignments: [Assignment], of key: Int64, by statement: Int, from paths: Set<String>,
    laterReading read: Set<String>
  ) -> [Int] {
    let transition = Transition(
      state: objects[key] ?? 0, statement: statement, assignments: assignments)
    if let known = transitions[transition] {
      objects[key] = known.state
      return known.lossCounts
    }
    let old = states[transition.state]
    var new = old
    for assignment in assignments {
      let name = assignment.attribute
      new[name] = assignment.hasValue ? origins(of: paths, in: old) : []
      if assignment.former == .same { new[name]?.formUnion(old[name] ?? []) }
    }
    let continued = continued(in: new, besides: read)
    let lossCounts = assignments.map { assignment in
      guard assignment.former == .another else { return 0 }
      let lost = (old[assignment.attribute] ?? []).subtracting(continued)
        .subtracting(new[Self.elsewhere] ?? [])
      if !lost.isEmpty { new[Self.elsewhere, default: []].formUnion(lost) }
      return lost.count
    }
    setState(new, of: key)
    transitions[transition] = (objects[key] ?? 0, lossCounts)
    return lossCounts
  }

  fileprivate mutating func forgetStatements() { transitions = [:] }

  /// Notes that an attribute of the object, or of another one, has a value of the object already.
  mutating func carry(
    _ paths: Set<String>, of key: Int64, in attribute: String = elsewhere, by statement: Int
  ) {
    let assignment = Assignment(attribute: attribute, former: .same, hasValue: true)
    _ = set([assignment], of: key, by: statement, from: paths, laterReading: [])
  }

  /// Notes that an attribute of an object had no value, before the first change.
  mutating func clear(_ attribute: String, of key: Int64) {
    let assignment = Assignment(attribute: attribute, former: .nothing, hasValue: false)
    _ = set([assignment], of: key, by: 0, from: [], laterReading: [])
  }

  /// The objects whose value of an attribute neither kept attributes nor other objects continue.
  func keys(losing attribute: String, among keys: [Int64]) -> [Int64] {
    let isLosing = states.map { state in
      state.values.contains { $0.contains(attribute) }
        && !continued(in: state, besides: []).contains(attribute)
    }
    return keys.filter { isLosing[objects[$0] ?? 0] }
  }

  private mutating func setState(_ state: Origins, of key: Int64) {
    let index = indices[state] ?? states.count
    if index == states.count {
      states.append(state)
      indices[state] = index
    }
    objects[key] = index
  }

  private func origins(of paths: Set<String>, in state: Origins) -> Set<String> {
    union(in: state) { paths.contains(where: $0.isRead) }
  }

  private func continued(in state: Origins, besides read: Set<String>) -> Set<String> {
    origins(of: read, in: state)
      .union(union(in: state) { $0 == Self.elsewhere || kept.contains($0) })
  }

  private func union(in state: Origins, where isMeant: (String) -> Bool) -> Set<String> {
    state.reduce(into: []) { union, item in
      if isMeant(item.key) { union.formUnion(item.value) }
    }
  }
}

extension MigrationPlan.Hop {
  /// A copied attribute, with the one that continues it in an entity.
  typealias Copy = (old: Attribute, new: Attribute, entity: String)

  /// The copies of a source entity's stored attributes.
  func copies(of entity: String) -> [Copy] {
    entityMappings.filter { $0.sourceName == entity }.flatMap { mapping -> [Copy] in
      guard let destination = mapping.destinationName else { return [] }
      let copied = CopiedAttributes(mapping, from: from.model, to: to.model)
      return mapping.attributeMappings.flatMap { copied.pairs($0) ?? [] }
        .map { ($0.old, $0.new, destination) }
    }
  }
}
