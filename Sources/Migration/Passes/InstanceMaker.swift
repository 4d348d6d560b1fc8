internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// Creates the destination objects of one entity mapping by binding their column values.
///
/// If statements can read the source, objects are inserted in batches, and columns with an SQL equivalent are
/// not read.
final class InstanceMaker {
  let entity: String
  let inserter: EntityInserter
  private let mapping: EntityMapping
  /// The constant values that were bound once, by column index.
  private let constants: [Int: AttributeValue]
  /// Copied columns, without and with a replacement for missing values.
  private let copies: [(from: Int, to: Int)]
  private let filledCopies: [(from: Int, to: Int, standIn: AttributeValue)]
  /// Columns whose values are computed for each unbatched object, and for each batched object.
  private let computed: (alone: [ColumnSource], waiting: [ColumnSource])
  private let attributes: [Attribute?]
  private unowned let manager: PassManager
  /// The losses of the last object, by column index.
  private var losses: [Int: LossRule] = [:]
  /// The source key of the last object.
  private(set) var sourceKey: Int64 = 0
  var sourceEntity: String { mapping.sourceName ?? entity }
  private var context = EvaluationContext()
  /// The computed values of the current object.
  private var values: [(index: Int, value: AttributeValue)] = []
  /// The batch of objects to insert; `nil` if they are inserted one by one.
  private let batch: RowBatch?
  /// Whether the last object is batched.
  private var isWaiting = false
  /// The key of the last object.
  private var key: Int64 = 0
  /// Constants that the last row replaced.
  private var changed: [Int] = []

  /// The SQL of columns, for the rows of a source table.
  struct Copying {
    let table: String
    let columns: [(index: Int, value: String)]
  }

  /// - Parameters:
  ///   - sources: The sources of the entity's attributes.
  ///   - copying: `nil` if objects must be inserted one by one.
  /// - Throws: ``StoreError/missingTable(_:)`` for an entity that the destination lacks.
  init(
    _ mapping: EntityMapping, of entity: String, _ sources: [ColumnSource], copying: Copying?,
    _ manager: PassManager
  ) throws {
    self.manager = manager
    let used = mapping.attributeMappings.compactMap(\.expression).reduce(into: Set<String>()) {
      $0.formUnion($1.variables)
    }
    if !used.isSubset(of: [MappingVariable.source.rawValue]) {
      context.variables = manager.variables(of: mapping)
    }
    self.entity = entity
    self.mapping = mapping
    inserter = try manager.destination.store.makeInserter(for: entity)
    var constants: [Int: AttributeValue] = [:]
    var copies: [(from: Int, to: Int)] = []
    var filledCopies: [(from: Int, to: Int, standIn: AttributeValue)] = []
    var computed: [ColumnSource] = []
    for source in sources {
      switch source.origin {
      case .constant(let value): constants[source.index] = value
      case .column(let from, _, .asItIs):
        if source.standIn == .null {
          copies.append((from, source.index))
        } else {
          filledCopies.append((from, source.index, source.standIn))
        }
      default: computed.append(source)
      }
    }
    let inSQL = Set((copying?.columns ?? []).map(\.index))
    let uncopied = computed.filter { !inSQL.contains($0.index) }
    batch = copying.flatMap { [inserter] copying in
      uncopied.count <= RowBatch.valueLimit
        ? inserter.makeBatch(copying.columns, from: copying.table) : nil
    }
    (self.constants, self.copies, self.filledCopies) = (constants, copies, filledCopies)
    self.computed = (computed, uncopied)
    attributes = inserter.shape.contents.map {
      if case .attribute(let leaf) = $0 { leaf } else { nil }
    }
    for (index, value) in constants { try inserter.bind(value, at: index) }
  }

  /// Whether an object can be created while others are in the batch.
  func canWait(for source: BrowsedObject) -> Bool {
    isWaiting && batch?.isFull == false && isAtCursor(source)
  }

  private func isAtCursor(_ source: BrowsedObject) -> Bool {
    source.entity == mapping.sourceName && source.currentCursor != nil
  }

  /// Starts an object; it is inserted when it is complete.
  func begin(
    _ source: BrowsedObject, key: Int64
  ) throws {
    noteLosses()
    sourceKey = source.key
    let batch = isAtCursor(source) ? batch : nil
    // An expression can read objects of the batch.
    try compute(batch == nil ? computed.alone : computed.waiting, of: source, key)
    (self.key, isWaiting) = (key, batch != nil)
    if let batch {
      batch.begin(key, from: source.key)
      for (index, value) in values { batch.bind(value, at: index) }
    } else {
      try inserter.begin(key)
      try copy(source)
      for (index, value) in values { try inserter.bind(value, at: index) }
    }
  }

  private func copy(_ source: BrowsedObject) throws {
    let cursor = source.currentCursor
    if let cursor {
      try inserter.copy(copies, of: cursor)
    } else {
      for (from, to) in copies { try inserter.bind(source.value(at: from), at: to) }
    }
    for (from, to, standIn) in filledCopies {
      if let cursor, !cursor.isNull(from) {
        try inserter.copy(from, of: cursor, to: to)
      } else {
        let value = try source.value(at: from)
        try inserter.bind(value == .null ? standIn : value, at: to)
      }
    }
  }

  private func compute(
    _ columns: [ColumnSource], of source: BrowsedObject, _ key: Int64
  ) throws {
    values.removeAll(keepingCapacity: true)
    guard !columns.isEmpty else { return }
    context.variables["source"] = .object(source)
    for column in columns {
      let value = try value(of: column, source, key)
      let (stored, loss) = column.attribute.stored(value)
      if let loss { losses[column.index] = loss }
      try values.append(
        (
          column.index,
          inserter.columnValue(
            stored == .null ? column.standIn : stored, at: column.index, key: key)
        ))
    }
  }

