internal import StrataBase
internal import StrataExpressions
internal import StrataSQLite
internal import StrataStore

/// The association tables of a migration manager: source and destination objects, by entity mapping.
///
/// If consecutive objects become consecutive objects, only key ranges are stored; otherwise the pairs are in
/// temporary tables, so memory use is independent of the size of the store.
final class AssociationTable {
  private var mappings: [String: MappingAssociations] = [:]
  /// Those of the finished parts of a hop, if they are kept.
  private var finished: [[String: MappingAssociations]] = []
  /// The entity mapping of the last association, which is most likely that of the next one.
  private var last: (name: String, associations: MappingAssociations)?
  private unowned let destination: DestinationContext
  private let sourceRoot: (String) -> String

  init(_ destination: DestinationContext, sourceRoot: @escaping (String) -> String) {
    self.destination = destination
    self.sourceRoot = sourceRoot
  }

  /// The associations of an entity mapping in the current part; `nil` if there are none.
  subscript(mapping: String) -> MappingAssociations? { mappings[mapping] }

  /// - Parameter part: The index of a part of the hop.
  subscript(mapping: String, ofPart part: Int) -> MappingAssociations? {
    part < finished.count
      ? finished[part][mapping] : part == finished.count ? mappings[mapping] : nil
  }

  /// The associations of an entity mapping in the current part, for adding to them.
  func associations(of mapping: String) -> MappingAssociations {
    if let last, last.name == mapping { return last.associations }
    let associations =
      mappings[mapping]
      ?? MappingAssociations(
        number: mappings.count + finished.reduce(0) { $0 + $1.count }, destination)
    mappings[mapping] = associations
    last = (mapping, associations)
    return associations
  }

  /// The destination objects of a source object through one entity mapping, in order of creation.
  func destinations(of source: ObjectIdentity, in mapping: String) throws -> [ObjectRef] {
    let root = source.rootEntity
    // A root is most often the entity itself, which needs no model.
    return try mappings[mapping]?.destinations(of: source.key) {
      $0 == root || sourceRoot($0) == root
    } ?? []
  }

  /// The SQL representation of the associations of an entity mapping.
  enum Form {
    case none
    /// A range of source keys, and the offset of the destination keys.
    case run(first: Int64, last: Int64, offset: Int64)
    /// A table with the columns `s` and `d`.
    case table(String)
  }

  /// Begins without associations, since each mapping model has its own manager.
  ///
  /// - Parameter isKept: Whether those of the finished part can still be listed.
  func beginPart(keepingFinished isKept: Bool) throws {
    if isKept {
      finished.append(mappings)
    } else {
      for mapping in mappings.values { try mapping.remove() }
    }
    mappings = [:]
    last = nil
  }

  /// The state outside of the temporary tables.
  struct State {
    fileprivate var mappings: [String: MappingAssociations.State]
    fileprivate var finished: [[String: MappingAssociations.State]]
  }

  var state: State {
    get {
      State(
        mappings: mappings.mapValues(\.state),
        finished: finished.map { $0.mapValues(\.state) })
    }
    set {
      mappings = newValue.mappings.mapValues { MappingAssociations($0, destination) }
      finished = newValue.finished.map { part in
        part.mapValues { MappingAssociations($0, destination) }
      }
      last = nil
    }
  }

  /// Finalizes the prepared statements.
  func forgetStatements() {
    for part in finished + [mappings] {
      for mapping in part.values { mapping.forgetStatements() }
    }
  }
}

/// The associations of one entity mapping.
final class MappingAssociations {
  /// A range of consecutive source keys of one entity with consecutive destination keys of one entity.
  fileprivate struct Run {
    var source: Int64
    var sourceEntity: String
    var destination: ObjectRef
    var count: Int64
  }

  fileprivate struct State {
    var table: String
    /// Used until the first pair that does not extend the range.
    var run: Run?
    /// Whether the pairs are in the table.
    var isWritten = false
    var hasIndexes = false
    /// The entities, by their number in the table.
    var entities: [String] = []
    /// The highest key by entity; higher keys are new.
    var highest: [String: Int64] = [:]
    var count = 0
  }

