internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// What the columns of an entity mapping's objects get, in SQL over the row `s` of the source.
///
/// What SQL cannot say is said by Swift functions over the columns that they need.
final class ColumnValues {
  /// Whether Swift functions may be called; without, a statement cannot fail for what a row holds.
  enum Means {
    case sql, functions
  }

  /// What a column gets.
  struct Column {
    var place: Int
    var name: String
    var value: String
    /// The conditions, over the row, under which a number loses something.
    var losses: [(kind: LossRule, condition: String)] = []
  }

  private unowned let manager: PassManager
  private let before: StoreLayout
  private let after: StoreLayout
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
    before = manager.source.reader.layout
    after = manager.destination.store.layout
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

  /// The columns that are not nil, by their places in the shape of the entity; `nil` where the objects must
  /// go one by one.
  ///
  /// - Parameter policy: What a policy does to each object when it is made.
  func columns(of mapping: EntityMapping, policy: BulkPolicy?) -> [Column]? {
    guard mapping.customSource == nil, let entity = mapping.sourceName,
      let made = mapping.destinationName,
      manager.destinationModel.model[made]?.isAbstract == false,
      let shape = StoreRowShape(made, model: manager.destinationModel.model, layout: after),
      let sourceShape = StoreRowShape(entity, model: manager.sourceModel.model, layout: before)
    else { return nil }
    let row = Row(mapping: mapping, shape: sourceShape, policy: policy?.name)
    let expressions = Dictionary(
      mapping.attributeMappings.map { ($0.name, $0.expression) }, uniquingKeysWith: { $1 })
    let owners = manager.destinationModel.model.attributesByStoredName(of: made)
    var values = [String?](repeating: nil, count: shape.names.count)
    var losses: [Int: [(kind: LossRule, condition: String)]] = [:]
    let given = policy?.givenNames ?? []
    for place in shape.names.indices {
      // What the policy gives a value needs no other.
      guard case .attribute(let leaf) = shape.contents[place], !given.contains(leaf.name) else {
        continue
      }
      let owner = owners[leaf.name] ?? leaf
      guard let expression = expressions[owner.name] ?? nil else {
        if leaf.storedDefault != .null { values[place] = leaf.storedDefault.sqlLiteral }
        continue
      }
      guard let source = expression.source(of: leaf, in: owner, sourceShape) else {
        // An element that the composite did not have.
        if leaf.storedDefault != .null { values[place] = leaf.storedDefault.sqlLiteral }
        continue
      }
      // Values of another kind are judged one by one.
      guard !shape.externalPlaces.contains(place), source.isAccepted(by: leaf.type),
        let value = value(of: expression, leaf, from: source, row)
      else { return nil }
      losses[place] = self.losses(of: expression, leaf, from: source, row)
      // Objects that are counted go one by one, or all at once.
      guard means == .functions || losses[place]?.isEmpty == true else { return nil }
      let whenNil = leaf.standIn(for: source.attribute, isInferred: manager.isInferred)
      values[place] =
        whenNil == .null ? value : "coalesce(\(value), \(whenNil.sqlLiteral))"
    }
    for verb in policy?.verbs ?? [] {
      let before = values
      guard change(&values, by: verb, shape, row) else { return nil }
      for place in values.indices where values[place] != before[place] { losses[place] = nil }
    }
    return values.indices.compactMap { place in
      values[place].map {
        Column(
          place: place, name: shape.columnName(at: place), value: $0, losses: losses[place] ?? [])
      }
    }
  }

  /// What a value is worked out from.
  private struct Row {
    var mapping: EntityMapping
    var shape: StoreRowShape
    /// The policy that the entity mapping has: it is told what goes wrong.
    var policy: String?

    func column(_ place: Int) -> String { "s.\(shape.columnName(at: place))" }
  }

  // MARK: Policies