  private func value(
    of column: ColumnSource, _ source: BrowsedObject, _ key: Int64
  ) throws -> AttributeValue {
    try value(of: column.origin, column.attribute, source, key)
  }

  private func value(
    of origin: ColumnSource.Origin, _ leaf: Attribute, _ source: BrowsedObject, _ key: Int64
  ) throws -> AttributeValue {
    switch origin {
    case .constant(let value): return value
    case .column(_, let old, _): return try source.attributeValue(old.name)
    case .refused(let origin, let misfit):
      let value = try value(of: origin, leaf, source, key)
      return value == .null ? .null : try refuse(misfit, leaf, key)
    case .expression(let expression, let arithmetic):
      context.arithmetic = arithmetic
      return try fitting(evaluated(expression, leaf, key), leaf, key)
    case .policy(_, let otherwise): return try value(of: otherwise, source, key)
    }
  }

  /// The value of an expression; null if it cannot be evaluated and a policy can set it.
  private func evaluated(
    _ expression: Expression, _ leaf: Attribute, _ key: Int64
  ) throws -> AttributeValue {
    if context.variables[MappingVariable.manager.rawValue] != nil {
      let property = mapping.attributeMappings.first { $0.name == leaf.name }
      context.variables[MappingVariable.propertyMapping.rawValue] = property.map(manager.variable)
    }
    do {
      return try context.value(
        of: expression, for: leaf.name, in: mapping,
        from: ObjectRef(entity: sourceEntity, key: sourceKey))
    } catch MigrationError.cannotEvaluate(let text, _, _, _, let reason)
      where mapping.policyName != nil
    {
      manager.destination.undecided.add(leaf.name, of: entity, key: key, "\(text): \(reason)")
      return .null
    }
  }

  /// The value, checked for the type of the attribute.
  ///
  /// - Throws: ``MigrationError/unfittingValue(property:entity:gives:wants:)`` if no policy can set it.
  private func fitting(
    _ value: AttributeValue, _ leaf: Attribute, _ key: Int64
  ) throws(MigrationError) -> AttributeValue {
    guard !leaf.type.accepts(value) else { return value }
    return try refuse(
      (ValueKind(value).description, ValueKind(leaf.type).description), leaf, key)
  }

  private func refuse(
    _ kinds: ValueMisfit, _ leaf: Attribute, _ key: Int64
  ) throws(MigrationError) -> AttributeValue {
    guard mapping.policyName != nil else {
      throw .unfittingValue(
        property: leaf.name, entity: entity, gives: kinds.gives, wants: kinds.wants)
    }
    manager.destination.undecided.add(
      leaf.name, of: entity, key: key, "gets \(kinds.gives), but requires \(kinds.wants)")
    return .null
  }

  /// Changes a value of the last object.
  ///
  /// - Returns: Whether that is possible; otherwise it must be inserted first.
  func set(
    _ name: String, to value: AttributeValue, key: Int64
  ) throws -> Bool {
    guard let index = inserter.shape.index(of: name), let leaf = attributes[index] else {
      return false
    }
    try leaf.check(value, of: entity)
    if isWaiting, batch?.canBind(at: index) != true { return false }
    let (stored, loss) = leaf.stored(value)
    let held = try inserter.columnValue(stored, at: index, key: key)
    if loss != nil || !losses.isEmpty { losses[index] = loss }
    if isWaiting {
      batch?.bind(held, at: index)
    } else {
      try inserter.bind(held, at: index)
      if constants[index] != nil { changed.append(index) }
    }
    return true
  }

  private func noteLosses() {
    guard !losses.isEmpty else { return }
    for (index, loss) in losses {
      let attribute = PropertyID(entity: entity, name: inserter.shape.names[index])
      manager.destination.remember(.init(attribute: attribute, rule: loss), in: key)
      manager.noteLoss(
        loss, of: attribute, from: ObjectRef(entity: sourceEntity, key: sourceKey))
    }
    losses.removeAll(keepingCapacity: true)
  }

  /// Inserts the pending objects.
  ///
  /// - Returns: The keys of the inserted objects.
  func insert() throws -> [Int64] {
    noteLosses()
    if isWaiting, let batch {
      let keys = batch.keys
      try batch.insert()
      return keys
    }
    try inserter.insert()
    guard !changed.isEmpty else { return [key] }
    try inserter.begin(0)
    for index in changed { try inserter.bind(constants[index] ?? .null, at: index) }
    changed.removeAll(keepingCapacity: true)
    return [key]
  }
}

extension EvaluationContext {
  /// The value of an expression for a property.
  ///
  /// - Parameter source: The source object, for the error.
  /// - Throws: ``MigrationError/cannotEvaluate(_:mapping:property:object:reason:)``.
  func value(
    of expression: Expression, for property: String, in mapping: EntityMapping,
    from source: @autoclosure () -> ObjectRef?
  ) throws -> AttributeValue {
    func failure(_ reason: String) -> MigrationError {
      .cannotEvaluate(
        expression.text, mapping: mapping.name, property: property, object: source(),
        reason: reason)
    }
    do {
      switch try value(of: expression) {
      case .value(let value): return value
      case .object: throw failure("it returns an object, not a value")
      case .collection: throw failure("it returns several values")
      }
    } catch let error as ExpressionError {
      throw failure(error.diagnostic.what)
    }
  }
}
