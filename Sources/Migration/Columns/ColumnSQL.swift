internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Creates SQL for the column values of an entity mapping's objects, from the source row `s`.
///
/// Expressions without an SQL equivalent call Swift functions with the required columns.
final class ColumnSQL {
  /// Whether Swift functions are allowed; without them, a statement cannot fail because of a row's values.
  enum Means {
    case sql, functions
  }

  /// The SQL of a column value.
  struct Value {
    var sql: String
    /// The SQL conditions under which a number is truncated, rounded or out of range.
    var losses: [(kind: LossRule, condition: String)] = []
  }

  /// A column and its value.
  struct Column {
    let property: String
    let name: String
    let value: Value
  }

  private unowned let manager: PassManager
  private let means: Means
  private var functionCount = 0
  /// The error thrown by a Swift function, of which SQLite keeps only the message.
  private let failure = ExternalDataFunctions.Failure()

  init(_ manager: PassManager, by means: Means) {
    self.manager = manager
    self.means = means
  }

  /// Runs a statement that calls the functions, and rethrows their errors.
  func execute(_ sql: String) throws -> Int {
    failure.error = nil
    do {
      return try manager.destination.store.execute(sql)
    } catch {
      throw failure.error ?? error
    }
  }

  /// The columns with values; `nil` if the objects must be migrated one by one.
  ///
  /// - Parameter policy: The actions of a policy for each created object.
  func columns(of mapping: EntityMapping, policy: BulkPolicy) -> [Column]? {
    guard mapping.customSource == nil, let destinationName = mapping.destinationName,
      manager.destinationModel.model[destinationName]?.isAbstract == false,
      let shape = manager.destination.store.shape(of: destinationName),
      var sources = manager.columnSources(of: mapping), let row = row(mapping, policy)
    else { return nil }
    for verb in policy.verbs {
      guard !verb.values.isEmpty else { return nil }
      for value in verb.values {
        guard let index = sources.firstIndex(where: { $0.attribute.name == value.attribute }) else {
          return nil
        }
        sources[index] = sources[index].given(value)
      }
    }
    var columns: [Column] = []
    for source in sources where !source.isEmpty {
      guard let value = value(of: source, row) else { return nil }
      columns.append(
        Column(
          property: source.attribute.name, name: shape.columnName(at: source.index), value: value))
    }
    return columns
  }

  /// The context of a value's computation.
  struct Row {
    fileprivate let mapping: EntityMapping
    fileprivate let shape: StoreRowShape
    fileprivate let arithmetic: ArithmeticChoice
    /// The name of the entity mapping's policy, for messages.
    fileprivate let policy: String?
    /// The attributes that the policy may set again, with numbers that are counted anew.
    fileprivate let laterAttributes: Set<String>

    fileprivate func column(_ index: Int) -> String { "s.\(shape.columnName(at: index))" }
  }

  /// - Returns: `nil` for an entity mapping without a source.
  func row(_ mapping: EntityMapping, _ policy: BulkPolicy) -> Row? {
    mapping.sourceName.flatMap { manager.source.shape(of: $0) }.map { shape in
      let start = ArithmeticChoice.Start(
        model: manager.sourceModel.model, entity: shape.entity)
      return Row(
        mapping: mapping, shape: shape, arithmetic: ArithmeticChoice(variables: ["source": start]),
        policy: policy.name, laterAttributes: policy.laterAttributes)
    }
  }

  /// The SQL of a column value; `nil` if it has no SQL equivalent.
  func value(of source: ColumnSource, _ row: Row) -> Value? {
    let leaf = source.attribute
    var found: Value?
    switch source.origin {
    case .constant(let value): return Value(sql: value.sqlLiteral)
    case _ where source.isExternal: return nil
    case .refused: return nil
    case .column(let index, let old, _):
      let column = row.column(index)
      found = Value(
        sql: leaf.conversion(of: column, from: old), losses: leaf.losses(of: column, from: old))
    case .expression(let expression, let arithmetic):
      found = value(of: expression, in: arithmetic, leaf, row)
    case .policy(let value, let otherwise):
      found = self.value(of: value, otherwise: otherwise, leaf, row)
    }
    // Counted objects are migrated one by one, or all at once.
    guard let found, means == .functions || found.losses.isEmpty else { return nil }
    return Value(sql: source.withStandIn(found.sql), losses: found.losses)
  }

