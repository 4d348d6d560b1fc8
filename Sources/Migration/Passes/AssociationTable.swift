internal import StrataExpressions
internal import StrataStore
internal import StrataTraceEvents

/// Which destination objects came from which source object, through which entity mapping: what a
/// migration manager keeps between the passes.
///
/// Where every object in turn becomes one, two numbers tell it all; else the pairs stand in temporary
/// tables, so that memory does not grow with the store.
final class AssociationTable {
  private var mappings: [String: MappingAssociations] = [:]
  /// That of the last association: the next one is most likely of the same entity mapping.
  private var last: (name: String, associations: MappingAssociations)?
  private unowned let destination: DestinationContext
  private let sourceRoot: (String) -> String

  init(_ destination: DestinationContext, sourceRoot: @escaping (String) -> String) {
    self.destination = destination
    self.sourceRoot = sourceRoot
  }

  /// - Returns: Whether the destination object is new to the entity mapping: several source objects may
  ///   become one.
  @discardableResult
  func associate(
    _ source: Int64, entity: String, with destination: Int64, entity made: String,
    in mapping: String
  ) throws -> Bool {
    try associations(of: mapping).associate(
      source, entity: entity, with: TraceObject(entity: made, key: destination))
  }

  private func associations(of mapping: String) -> MappingAssociations {
    if let last, last.name == mapping { return last.associations }
    let associations =
      mappings[mapping] ?? MappingAssociations(number: mappings.count, destination)
    mappings[mapping] = associations
    last = (mapping, associations)
    return associations
  }

  /// The destination objects of a source object through one entity mapping, in the order in which they
  /// were made.
  func destinations(of source: ObjectIdentity, in mapping: String) throws -> [TraceObject] {
    try mappings[mapping]?.destinations(of: source.key) { sourceRoot($0) == source.rootEntity }
      ?? []
  }

  /// The source objects of a destination object, and their entities.
  func sources(of made: TraceObject, in mapping: String) throws -> [(key: Int64, entity: String)] {
    try mappings[mapping]?.sources(of: made) ?? []
  }

  /// How many objects an entity mapping made.
  func count(madeBy mapping: String) -> Int { mappings[mapping]?.count ?? 0 }

  /// The objects that an entity mapping made, by entity and key: so many behind one of them.
  func made(by mapping: String, after last: TraceObject?, limit: Int) throws -> [TraceObject] {
    try mappings[mapping]?.made(after: last, limit: limit) ?? []
  }

  /// How the associations of an entity mapping can be followed in SQL.
  enum Form {
    case none
    /// Keys of the source from the first to the last; the destination's are so much higher.
    case run(first: Int64, last: Int64, offset: Int64)
    /// A table with the columns `s` and `d`.
    case table(String)
  }

  func form(of mapping: String) throws -> Form { try mappings[mapping]?.form() ?? .none }

  /// Objects of one entity with keys in a row became as many of another.
  func associateRun(
    from source: Int64, entity: String, to made: TraceObject, count: Int, in mapping: String
  ) { associations(of: mapping).set(from: source, entity: entity, to: made, count: count) }

  /// Associates what a query gives: the keys of source objects of one entity and of the objects of another
  /// that they become, both ascending.
  ///
  /// - Returns: The table that holds them.
  func associateAll(
    _ select: String, count: Int, entity: String, with made: String, below key: Int64,
    in mapping: String
  ) throws -> String {
    try associations(of: mapping).fill(
      by: select, count: count, entity: entity, with: made, below: key)
  }

  /// Forgets everything: each mapping model has a manager of its own.
  func removeAll() throws {
    for mapping in mappings.values { try mapping.remove() }
    mappings = [:]
    last = nil
  }
}

/// The associations of one entity mapping.
private final class MappingAssociations {
  /// Source objects of one entity with keys in a row that became objects of one entity with keys in a
  /// row.
  private struct Run {
    var source: Int64
    var sourceEntity: String
    var destination: TraceObject
    var count: Int64 = 1
  }

  private struct Statements {
    var insert: IntegerStatement
    var isMade: IntegerStatement
    var destinations: IntegerStatement
    var sources: IntegerStatement
    var made: IntegerStatement
  }

  private let table: String
  private unowned let destination: DestinationContext
  /// Until the first pair that fits none.
  private var run: Run?
  private var statements: Statements?
  private var hasIndexes = false
  /// Entities by the number that the table has for them.
  private var entities: [String] = []
  /// By entity: higher ones are new.
  private var highest: [String: Int64] = [:]
  private(set) var count = 0

  init(number: Int, _ destination: DestinationContext) {
    table = "temp.strata_associations_\(number)"
    self.destination = destination
  }

  func associate(
    _ source: Int64, entity: String, with made: TraceObject
  ) throws -> Bool {
    if statements == nil {
      guard let known = run else {
        run = Run(source: source, sourceEntity: entity, destination: made)
        count = 1
        return true
      }
      if source == known.source + known.count, made.key == known.destination.key + known.count,
        entity == known.sourceEntity, made.entity == known.destination.entity
      {
        run?.count += 1
        count += 1
        return true
      }
      try writeDown()
    }
    let (from, to) = (number(of: entity), number(of: made.entity))
    var isNew = made.key > highest[made.entity] ?? 0
    if !isNew {
      try index()
      try statements?.isMade.bind(to, made.key)
      isNew = try statements?.isMade.hasRow() == false
    }
    highest[made.entity] = max(highest[made.entity] ?? 0, made.key)
    try statements?.insert.bind(source, from, made.key, to)
    try statements?.insert.run()
    if isNew { count += 1 }
    return isNew
  }

