internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// Works out what happens to each table, and writes the statements down, phase by phase.
struct InPlacePlanner {
  let source: ObjectModel
  let destination: ObjectModel
  let before: StoreLayout
  /// What the source's model asks for, under the names that the store has.
  let oldSchema: StoreSchema
  let schema: StoreSchema
  let version: FrameworkVersion
  let found: FoundSchema
  let continuedEnds: ContinuedEnds
  private let hasCrossedEnds: Bool
  /// How many lists of links are kept before any are written.
  private var keptLinks = 0
  /// By destination entity.
  let lineages: [String: EntityLineage]
  /// The same, by source entity.
  let heirs: [String: [EntityLineage]]
  /// The entities of each hierarchy, the root first, by its name.
  let sourceFamilies: [String: [String]]
  let destinationFamilies: [String: [String]]
  /// The tables of the destination and of the source, by name.
  let newTables: [String: StoreTable]
  let oldTables: [String: StoreTable]
  /// The indexes of the store, by table.
  private let foundIndexes: [String: [String]]
  /// Source entity number to destination entity number, of entities that go on.
  let numbers: [(old: Int64, new: Int64)]
  /// Those of them whose number is another one, by the new number.
  let movedNumbers: [Int64: (old: Int64, new: Int64)]
  /// The source entities that nothing comes from, or whose objects would be of an abstract entity, by table.
  let goingEntities: [String: [String]]
  /// The roots of those that nothing comes from.
  let removedRoots: Set<String>
  /// Source entities that nothing comes from.
  let removed: [String]
  private(set) var statements: [InPlaceStatement.Phase: [InPlaceStatement]] = [:]
  private(set) var touchedTables: Set<String> = []
  /// Those that are created.
  private(set) var madeTables: Set<String> = []
  /// By destination table.
  var changes: [String: TableChange] = [:]
  /// Where the rows of a source table stand while the migration runs.
  var presentNames: [String: String] = [:]
  /// By source table, columns that have another name while the migration runs.
  var presentColumns: [String: [String: String]] = [:]
  /// Join tables that keep a name of their own, by the name that the new schema has for them.
  var keptJoins: [String: JoinTable] = [:]
  /// Indexes that go with their tables, or are dropped.
  var goneIndexes: Set<String> = []
  /// Source attributes, as `Entity.keyPath`, some of whose numbers have no room in their new types.
  var numbersOutside: Set<String> = []
  /// Order keys that are given anew: column by table.
  var newOrders: Set<String> = []
  /// Keys of which some change: column by table.
  var changedKeys: Set<String> = []
  /// What an app keeps in the store and the migration cannot keep.
  var lostExtras: [LostExtra] = []
  /// Whether `Z_PRIMARYKEY` is made anew.
  var isKeyTableAnew = false

  var after: StoreLayout { schema.layout }

  /// What becomes of a table.
  enum TableChange: Hashable {
    case made
    /// The table stays, perhaps with more columns.
    case kept
    /// A new table takes the rows of the old ones.
    case madeAnew
  }