  private func value(
    of expression: Expression, in arithmetic: EvaluationContext.Arithmetic, _ leaf: Attribute,
    _ row: Row
  ) -> Value? {
    let number =
      leaf.type != .decimal && leaf.type.accepts(.integer(0))
      ? number(expression, row.shape) : nil
    let plain = number.map { number in
      number.fits(leaf.type)
        ? Value(sql: number.sql)
        : Value(sql: leaf.stored(number.sql), losses: leaf.type.losses(of: number.sql))
    }
    if let plain, number?.conditions.isEmpty == true { return plain }
    // Values that cannot be evaluated are left to the policy, object by object.
    guard row.policy == nil,
      let value = function(
        of: [(expression, arithmetic)], leaf, row, { values, _ in values[0] })
    else { return number.map { isAlwaysExact($0, row) } == true ? plain : nil }
    guard let number, let plain else { return value }
    return Value(
      sql: "CASE WHEN \(number.isExact) THEN \(plain.sql) ELSE \(value.sql) END",
      losses: plain.losses.map { ($0.kind, "\(number.isExact) AND (\($0.condition))") })
  }

  /// Whether SQL computes the number of every object as the evaluator does.
  private func isAlwaysExact(_ number: NumberSQL, _ row: Row) -> Bool {
    guard let entity = manager.source.reader.layout.entityNumbers[row.shape.entity] else {
      return false
    }
    let query =
      "SELECT EXISTS (SELECT 1 FROM source.\(row.shape.table.plainOrQuoted) AS s "
      + "WHERE s.Z_ENT = \(entity) AND (\(number.isExact)) IS NOT TRUE)"
    return (try? manager.log.own { try manager.destination.store.number(query) }) == 0
  }

  /// A value set by a policy: its type is only known from the value, while the types of a mapping model have
  /// been checked.
  private func value(
    of given: PolicyValue, otherwise: ColumnSource, _ leaf: Attribute, _ row: Row
  ) -> Value? {
    let copied = given.expressions.first.flatMap { row.shape.attribute($0) }
    if given.rule == .first, let (index, old) = copied, old.type == leaf.type,
      !old.mayBeExternal, leaf.type.losses(of: "").isEmpty
    {
      return Value(sql: row.column(index))
    }
    let expressions = given.expressions.map {
      (expression: $0, arithmetic: row.arithmetic.arithmetic(of: $0, givenTo: leaf.type))
    }
    guard case .part = given.rule else {
      return function(of: expressions, leaf, row) { values, _ in
        try given.value(of: values) ?? .null
      }
    }
    guard let other = value(of: otherwise, row)?.sql else { return nil }
    guard let column = copied.map({ row.column($0.index) }) else {
      return function(of: expressions, leaf, row, otherwise: other) {
        try given.value(of: $0) ?? $1
      }
    }
    return function(of: expressions, leaf, row) { values, _ in try given.value(of: values) ?? .null
    }
    .map {
      Value(sql: "CASE WHEN \(column) IS NOT NULL THEN \($0.sql) ELSE \(other) END")
    }
  }

  /// SQL for a number, with its maximum magnitude.
  private struct NumberSQL {
    var sql: String
    /// The largest magnitude of an integer; `nil` for a floating-point number.
    var magnitude: UInt64?
    /// The conditions under which SQL computes what the evaluator does: every column has a number of its type, and no
    /// integer exceeds 64 bits. Other values, as a damaged store has them, count as 0 in SQL.
    var conditions: [String] = []
    var isExact: String { conditions.joined(separator: " AND ") }