  func set(
    from source: Int64, entity: String, to made: TraceObject, count: Int
  ) {
    run = Run(source: source, sourceEntity: entity, destination: made, count: Int64(count))
    self.count = count
  }

  func fill(
    by select: String, count: Int, entity: String, with made: String, below key: Int64
  ) throws -> String {
    try writeDown()
    let (from, to) = (number(of: entity), number(of: made))
    try destination.store.execute(
      "INSERT INTO \(table) (s, se, d, de) SELECT s, \(from), d, \(to) FROM (\(select))")
    highest[made] = key - 1
    self.count += count
    return table
  }

  func form() throws -> AssociationTable.Form {
    guard statements == nil else {
      try index()
      return .table(table)
    }
    return run.map {
      .run(
        first: $0.source, last: $0.source + $0.count - 1,
        offset: $0.destination.key - $0.source)
    } ?? .none
  }

  private func number(of entity: String) -> Int64 {
    if let known = entities.firstIndex(of: entity) { return Int64(known) }
    entities.append(entity)
    return Int64(entities.count - 1)
  }

  /// The run becomes rows.
  private func writeDown() throws {
    try destination.store.execute(
      "CREATE TABLE \(table) (s INTEGER, se INTEGER, d INTEGER, de INTEGER)")
    let statements = Statements(
      insert: try destination.store.prepare("INSERT INTO \(table) VALUES (?, ?, ?, ?)"),
      isMade: try destination.store.prepare("SELECT 1 FROM \(table) WHERE de = ? AND d = ?"),
      destinations: try destination.store.prepare(
        "SELECT d, de, se FROM \(table) WHERE s = ? ORDER BY rowid"),
      sources: try destination.store.prepare(
        "SELECT s, se FROM \(table) WHERE de = ? AND d = ? ORDER BY rowid"),
      made: try destination.store.prepare(
        "SELECT DISTINCT de, d FROM \(table) WHERE (de, d) > (?, ?) ORDER BY de, d LIMIT ?"))
    if let run {
      let (from, to) = (number(of: run.sourceEntity), number(of: run.destination.entity))
      for step in 0..<run.count {
        try statements.insert.bind(run.source + step, from, run.destination.key + step, to)
        try statements.insert.run()
      }
      highest[run.destination.entity] = run.destination.key + run.count - 1
    }
    run = nil
    self.statements = statements
  }

  /// TraceObject when the first question is asked: until then rows only come.
  private func index() throws {
    guard !hasIndexes else { return }
    let name = table.replacing("temp.", with: "")
    try destination.store.execute("CREATE INDEX \(table)_s ON \(name) (s)")
    try destination.store.execute("CREATE INDEX \(table)_d ON \(name) (de, d)")
    hasIndexes = true
  }

  func destinations(
    of source: Int64, where isOfRoot: (String) -> Bool
  ) throws -> [TraceObject] {
    guard let statements else {
      guard let run, source >= run.source, source < run.source + run.count,
        isOfRoot(run.sourceEntity)
      else { return [] }
      return [
        .init(
          entity: run.destination.entity, key: run.destination.key + source - run.source)
      ]
    }
    try index()
    var found: [TraceObject] = []
    try statements.destinations.bind(source)
    while try statements.destinations.next() {
      guard isOfRoot(entities[Int(statements.destinations.value(2))]) else { continue }
      found.append(
        .init(
          entity: entities[Int(statements.destinations.value(1))],
          key: statements.destinations.value(0)))
    }
    return found
  }

  func sources(of made: TraceObject) throws -> [(key: Int64, entity: String)] {
    guard let statements else {
      guard let run, made.entity == run.destination.entity, made.key >= run.destination.key,
        made.key < run.destination.key + run.count
      else { return [] }
      return [(run.source + made.key - run.destination.key, run.sourceEntity)]
    }
    try index()
    var found: [(key: Int64, entity: String)] = []
    try statements.sources.bind(number(of: made.entity), made.key)
    while try statements.sources.next() {
      found.append((statements.sources.value(0), entities[Int(statements.sources.value(1))]))
    }
    return found
  }

  func made(after last: TraceObject?, limit: Int) throws -> [TraceObject] {
    guard let statements else {
      guard let run else { return [] }
      let start = last.map { $0.key + 1 } ?? run.destination.key
      let count = min(run.destination.key + run.count - start, Int64(limit))
      return count > 0
        ? (start..<start + count).map { .init(entity: run.destination.entity, key: $0) } : []
    }
    try index()
    var found: [TraceObject] = []
    try statements.made.bind(last.map { number(of: $0.entity) } ?? -1, last?.key ?? 0, Int64(limit))
    while try statements.made.next() {
      found.append(
        .init(entity: entities[Int(statements.made.value(0))], key: statements.made.value(1)))
    }
    return found
  }

  func remove() throws {
    guard statements != nil else { return }
    statements = nil
    try destination.store.execute("DROP TABLE \(table)")
  }
}