  private struct Statements {
    var insert: IntegerStatement
    var isCreated: IntegerStatement
    var destinations: IntegerStatement
    var sources: IntegerStatement
    var created: IntegerStatement
  }

  fileprivate private(set) var state: State
  private unowned let destination: DestinationContext
  private var prepared: Statements?

  fileprivate init(_ state: State, _ destination: DestinationContext) {
    self.state = state
    self.destination = destination
  }

  fileprivate convenience init(number: Int, _ destination: DestinationContext) {
    self.init(State(table: "temp.strata_associations_\(number)"), destination)
  }

  /// The number of created objects.
  var count: Int { state.count }

  func forgetStatements() { prepared = nil }

  /// The prepared statements of the table; `nil` if there is no table.
  private func statements() throws -> Statements? {
    guard prepared == nil, state.isWritten else { return prepared }
    let (table, store) = (state.table, destination)
    prepared = Statements(
      insert: try store.store.prepare("INSERT INTO \(table) VALUES (?, ?, ?, ?)"),
      isCreated: try store.store.prepare("SELECT 1 FROM \(table) WHERE de = ? AND d = ?"),
      destinations: try store.store.prepare(
        "SELECT d, de, se FROM \(table) WHERE s = ? ORDER BY rowid"),
      sources: try store.store.prepare(
        "SELECT s, se FROM \(table) WHERE de = ? AND d = ? ORDER BY rowid"),
      created: try store.store.prepare(
        "SELECT DISTINCT de, d FROM \(table) WHERE (de, d) > (?, ?) ORDER BY de, d LIMIT ?"))
    return prepared
  }

  /// The object in two columns of a row: its key, and the number of its entity.
  private func object(_ rows: IntegerStatement, _ key: Int, _ entity: Int) -> ObjectRef {
    ObjectRef(entity: state.entities[Int(rows.value(entity))], key: rows.value(key))
  }

  /// - Returns: Whether the destination object is new to the entity mapping; several source objects
  ///   can become one.
  @discardableResult
  func associate(
    _ source: Int64, entity: String, with destination: ObjectRef
  ) throws -> Bool {
    if !state.isWritten {
      guard
        !extend(
          by: Run(source: source, sourceEntity: entity, destination: destination, count: 1))
      else { return true }
      try writeDown()
    }
    let (from, to) = (number(of: entity), number(of: destination.entity))
    let statements = try statements()
    var isNew = destination.key > state.highest[destination.entity] ?? 0
    if !isNew {
      try index()
      try statements?.isCreated.bind(to, destination.key)
      isNew = try statements?.isCreated.hasRow() == false
    }
    state.highest[destination.entity] = max(state.highest[destination.entity] ?? 0, destination.key)
    try statements?.insert.bind(source, from, destination.key, to)
    try statements?.insert.run()
    if isNew { state.count += 1 }
    return isNew
  }

  /// Associates a range of consecutive source keys with consecutive destination keys.
  func add(from source: Int64, entity: String, to destination: ObjectRef, count: Int) throws {
    let run = Run(
      source: source, sourceEntity: entity, destination: destination, count: Int64(count))
    if !state.isWritten {
      guard !extend(by: run) else { return }
      try writeDown()
    }
    try insert(run)
    state.count += count
  }

  /// Begins or continues the range.
  ///
  /// - Returns: Whether that is possible.
  private func extend(by next: Run) -> Bool {
    if let known = state.run {
      guard next.source == known.source + known.count,
        next.destination.key == known.destination.key + known.count,
        next.sourceEntity == known.sourceEntity,
        next.destination.entity == known.destination.entity
      else { return false }
      state.run?.count += next.count
    } else {
      state.run = next
    }
    state.count += Int(next.count)
    return true
  }