  /// Puts what a policy sets in the place of what the mapping model says.
  ///
  /// - Returns: Whether SQL can do it.
  private func change(
    _ values: inout [String?], by verb: PolicyScript.Verb, _ shape: StoreRowShape, _ row: Row
  ) -> Bool {
    func place(of name: String) -> (place: Int, leaf: Attribute)? {
      guard let place = shape.place(of: name), case .attribute(let leaf) = shape.contents[place],
        !shape.externalPlaces.contains(place)
      else { return nil }
      return (place, leaf)
    }
    switch verb {
    case .set(let name, let expression):
      guard let (place, leaf) = place(of: name) else { return false }
      // A mapping model's types have been checked, a policy's are what the values are.
      let source = expression.source(of: leaf, in: leaf, row.shape)
      if source?.attribute?.type == leaf.type, leaf.type.losses(of: "").isEmpty {
        values[place] = source.flatMap { value(of: expression, leaf, from: $0, row) }
      } else {
        values[place] = function(of: [expression], row, name, leaf.type, otherwise: nil) {
          found, _ in
          try leaf.check(found[0], of: row.mapping.destinationName ?? "")
          return leaf.stored(found[0])
        }
      }
      return values[place] != nil
    case .split(let expression, let mark, let names):
      for (part, name) in names.enumerated() {
        guard let (place, leaf) = place(of: name) else { return false }
        func found(_ texts: [AttributeValue], otherwise: AttributeValue) -> StoredValue {
          guard case .text(let text) = texts[0] else { return (otherwise, nil) }
          return (
            FilePolicy.part(part, of: text, at: mark, count: names.count).map { .text($0) }
              ?? .null, nil
          )
        }
        let otherwise = values[place]
        let column = expression.copiedPlace(in: row.shape).map(row.column)
        guard
          let value = function(
            of: [expression], row, leaf.name, leaf.type, otherwise: column == nil ? otherwise : nil,
            found)
        else { return false }
        values[place] =
          column.map {
            "CASE typeof(\($0)) WHEN 'text' THEN \(value) ELSE \(otherwise ?? "NULL") END"
          } ?? value
      }
    case .join(let expressions, let mark, let name):
      guard let (place, leaf) = place(of: name),
        let value = function(
          of: expressions, row, leaf.name, leaf.type,
          { values, _ in
            leaf.stored(FilePolicy.joined(values, with: mark))
          })
      else { return false }
      values[place] = value
    case .skip, .oneDestination, .relate, .keepFirst, .require, .make, .delete: return false
    }
    return true
  }

  // MARK: Expressions

  /// An attribute's value, as the attribute's type stores it.
  private func value(
    of expression: Expression, _ leaf: Attribute, from source: AttributeSource, _ row: Row
  ) -> String? {
    let shape = row.shape
    switch source {
    case .column(let place, let old):
      guard !shape.externalPlaces.contains(place) else { return nil }
      return leaf.conversion(of: "s.\(shape.columnName(at: place))", from: old)
    case .constant(let value): return leaf.stored(value).value.sqlLiteral
    case .none: return nil
    case .expression: break
    }
    if leaf.type != .decimal, leaf.type.accepts(.integer(0)),
      let number = arithmetic(expression, shape)
    {
      return leaf.stored(number.sql)
    }
    // What cannot be evaluated is left to the policy, object by object.
    guard row.policy == nil else { return nil }
    return function(of: [expression], row, leaf.name, leaf.type) { values, _ in
      try leaf.check(values[0], of: row.mapping.destinationName ?? "")
      return leaf.stored(values[0])
    }
  }

  /// What a value that SQL works out loses; a Swift function counts by itself.
  private func losses(
    of expression: Expression, _ leaf: Attribute, from source: AttributeSource, _ row: Row
  ) -> [(kind: LossRule, condition: String)] {
    switch source {
    case .column(let place, let old): leaf.losses(of: row.column(place), from: old)
    case .expression where leaf.type != .decimal:
      arithmetic(expression, row.shape).map { leaf.type.losses(of: $0.sql) } ?? []
    case .expression, .constant, .none: []
    }
  }

