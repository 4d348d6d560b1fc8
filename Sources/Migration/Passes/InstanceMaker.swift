internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// Makes the destination objects of one entity mapping: what its attribute mappings say is worked out once,
/// and not for each object.
final class InstanceMaker {
  /// Where the value of a column comes from.
  private enum Origin {
    /// It was bound once.
    case constant
    /// A column of the source's row, as it stands there; something else where it is nil.
    case copy(Int, whenNil: AttributeValue)
    /// An attribute of the source; whether its type is stored as the other one.
    case attribute(String, of: Attribute, whenNil: AttributeValue, fits: Bool)
    case expression(
      Expression, in: EvaluationContext.Arithmetic, of: Attribute, whenNil: AttributeValue)
  }

  let entity: String
  let inserter: EntityInserter
  private let mapping: EntityMapping
  private let origins: [Origin]
  /// Columns that are copied as they stand, and the others that are not constant.
  private let copies: [(from: Int, to: Int)]
  private let others: [Int]
  private let attributes: [Attribute?]
  /// What expressions may ask besides the source object.
  struct Variables {
    var all: [String: ExpressionValue] = [:]
    /// By property, what `$propertyMapping` stands for.
    var propertyMapping: (PropertyMapping) -> ExpressionValue = { _ in .null }

    init(_ mapping: EntityMapping, _ manager: PassManager) {
      let asked = mapping.attributeMappings.compactMap(\.expression).reduce(into: Set<String>()) {
        $0.formUnion($1.variables)
      }
      guard !asked.isSubset(of: [MappingVariable.source.rawValue]) else { return }
      all = manager.variables(of: mapping)
      propertyMapping = { [unowned manager] in manager.variable(of: $0) }
    }
  }

  private let variables: Variables
  /// Hears of a property whose default value does not fit, which a policy may still decide: the property, the
  /// key of the new object, and what is wrong; `nil` where nobody decides.
  private let noteUndecided: ((String, Int64, String) -> Void)?
  /// Hears of numbers that lose something: what, the property, the source entity and key.
  private let noteLoss: (LossRule?, String, String, Int64?) -> Void
  /// What the object that was begun last loses, by place.
  private var losses: [Int: LossRule] = [:]
  /// The key of the source object of the one that was begun last.
  private(set) var sourceKey: Int64 = 0
  var sourceEntity: String { mapping.sourceName ?? entity }
  private var constants: [AttributeValue]
  private var context = EvaluationContext()
  /// What the columns get in SQL, where SQL can say it and the source is at hand.
  private let columns: (values: [ColumnValues.Column], table: String)?
  private var copier: RowCopier?
  /// Whether the object that was begun last waits in the copier.
  private var isCopying = false
  /// How many objects have been begun since somebody asked for what is stored.
  private var quietCount = 0
  /// The places that are given other values after an object was begun, and by place their number.
  private var given: [Int] = []
  private var givenNumbers: [Int?]
  private var keys: [Int64] = []