    /// Whether it is an integer in the range of a type, under these conditions.
    func fits(_ type: AttributeType) -> Bool {
      guard let magnitude, let range = type.wholeNumbers, type != .boolean else { return false }
      return type == .integer64 || magnitude <= range.upperBound.magnitude
    }
  }

  /// Arithmetic of number attributes for which SQL and the evaluator have equal results.
  ///
  /// If an integer exceeds 64 bits, the evaluator is used, because SQLite would return a floating-point number.
  private func number(_ expression: Expression, _ shape: StoreRowShape) -> NumberSQL? {
    switch expression {
    case .constant(.integer(let number)):
      return NumberSQL(
        sql: AttributeValue.integer(number).sqlLiteral, magnitude: number.magnitude)
    case .constant(.real(let number)):
      return NumberSQL(sql: AttributeValue.real(number).sqlLiteral, magnitude: nil)
    case .keyPath(of: .variable("source"), let keys) where keys.count == 1:
      guard let index = shape.index(of: keys[0]),
        case .attribute(let attribute) = shape.contents[index]
      else { return nil }
      let column = "s.\(shape.columnName(at: index))"
      switch attribute.type {
      case .integer16, .integer32:
        guard let range = attribute.type.wholeNumbers else { return nil }
        return NumberSQL(
          sql: column, magnitude: range.lowerBound.magnitude,
          conditions: [
            "(typeof(\(column)) = 'integer' AND \(column) BETWEEN \(range.lowerBound) "
              + "AND \(range.upperBound) OR \(column) IS NULL)"
          ])
      case .integer64:
        return NumberSQL(
          sql: column, magnitude: Int64.min.magnitude,
          conditions: ["(typeof(\(column)) = 'integer' OR \(column) IS NULL)"])
      case .double, .float:
        // Numbers come before texts, and those before bytes.
        return NumberSQL(
          sql: column, magnitude: nil,
          conditions: ["(\(column) < '' OR \(column) IS NULL)"])
      default: return nil
      }
    case .function(let name, on: nil, let arguments) where arguments.count == 2:
      let operators = ["add:to:": "+", "from:subtract:": "-", "multiply:by:": "*"]
      guard let symbol = operators[name], let left = number(arguments[0], shape),
        let right = number(arguments[1], shape)
      else { return nil }
      var result = NumberSQL(
        sql: "(\(left.sql) \(symbol) \(right.sql))",
        conditions: left.conditions + right.conditions.filter { !left.conditions.contains($0) })
      guard let first = left.magnitude, let second = right.magnitude else { return result }
      let (magnitude, isTooLarge) =
        symbol == "*"
        ? first.multipliedReportingOverflow(by: second) : first.addingReportingOverflow(second)
      let largest = Int64.max.magnitude
      guard isTooLarge || magnitude > largest else {
        result.magnitude = magnitude
        return result
      }
      result.magnitude = largest
      let limit = symbol == "*" ? largest / max(min(first, second), 1) : largest / 2
      // Two columns of 64 bits have no useful bounds.
      guard limit > UInt32.max else { return nil }
      for operand in [left, right] where operand.magnitude ?? 0 > limit {
        result.conditions.append("\(operand.sql) BETWEEN -\(limit) AND \(limit)")
      }
      return result
    default: return nil
    }
  }