  /// Associates the result of a query: ascending keys of source objects of one entity and of their
  /// destination objects.
  ///
  /// - Returns: The name of the table with the associations, and the row after which they are.
  func fill(
    by select: String, count: Int, entity: String, with destinationEntity: String, below key: Int64
  ) throws -> (table: String, after: Int) {
    if !state.isWritten { try writeDown() }
    let (from, to) = (number(of: entity), number(of: destinationEntity))
    let last = try destination.store.number("SELECT max(rowid) FROM \(state.table)")
    try destination.store.execute(
      "INSERT INTO \(state.table) (s, se, d, de) SELECT s, \(from), d, \(to) FROM (\(select))")
    state.highest[destinationEntity] = key - 1
    state.count += count
    return (state.table, last)
  }

  func form() throws -> AssociationTable.Form {
    guard !state.isWritten else {
      try index()
      return .table(state.table)
    }
    return state.run.map {
      .run(
        first: $0.source, last: $0.source + $0.count - 1,
        offset: $0.destination.key - $0.source)
    } ?? .none
  }

  /// Whether all objects have the keys of their source objects; `nil` if there are none.
  func keepsKeys() throws -> Bool? {
    guard state.isWritten else { return state.run.map { $0.source == $0.destination.key } }
    guard state.count > 0 else { return nil }
    return try destination.store.number(
      "SELECT EXISTS (SELECT 1 FROM \(state.table) WHERE s <> d)") == 0
  }

  private func number(of entity: String) -> Int64 {
    if let known = state.entities.firstIndex(of: entity) { return Int64(known) }
    state.entities.append(entity)
    return Int64(state.entities.count - 1)
  }

  /// Writes the range to the table as rows.
  private func writeDown() throws {
    try destination.store.execute(
      "CREATE TABLE \(state.table) (s INTEGER, se INTEGER, d INTEGER, de INTEGER)")
    state.isWritten = true
    guard let run = state.run else { return }
    state.run = nil
    try insert(run)
  }

  private func insert(_ run: Run) throws {
    guard let insert = try statements()?.insert else { return }
    let (from, to) = (number(of: run.sourceEntity), number(of: run.destination.entity))
    for step in 0..<run.count {
      try insert.bind(run.source + step, from, run.destination.key + step, to)
      try insert.run()
    }
    state.highest[run.destination.entity] = run.destination.key + run.count - 1
  }

  /// Creates the indexes on the first query; until then, rows are only inserted.
  private func index() throws {
    guard !state.hasIndexes else { return }
    let name = state.table.replacing("temp.", with: "")
    try destination.store.execute("CREATE INDEX \(state.table)_s ON \(name) (s)")
    try destination.store.execute("CREATE INDEX \(state.table)_d ON \(name) (de, d)")
    state.hasIndexes = true
  }

  func destinations(
    of source: Int64, where isOfRoot: (String) -> Bool
  ) throws -> [ObjectRef] {
    guard let statements = try statements() else {
      guard let run = state.run, source >= run.source, source < run.source + run.count,
        isOfRoot(run.sourceEntity)
      else { return [] }
      return [
        .init(
          entity: run.destination.entity, key: run.destination.key + source - run.source)
      ]
    }
    try index()
    var found: [ObjectRef] = []
    try statements.destinations.bind(source)
    while try statements.destinations.next() {
      guard isOfRoot(state.entities[Int(statements.destinations.value(2))]) else { continue }
      found.append(object(statements.destinations, 0, 1))
    }
    return found
  }

  /// The source objects of a destination object.
  ///
  /// - Parameter limit: The maximum number of source objects.
  func sources(of destination: ObjectRef, limit: Int = .max) throws -> [ObjectRef] {
    guard let statements = try statements() else {
      guard let run = state.run, destination.entity == run.destination.entity,
        destination.key >= run.destination.key, destination.key < run.destination.key + run.count
      else { return [] }
      return [
        .init(
          entity: run.sourceEntity, key: run.source + destination.key - run.destination.key)
      ]
    }
    try index()
    var found: [ObjectRef] = []
    try statements.sources.bind(number(of: destination.entity), destination.key)
    while found.count < limit, try statements.sources.next() {
      found.append(object(statements.sources, 0, 1))
    }
    return found
  }