  /// - Parameter columns: What they get in SQL over the rows of a table of the source; `nil` where objects
  ///   must go one by one.
  /// - Throws: ``StoreError/missingTable(_:)`` for an entity that the destination lacks.
  init(
    _ mapping: EntityMapping, of entity: String, from source: ObjectModel,
    sourceShape: StoreRowShape?, columns: (values: [ColumnValues.Column], table: String)?,
    isInferred: Bool, into store: borrowing NewStore, variables: Variables,
    noteUndecided: ((String, Int64, String) -> Void)?,
    noteLoss: @escaping (LossRule?, String, String, Int64?) -> Void
  ) throws {
    self.columns = columns
    self.noteLoss = noteLoss
    self.variables = variables
    self.noteUndecided = noteUndecided
    context.variables = variables.all
    self.entity = entity
    self.mapping = mapping
    inserter = try store.makeInserter(for: entity)
    let shape = inserter.shape
    let expressions = Dictionary(
      mapping.attributeMappings.map { ($0.name, $0.expression) }, uniquingKeysWith: { $1 })
    let owners = store.model.attributesByStoredName(of: entity)
    var constants = [AttributeValue](repeating: .null, count: shape.names.count)
    let arithmetic = ArithmeticChoice(
      variables: mapping.sourceName.map { ["source": .init(model: source, entity: $0)] } ?? [:])
    let origins = shape.names.indices.map { place -> Origin in
      guard case .attribute(let leaf) = shape.contents[place] else { return .constant }
      let owner = owners[leaf.name] ?? leaf
      guard let expression = expressions[owner.name] ?? nil else {
        constants[place] = leaf.storedDefault
        return .constant
      }
      guard let read = expression.source(of: leaf, in: owner, sourceShape) else {
        constants[place] = leaf.storedDefault
        return .constant
      }
      let whenNil = leaf.standIn(for: read.attribute, isInferred: isInferred)
      switch read {
      case .constant(let value) where leaf.type.accepts(value):
        let stored = leaf.stored(value).value
        constants[place] = stored == .null ? whenNil : stored
        return .constant
      case .column(let found, let old):
        let isExternal =
          shape.externalPlaces.contains(place)
          || sourceShape?.externalPlaces.contains(found) == true
        return isExternal || old.type.converts(to: leaf.type)
          ? .attribute(
            old.name, of: leaf, whenNil: whenNil, fits: leaf.type.accepts(old.type))
          : .copy(found, whenNil: whenNil)
      case .expression, .none, .constant:
        return .expression(
          expression, in: arithmetic.arithmetic(of: expression, givenTo: leaf.type),
          of: leaf, whenNil: whenNil)
      }
    }
    givenNumbers = Array(repeating: nil, count: shape.names.count)
    self.constants = constants
    self.origins = origins
    let copies = origins.enumerated().compactMap { place, origin -> (from: Int, to: Int)? in
      if case .copy(let from, whenNil: .null) = origin { (from, place) } else { nil }
    }
    self.copies = copies
    let copied = Set(copies.map(\.to))
    others = origins.indices.filter { place in
      if case .constant = origins[place] { false } else { !copied.contains(place) }
    }
    attributes = shape.contents.map { if case .attribute(let leaf) = $0 { leaf } else { nil } }
    for place in origins.indices {
      if case .constant = origins[place] { try inserter.bind(constants[place], at: place) }
    }
  }

  /// Whether an object can be begun while others wait to be put in.
  func canWait(for source: BrowsedObject) -> Bool { !isFull && isAtCursor(source) }

  /// Whether what was begun must be put in before another object is.
  var isFull: Bool { !isCopying || copier?.isFull != false }

  private func isAtCursor(_ source: BrowsedObject) -> Bool {
    source.entity == mapping.sourceName && source.currentCursor != nil
  }

  /// Begins an object; it is put in when nothing of it changes any more.
  func begin(
    _ source: BrowsedObject, key: Int64
  ) throws {
    quietCount += 1
    sourceKey = source.key
    isCopying = quietCount > RowCopier.capacity && isAtCursor(source)
    if isCopying, let copier = try copier ?? makeCopier() {
      self.copier = copier
      copier.begin(key, from: source.key)
    } else {
      isCopying = false
      keys = [key]
      try bindAll(source, key: key)
    }
  }

  private func makeCopier() throws -> RowCopier? {
    guard let columns, given.count <= RowCopier.givenLimit else { return nil }
    var all = columns.values
    for place in given where !all.contains(where: { $0.place == place }) {
      all.append(.init(place: place, name: inserter.shape.columnName(at: place), value: "NULL"))
    }
    return try inserter.makeCopier(
      all.map { ($0.name, $0.value) },
      given: given.compactMap { place in all.firstIndex { $0.place == place } },
      from: columns.table)
  }

  private func bindAll(
    _ source: BrowsedObject, key: Int64
  ) throws {
    try inserter.begin(key)
    let cursor = source.currentCursor
    if let cursor {
      try inserter.copy(copies, of: cursor)
    } else {
      for (from, to) in copies { try inserter.bind(source.value(at: from), at: to) }
    }
    var isContextSet = false
    for place in others {
      switch origins[place] {
      case .constant: continue
      case .copy(let from, let whenNil):
        if let cursor {
          if whenNil != .null, cursor.isNull(from) {
            try inserter.bind(whenNil, at: place)
          } else {
            try inserter.copy(from, of: cursor, to: place)
          }
        } else {
          let value = try source.value(at: from)
          try inserter.bind(value == .null ? whenNil : value, at: place)
        }
      case .attribute(let name, let leaf, let whenNil, let fits):
        let value = try source.attributeValue(name)
        try bind(fits ? value : fitting(value, leaf, key), leaf, whenNil, place, key)
      case .expression(let expression, let arithmetic, let leaf, let whenNil):
        context.arithmetic = arithmetic
        if !isContextSet {
          context.variables["source"] = .object(source)
          isContextSet = true
        }
        let value = try evaluated(expression, leaf, key)
        try bind(fitting(value, leaf, key), leaf, whenNil, place, key)
      }
    }
  }

