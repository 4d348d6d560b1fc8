internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Writes what the columns of an entity mapping's objects get in SQL, over the row `s` of the source.
///
/// What SQL cannot say is said by Swift functions over the columns that they need.
final class ColumnSQL {
  /// Whether Swift functions may be called; without, a statement cannot fail for what a row holds.
  enum Means {
    case sql, functions
  }

  /// What a column gets.
  struct Value {
    var sql: String
    /// The conditions, over the row, under which a number loses something.
    var losses: [(kind: LossRule, condition: String)] = []
  }

  /// A column and what it gets.
  struct Column {
    let property: String
    let name: String
    let value: Value
  }

  private unowned let manager: PassManager
  private let means: Means
  private var functionCount = 0
  /// What a Swift function threw: SQLite keeps only its words.
  private let failure = Failure()

  private final class Failure {
    var error: (any Error)?
  }

  init(_ manager: PassManager, by means: Means) {
    self.manager = manager
    self.means = means
  }

  /// Runs a statement that calls the functions; what one of them throws is thrown.
  func execute(_ sql: String) throws -> Int {
    failure.error = nil
    do {
      return try manager.destination.store.execute(sql)
    } catch {
      throw failure.error ?? error
    }
  }

  /// The columns that are not empty; `nil` where the objects must go one by one.
  ///
  /// - Parameter policy: What a policy does to each object when it is made.
  func columns(of mapping: EntityMapping, policy: BulkPolicy) -> [Column]? {
    guard mapping.customSource == nil, let made = mapping.destinationName,
      manager.destinationModel.model[made]?.isAbstract == false,
      let shape = manager.destination.store.shape(of: made),
      var sources = manager.columnSources(of: mapping), let row = row(mapping, policy.name)
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
          property: source.attribute.name, name: shape.columnName(at: source.place), value: value))
    }
    return columns
  }

  /// What a value is worked out from.
  struct Row {
    fileprivate let mapping: EntityMapping
    fileprivate let shape: StoreRowShape
    fileprivate let arithmetic: ArithmeticChoice
    /// The policy that the entity mapping has: it is told what goes wrong.
    fileprivate let policy: String?

    fileprivate func column(_ place: Int) -> String { "s.\(shape.columnName(at: place))" }
  }

  /// - Returns: `nil` for an entity mapping without a source.
  func row(_ mapping: EntityMapping, _ policy: String?) -> Row? {
    mapping.sourceName.flatMap { manager.source.shape(of: $0) }.map { shape in
      let start = ArithmeticChoice.Start(
        model: manager.sourceModel.model, entity: shape.entity)
      return Row(
        mapping: mapping, shape: shape, arithmetic: ArithmeticChoice(variables: ["source": start]),
        policy: policy)
    }
  }

  /// What a column gets; `nil` where SQL cannot say it.
  func value(of source: ColumnSource, _ row: Row) -> Value? {
    let leaf = source.attribute
    var found: Value?
    switch source.origin {
    case .constant(let value): return Value(sql: value.sqlLiteral)
    case _ where source.isExternal: return nil
    case .column(_, _, .checked): return nil
    case .column(let place, let old, _):
      let column = row.column(place)
      found = Value(
        sql: leaf.conversion(of: column, from: old), losses: leaf.losses(of: column, from: old))
    case .expression(let expression, let arithmetic):
      found = value(of: expression, in: arithmetic, leaf, row)
    case .policy(let value, let otherwise):
      found = self.value(of: value, otherwise: otherwise, leaf, row)
    }
    // Objects that are counted go one by one, or all at once.
    guard let found, means == .functions || found.losses.isEmpty else { return nil }
    return Value(sql: source.withStandIn(found.sql), losses: found.losses)
  }

  private func value(
    of expression: Expression, in arithmetic: EvaluationContext.Arithmetic, _ leaf: Attribute,
    _ row: Row
  ) -> Value? {
    if leaf.type != .decimal, leaf.type.accepts(.integer(0)),
      let number = number(expression, row.shape)
    {
      return Value(sql: leaf.stored(number.sql), losses: leaf.type.losses(of: number.sql))
    }
    // What cannot be evaluated is left to the policy, object by object.
    guard row.policy == nil else { return nil }
    return function(of: [(expression, arithmetic)], leaf, row) { values, _ in values[0] }
  }

  /// What a policy gives: a mapping model's types have been checked, a policy's are what the values are.
  private func value(
    of given: PolicyValue, otherwise: ColumnSource, _ leaf: Attribute, _ row: Row
  ) -> Value? {
    let copied = given.expressions.first.flatMap { row.shape.attribute($0) }
    if given.rule == .first, let (place, old) = copied, old.type == leaf.type,
      !old.mayBeExternal, leaf.type.losses(of: "").isEmpty
    {
      return Value(sql: row.column(place))
    }
    let expressions = given.expressions.map {
      (expression: $0, arithmetic: row.arithmetic.arithmetic(of: $0, givenTo: leaf.type))
    }
    guard case .part = given.rule else {
      return function(of: expressions, leaf, row) { values, _ in given.value(of: values) ?? .null }
    }
    guard let other = value(of: otherwise, row)?.sql else { return nil }
    guard let column = copied.map({ row.column($0.place) }) else {
      return function(of: expressions, leaf, row, otherwise: other) { given.value(of: $0) ?? $1 }
    }
    return function(of: expressions, leaf, row) { values, _ in given.value(of: values) ?? .null }
      .map {
        Value(sql: "CASE typeof(\(column)) WHEN 'text' THEN \($0.sql) ELSE \(other) END")
      }
  }

  /// SQL for a number, and how large it can be.
  private struct NumberSQL {
    var sql: String
    /// The largest magnitude of an integer; `nil` for a floating-point number.
    var magnitude: UInt64?
  }

  /// Arithmetic over number attributes, which SQL does as the evaluator does it.
  ///
  /// Where an integer result might have more than 64 bits, the evaluator must do it: SQLite would go on
  /// with a floating-point number.
  private func number(_ expression: Expression, _ shape: StoreRowShape) -> NumberSQL? {
    switch expression {
    case .constant(.integer(let number)):
      return NumberSQL(
        sql: AttributeValue.integer(number).sqlLiteral, magnitude: number.magnitude)
    case .constant(.real(let number)):
      return NumberSQL(sql: AttributeValue.real(number).sqlLiteral, magnitude: nil)
    case .keyPath(of: .variable("source"), let keys) where keys.count == 1:
      guard let place = shape.place(of: keys[0]),
        case .attribute(let attribute) = shape.contents[place]
      else { return nil }
      let column = "s.\(shape.columnName(at: place))"
      switch attribute.type {
      case .integer16, .integer32, .integer64:
        return NumberSQL(
          sql: column, magnitude: attribute.type.wholeNumbers?.lowerBound.magnitude)
      case .double, .float: return NumberSQL(sql: column, magnitude: nil)
      default: return nil
      }
    case .function(let name, on: nil, let arguments) where arguments.count == 2:
      let operators = ["add:to:": "+", "from:subtract:": "-", "multiply:by:": "*"]
      guard let symbol = operators[name], let left = number(arguments[0], shape),
        let right = number(arguments[1], shape)
      else { return nil }
      let sql = "(\(left.sql) \(symbol) \(right.sql))"
      guard let first = left.magnitude, let second = right.magnitude else {
        return NumberSQL(sql: sql, magnitude: nil)
      }
      let (magnitude, isTooLarge) =
        symbol == "*"
        ? first.multipliedReportingOverflow(by: second) : first.addingReportingOverflow(second)
      guard !isTooLarge, magnitude <= Int64.max.magnitude else { return nil }
      return NumberSQL(sql: sql, magnitude: magnitude)
    default: return nil
    }
  }

  /// A Swift function of the attributes that expressions ask for.
  ///
  /// - Parameters:
  ///   - otherwise: SQL for what `body` is given besides the values of the expressions.
  ///   - body: Gives the value, which is checked, counted where it loses something, and stored.
  private func function(
    of expressions: [(expression: Expression, arithmetic: EvaluationContext.Arithmetic)],
    _ leaf: Attribute, _ row: Row, otherwise: String? = nil,
    _ body: @escaping (_ values: [AttributeValue], _ otherwise: AttributeValue) -> AttributeValue
  ) -> Value? {
    guard means == .functions else { return nil }
    var keys: Set<String> = []
    for (expression, _) in expressions {
      guard let found = expression.sourceKeys else { return nil }
      keys.formUnion(found)
    }
    let names = keys.sorted()
    var places: [Int] = []
    for name in names {
      guard let place = row.shape.place(of: name), case .attribute = row.shape.contents[place],
        !row.shape.externalPlaces.contains(place)
      else { return nil }
      places.append(place)
    }
    guard names.count <= Self.argumentLimit else { return nil }
    functionCount += 1
    let name = "strata_value_\(functionCount)"
    let (object, mapping, count) = (RowValues(names), row.mapping, names.count)
    let contexts = expressions.map { _, arithmetic in
      var context = EvaluationContext()
      context.variables["source"] = .object(object)
      context.arithmetic = arithmetic
      return context
    }
    let (failure, policy) = (failure, row.policy)
    // What a column holds needs no evaluation.
    let copied = expressions.map { expression, _ in
      row.shape.attribute(expression).flatMap { places.firstIndex(of: $0.place) }
    }
    manager.destination.store.addFunction(name) { [unowned manager] values in
      object.values = values
      do {
        let found = try expressions.indices.map { index in
          try copied[index].map { values[$0] }
            ?? contexts[index].value(
              of: expressions[index].expression, for: leaf.name, in: mapping)
        }
        let value = body(found, values[count])
        try leaf.check(value, of: mapping.destinationName ?? "")
        let stored = leaf.stored(value)
        if let loss = stored.loss, case .integer(let key) = values[count + 1] {
          manager.noteLoss(loss, of: leaf.name, mapping.sourceName ?? "", key: key)
        }
        return stored.value
      } catch {
        var known = error
        if let policy, case .integer(let key) = values[count + 1] {
          known = MigrationError.stopped(
            by: policy, in: mapping, .createInstances,
            ObjectRef(entity: mapping.sourceName ?? "", key: key), error)
        }
        failure.error = known
        throw known
      }
    }
    let arguments = places.map(row.column) + [otherwise ?? "NULL", "s.Z_PK"]
    return Value(sql: "\(name)(\(arguments.joined(separator: ", ")))")
  }

  /// SQLite's limit is lowered to 32.
  private static let argumentLimit = 30
}

/// A row as far as an expression asks for it.
private final class RowValues: EvaluatedObject {
  private let places: [String: Int]
  var values: [AttributeValue] = []

  init(_ names: [String]) {
    places = Dictionary(
      names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { a, _ in a })
  }

  var identity: ObjectIdentity { ObjectIdentity(rootEntity: "", key: 0) }

  func value(forKey key: String) throws -> ExpressionValue {
    places[key].map { .value(values[$0]) } ?? .null
  }
}

extension Expression {
  /// The first keys behind `$source` in an expression that asks for nothing else; `nil` where it does.
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