  init(
    source: ObjectModel, destination: ObjectModel, mapping: MappingModel, found: FoundSchema,
    version: FrameworkVersion
  ) {
    self.source = source
    self.destination = destination
    self.version = version
    self.found = found
    before = found.layout
    continuedEnds = ContinuedEnds(
      entityMappings: mapping.entityMappings, named: [], source: source, destination: destination)
    hasCrossedEnds = destination.storedRelationships.contains(where: continuedEnds.isOverruled)
    oldSchema = StoreSchema(source, version: version, keeping: found.names)
    lineages = Dictionary(
      mapping.entityMappings.compactMap { EntityLineage($0) }.map { ($0.destination, $0) },
      uniquingKeysWith: { first, _ in first })
    schema = StoreSchema(
      destination, version: version,
      keeping: KeptNames(source, destination, found.layout, lineages).names)
    removed = mapping.entityMappings.filter { $0.destinationName == nil }.compactMap(\.sourceName)
    heirs = Dictionary(grouping: lineages.values.filter { $0.source != nil }) { $0.source ?? "" }
    sourceFamilies = Dictionary(grouping: before.entityOrder) { source.rootName(of: $0) }
    destinationFamilies = Dictionary(grouping: schema.layout.entityOrder) {
      destination.rootName(of: $0)
    }
    func byName(_ tables: [StoreTable]) -> [String: StoreTable] {
      Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    (newTables, oldTables) = (byName(schema.layout.tables), byName(before.tables))
    foundIndexes = Dictionary(grouping: found.statements.filter { $0.kind == .index }, by: \.table)
      .mapValues { $0.map(\.name) }
    let (old, new) = (before.entityNumbers, schema.layout.entityNumbers)
    numbers = lineages.values.compactMap { lineage in
      guard let from = lineage.source.flatMap({ old[$0] }), let to = new[lineage.destination] else {
        return nil
      }
      return (from, to)
    }.sorted { $0.old < $1.old }
    movedNumbers = Dictionary(
      numbers.filter { $0.old != $0.new }.map { ($0.new, $0) }, uniquingKeysWith: { $1 })
    removedRoots = Set(removed.map { source.rootName(of: $0) })
    let abstract = lineages.values.compactMap { lineage -> String? in
      guard let entity = lineage.source, source[entity]?.isAbstract == false,
        destination[lineage.destination]?.isAbstract == true
      else { return nil }
      return entity
    }
    let tables = before
    goingEntities = Dictionary(grouping: removed + abstract) { tables.table(of: $0)?.name ?? "" }
  }

  mutating func plan() {
    planTables()
    planJoinTables()
    planRelationships()
    planEntityNumbers()
    planIndexes()
    planTriggers()
  }

  mutating func add(
    _ phase: InPlaceStatement.Phase, _ sql: String, values: [AttributeValue] = [],
    on table: String? = nil, restoring item: StoreExtras.Item? = nil, _ purpose: String
  ) {
    if phase == .create { madeTables.formUnion([table].compactMap(\.self)) }
    statements[phase, default: []].append(
      InPlaceStatement(phase, sql, values: values, restoring: item, purpose))
    if let table { touchedTables.insert(table) }
  }

  /// Keeps links as they are before any are written: of ends that are crossed, one takes the place of another
  /// that is still to be read.
  ///
  /// - Returns: A query for them.
  mutating func keepLinks(_ query: String, _ purpose: String) -> String {
    guard hasCrossedEnds else { return query }
    let name = "strata_links_\(keptLinks)"
    statements[.relate, default: []].insert(
      InPlaceStatement(.relate, "CREATE TEMP TABLE \(name) AS \(query)", "\(purpose), as it was"),
      at: keptLinks)
    keptLinks += 1
    add(.drop, "DROP TABLE temp.\(name)", "the links are written")
    return "SELECT own, other, place, inverse FROM temp.\(name)"
  }

  // MARK: Lineage

  /// The concrete and abstract entities of a destination table, each with what it comes from.
  func lineages(of table: StoreTable) -> [EntityLineage] {
    (destinationFamilies[table.rootEntity] ?? []).compactMap { lineages[$0] }
  }

  /// What an entity and those below it come from.
  func lineages(below entity: String) -> [EntityLineage] {
    ([entity] + destination.descendantNames(of: entity)).compactMap { lineages[$0] }
  }

  /// The source tables whose rows a destination table takes.
  func sourceTables(of table: StoreTable) -> [String] {
    var names: [String] = []
    for lineage in lineages(of: table) {
      guard let name = lineage.source.flatMap({ before.table(of: $0)?.name }),
        !names.contains(name)
      else { continue }
      names.append(name)
    }
    return names
  }

  /// The indexes that a table of the store has.
  func indexes(on table: String) -> [String] { foundIndexes[table] ?? [] }

  /// One expression that gives every number its successor at once, so that none is changed twice.
  static func renumbering(_ column: String, _ numbers: [(old: Int64, new: Int64)]) -> String {
    let moved = numbers.filter { $0.old != $0.new }
    let cases = moved.map { "WHEN \($0.old) THEN \($0.new)" }.joined(separator: " ")
    return "CASE \(column) \(cases) ELSE \(column) END"
  }

  static func list(_ numbers: [Int64]) -> String {
    numbers.map(String.init).joined(separator: ", ")
  }

  func presentName(_ table: String) -> String { presentNames[table] ?? table }

  func presentColumn(_ column: String, of table: String) -> String {
    presentColumns[table]?[column] ?? column
  }

  /// A name that no table of Core Data has.
  static func aside(_ table: String) -> String { "_Strata_\(table)" }
}