  /// A Swift function with the attributes that expressions read.
  ///
  /// - Parameters:
  ///   - otherwise: SQL for an additional argument of `body`.
  ///   - body: Returns the value, which is then checked, counted if it loses data, and stored.
  private func function(
    of expressions: [(expression: Expression, arithmetic: EvaluationContext.Arithmetic)],
    _ leaf: Attribute, _ row: Row, otherwise: String? = nil,
    _ body:
      @escaping (_ values: [AttributeValue], _ otherwise: AttributeValue) throws -> AttributeValue
  ) -> Value? {
    // A function does not know the new object, whose counted number would be counted once more.
    guard means == .functions,
      !row.laterAttributes.contains(leaf.name) || leaf.type.losses(of: "").isEmpty
    else { return nil }
    var keys: Set<String> = []
    for (expression, _) in expressions {
      guard let found = expression.sourceKeys else { return nil }
      keys.formUnion(found)
    }
    let names = keys.sorted()
    var indices: [Int] = []
    for name in names {
      guard let index = row.shape.index(of: name), case .attribute = row.shape.contents[index],
        !row.shape.externalIndices.contains(index)
      else { return nil }
      indices.append(index)
    }
    guard names.count <= Self.argumentLimit else { return nil }
    functionCount += 1
    let name = "strata_value_\(functionCount)"
    let (object, mapping, shape) = (RowValues(names), row.mapping, row.shape)
    let count = names.count
    let dates = indices.indices.filter { place in
      guard case .attribute(let attribute) = shape.contents[indices[place]] else { return false }
      return attribute.type == .date
    }
    let contexts = expressions.map { _, arithmetic in
      var context = EvaluationContext()
      context.variables["source"] = .object(object)
      context.arithmetic = arithmetic
      return context
    }
    let (failure, policy) = (failure, row.policy)
    let attribute = PropertyID(entity: mapping.destinationName ?? "", name: leaf.name)
    // A plain column needs no evaluation.
    let copied = expressions.map { expression, _ in
      row.shape.attribute(expression).flatMap { indices.firstIndex(of: $0.index) }
    }
    manager.destination.store.addFunction(name) { [unowned manager] values in
      object.values = values
      for place in dates {
        object.values[place] = shape.operand(values[place], at: indices[place])
      }
      var source: ObjectRef? {
        guard case .integer(let key) = values[count + 1] else { return nil }
        return ObjectRef(entity: mapping.sourceName ?? "", key: key)
      }
      do {
        let found = try expressions.indices.map { index in
          try copied[index].map { object.values[$0] }
            ?? contexts[index].value(
              of: expressions[index].expression, for: leaf.name, in: mapping, from: source)
        }
        let value = try body(found, values[count])
        try leaf.check(value, of: mapping.destinationName ?? "")
        let stored = leaf.stored(value)
        if let loss = stored.loss { manager.noteLoss(loss, of: attribute, from: source) }
        return stored.value
      } catch {
        var known = error
        if let policy, let source {
          known = MigrationError.stopped(by: policy, in: mapping, .createInstances, source, error)
        }
        failure.error = known
        throw known
      }
    }
    let arguments = indices.map(row.column) + [otherwise ?? "NULL", "s.Z_PK"]
    return Value(sql: "\(name)(\(arguments.joined(separator: ", ")))")
  }

  /// The maximum number of function arguments; SQLite's limit is lowered to 32.
  private static let argumentLimit = 30
}

/// The part of a row that an expression reads.
private final class RowValues: EvaluatedObject {
  private let indices: [String: Int]
  var values: [AttributeValue] = []

  init(_ names: [String]) {
    indices = Dictionary(first: names.enumerated().map { ($0.element, $0.offset) })
  }

  var identity: ObjectIdentity { ObjectIdentity(rootEntity: "", key: 0) }

  func value(forKey key: String) throws -> ExpressionValue {
    indices[key].map { .value(values[$0]) } ?? .null
  }
}

extension Expression {
  /// The first keys after `$source` in an expression; `nil` if it reads anything else.
  fileprivate var sourceKeys: Set<String>? {
    switch self {
    case .constant: return []
    case .keyPath(of: .variable("source"), let keys): return keys.first.map { [$0] }
    case .function(_, let target, let arguments):
      var keys: Set<String> = []
      for part in arguments + (target.map { [$0] } ?? []) {
        guard let found = part.sourceKeys else { return nil }
        keys.formUnion(found)
      }
      return keys
    default: return nil
    }
  }
}