  /// A value as an attribute stores it, and what it loses.
  private typealias StoredValue = (value: AttributeValue, loss: LossRule?)

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
  private func arithmetic(_ expression: Expression, _ shape: StoreRowShape) -> NumberSQL? {
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
      guard let symbol = operators[name], let left = arithmetic(arguments[0], shape),
        let right = arithmetic(arguments[1], shape)
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
  /// - Parameter type: Of the attribute that gets the value.
  /// - Parameter otherwise: SQL for what `body` is given besides the values of the expressions.
  private func function(
    of expressions: [Expression], _ row: Row, _ property: String, _ type: AttributeType,
    otherwise: String? = nil,
    _ body:
      @escaping (_ values: [AttributeValue], _ otherwise: AttributeValue) throws ->
      StoredValue
  ) -> String? {
    guard means == .functions else { return nil }
    var keys: Set<String> = []
    for expression in expressions {
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
    var context = EvaluationContext()
    context.variables["source"] = .object(object)
    let choice = ArithmeticChoice(
      variables: [
        "source": .init(model: manager.sourceModel.model, entity: mapping.sourceName ?? "")
      ])
    let contexts = expressions.map { expression in
      context.arithmetic = choice.arithmetic(of: expression, givenTo: type)
      return context
    }
    let (failure, policy) = (failure, row.policy)
    // What a column holds needs no evaluation.
    let copied = expressions.map { expression in
      expression.copiedPlace(in: row.shape).flatMap { places.firstIndex(of: $0) }
    }
    manager.destination.store.addFunction(name) { [unowned manager] values in
      object.values = values
      do {
        var found: [AttributeValue] = []
        for (place, expression) in expressions.enumerated() {
          if let copy = copied[place] {
            found.append(values[copy])
          } else {
            try found.append(
              contexts[place].value(of: expression, for: property, in: mapping))
          }
        }
        let stored = try body(found, values[count])
        if let loss = stored.loss, case .integer(let key) = values[count + 1] {
          manager.noteLoss(loss, of: property, mapping.sourceName ?? "", key: key)
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
    let arguments = places.map { row.column($0) }
    return "\(name)(\((arguments + [otherwise ?? "NULL", "s.Z_PK"]).joined(separator: ", ")))"
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

/// What an attribute mapping reads for an attribute, or for an element of a composite one.
enum AttributeSource {
  /// The column at a place of the source's row.
  case column(Int, Attribute)
  case constant(AttributeValue)
  /// Whatever an expression gives.
  case expression
  /// Nothing that can be said: an element of a composite attribute of which the expression names no source.
  case none

  /// Whether what it gives is stored as a type, as far as that is known before it is evaluated.
  func isAccepted(by type: AttributeType) -> Bool {
    switch self {
    case .column(_, let attribute): type.accepts(attribute.type)
    case .constant(let value): type.accepts(value)
    case .expression, .none: true
    }
  }

  /// The source's attribute, where one is copied.
  var attribute: Attribute? {
    if case .column(_, let attribute) = self { attribute } else { nil }
  }
}

extension Expression {
  /// What the expression reads for a stored attribute of the destination.
  ///
  /// - Parameter owner: The attribute that it belongs to: itself, or its composite attribute.
  /// - Returns: `nil` for an element that the source's composite attribute lacks: it has its default value.
  func source(
    of leaf: Attribute, in owner: Attribute, _ shape: StoreRowShape?
  ) -> AttributeSource? {
    let isElement = leaf.name != owner.name
    guard case .keyPath(of: .variable("source"), let keys) = self else {
      if isElement { return AttributeSource.none }
      if case .constant(let value) = self { return .constant(value) }
      return .expression
    }
    let path = keys.joined(separator: ".") + leaf.elementPath(in: owner.name)
    if let shape, let place = shape.place(of: path),
      case .attribute(let old) = shape.contents[place]
    {
      return .column(place, old)
    }
    guard isElement else { return .expression }
    let isComposite = shape?.names.contains { $0.hasPrefix(keys.joined(separator: ".") + ".") }
    return isComposite == true ? nil : AttributeSource.none
  }

  /// The place of the source's attribute that the expression names, where it does nothing else.
  fileprivate func copiedPlace(in shape: StoreRowShape) -> Int? {
    guard case .keyPath(of: .variable("source"), let keys) = self,
      let place = shape.place(of: keys.joined(separator: ".")),
      case .attribute = shape.contents[place]
    else { return nil }
    return place
  }

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