  /// The value of an expression; nothing where a policy may decide what it cannot.
  private func evaluated(
    _ expression: Expression, _ leaf: Attribute, _ key: Int64
  ) throws -> AttributeValue {
    if context.variables[MappingVariable.manager.rawValue] != nil {
      let property = mapping.attributeMappings.first { $0.name == leaf.name }
      context.variables[MappingVariable.propertyMapping.rawValue] = property.map(
        variables.propertyMapping)
    }
    do {
      return try context.value(of: expression, for: leaf.name, in: mapping)
    } catch MigrationError.cannotEvaluate(let text, _, _, let reason) where noteUndecided != nil {
      noteUndecided?(leaf.name, key, "\(text): \(reason)")
      return .null
    }
  }

  /// A value of a kind that the attribute can have.
  ///
  /// - Throws: ``MigrationError/unfittingValue(property:entity:gives:wants:)`` where no policy decides.
  private func fitting(
    _ value: AttributeValue, _ leaf: Attribute, _ key: Int64
  ) throws(MigrationError) -> AttributeValue {
    guard !leaf.type.accepts(value) else { return value }
    guard let noteUndecided else {
      try leaf.check(value, of: entity)
      return value
    }
    noteUndecided(
      leaf.name, key,
      "gets \(ValueKind(value).description), and requires \(ValueKind(leaf.type).description)")
    return .null
  }

  /// Gives the object that was begun another value.
  ///
  /// - Returns: Whether that is possible now; else it must be put in first.
  func set(
    _ name: String, to value: AttributeValue, key: Int64
  ) throws -> Bool {
    guard let place = inserter.shape.place(of: name), let leaf = attributes[place] else {
      return false
    }
    let (stored, loss) = leaf.stored(value)
    guard let number = givenNumbers[place] else {
      givenNumbers[place] = given.count
      given.append(place)
      guard !isCopying else { return false }
      copier = nil
      return try set(name, to: value, key: key)
    }
    guard !isCopying else {
      copier?.give(try inserter.columnValue(stored, at: place, key: key), at: number)
      noteLoss(loss, name, sourceEntity, sourceKey)
      return true
    }
    losses[place] = loss
    try inserter.bind(inserter.columnValue(stored, at: place, key: key), at: place)
    if case .constant = origins[place] { changed.append(place) }
    return true
  }

  /// Constants that the last row had otherwise.
  private var changed: [Int] = []

  /// Puts in what was begun.
  ///
  /// - Parameter isAsked: Whether somebody wants to see it, and not only go on: objects that are asked for
  ///   as soon as they are made go one by one.
  /// - Returns: The keys.
  @discardableResult
  func insert(isAsked: Bool) throws -> [Int64] {
    if isAsked { quietCount = 0 }
    if isCopying, let copier {
      let keys = copier.keys
      try copier.insert()
      // More may be given now than it knows of.
      if copier.givenCount < given.count { self.copier = nil }
      return keys
    }
    for (place, loss) in losses {
      noteLoss(loss, inserter.shape.names[place], sourceEntity, sourceKey)
    }
    losses.removeAll(keepingCapacity: true)
    try inserter.insert()
    guard !changed.isEmpty else { return keys }
    try inserter.begin(0)
    for place in changed { try inserter.bind(constants[place], at: place) }
    changed.removeAll(keepingCapacity: true)
    return keys
  }

  private func bind(
    _ value: AttributeValue, _ leaf: Attribute, _ whenNil: AttributeValue, _ place: Int,
    _ key: Int64
  ) throws {
    let (stored, loss) = leaf.stored(value)
    if let loss { losses[place] = loss }
    try inserter.bind(
      inserter.columnValue(stored == .null ? whenNil : stored, at: place, key: key), at: place)
  }
}

extension EvaluationContext {
  /// The value that an expression gives for a property.
  ///
  /// - Throws: ``MigrationError/cannotEvaluate(_:mapping:property:reason:)``.
  func value(
    of expression: Expression, for property: String, in mapping: EntityMapping
  ) throws -> AttributeValue {
    func failure(_ reason: String) -> MigrationError {
      .cannotEvaluate(
        expression.text, mapping: mapping.name, property: property, reason: reason)
    }
    do {
      switch try value(of: expression) {
      case .value(let value): return value
      case .object: throw failure("it gives an object, and no value")
      case .collection: throw failure("it gives several values")
      }
    } catch let error as ExpressionError {
      throw failure(error.diagnostic.what)
    }
  }
}