  /// The source objects that share a destination object, each with the key of the first of them.
  func joins() throws -> [(source: ObjectRef, first: Int64)] {
    guard state.isWritten else { return [] }
    try index()
    let table = state.table
    let rows = try destination.store.prepare(
      "SELECT a.s, a.se, f.s FROM (SELECT de, d, min(rowid) AS first FROM \(table) "
        + "GROUP BY de, d HAVING count(*) > 1) AS g "
        + "JOIN \(table) AS a ON a.de = g.de AND a.d = g.d "
        + "JOIN \(table) AS f ON f.rowid = g.first ORDER BY a.rowid")
    var found: [(source: ObjectRef, first: Int64)] = []
    while try rows.next() { found.append((source: object(rows, 0, 1), first: rows.value(2))) }
    return found
  }

  /// A page of the created objects, by entity and key, after a given one.
  func created(after last: ObjectRef?, limit: Int) throws -> [ObjectRef] {
    guard let statements = try statements() else {
      guard let run = state.run else { return [] }
      let start = last.map { $0.key + 1 } ?? run.destination.key
      let count = min(run.destination.key + run.count - start, Int64(limit))
      return count > 0
        ? (start..<start + count).map { .init(entity: run.destination.entity, key: $0) } : []
    }
    try index()
    var found: [ObjectRef] = []
    try statements.created.bind(
      last.map { number(of: $0.entity) } ?? -1, last?.key ?? 0, Int64(limit))
    while try statements.created.next() {
      found.append(object(statements.created, 1, 0))
    }
    return found
  }

  /// The source keys of the created objects, by entity and key, from a given one.
  func sourceKeys(from first: ObjectRef, limit: Int) throws -> [Int64] {
    guard state.isWritten else {
      guard let run = state.run else { return [] }
      let start = first.key - run.destination.key
      return (start..<max(start, min(run.count, start + Int64(limit)))).map { run.source + $0 }
    }
    try index()
    let rows = try destination.store.prepare(
      "SELECT s FROM \(state.table) WHERE (de, d) >= (?, ?) ORDER BY de, d LIMIT ?")
    try rows.bind(number(of: first.entity), first.key, Int64(limit))
    var keys: [Int64] = []
    while try rows.next() { keys.append(rows.value(0)) }
    return keys
  }

  /// The pairs, in order of creation.
  func pairs(limit: Int) throws -> [(source: ObjectRef, destination: ObjectRef)] {
    guard state.isWritten else {
      guard let run = state.run else { return [] }
      return (0..<min(run.count, Int64(limit))).map { step in
        (
          ObjectRef(entity: run.sourceEntity, key: run.source + step),
          ObjectRef(entity: run.destination.entity, key: run.destination.key + step)
        )
      }
    }
    let rows = try destination.store.prepare(
      "SELECT s, se, d, de FROM \(state.table) ORDER BY rowid LIMIT ?")
    try rows.bind(Int64(limit))
    var found: [(source: ObjectRef, destination: ObjectRef)] = []
    while try rows.next() {
      found.append((object(rows, 0, 1), object(rows, 2, 3)))
    }
    return found
  }

  /// The number of pairs; several source objects can have become one.
  func pairCount() throws -> Int {
    guard state.isWritten else { return Int(state.run?.count ?? 0) }
    return try destination.store.number("SELECT count(*) FROM \(state.table)")
  }

  /// Removes a destination object.
  ///
  /// - Returns: Its source objects.
  func remove(_ reference: ObjectRef) throws -> [ObjectRef] {
    let sources = try sources(of: reference)
    guard !sources.isEmpty else { return [] }
    if !state.isWritten { try writeDown() }
    try index()
    let delete = try destination.store.prepare(
      "DELETE FROM \(state.table) WHERE de = ? AND d = ?")
    try delete.bind(number(of: reference.entity), reference.key)
    try delete.run()
    state.count -= 1
    return sources
  }

  func remove() throws {
    prepared = nil
    guard state.isWritten else { return }
    state.isWritten = false
    try destination.store.execute("DROP TABLE \(state.table)")
  }
}
