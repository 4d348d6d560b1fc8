internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite

/// Translates predicates to SQL, as far as SQLite gives the same result as the evaluator.
///
/// Returns `nil` for what cannot be translated: options `[c]` and `[d]`, patterns, functions, two to-many
/// relationships in one path, arithmetic with decimals, objects of different tables. A condition may be NULL instead of
/// false, so that an index can be used; where that matters it is wrapped in `IS TRUE`.
struct PredicateSQL {
  /// A table in the query, with the entity of its rows.
  struct Scope {
    var alias: String
    var entity: String
    /// The key of the row: where a relationship led here, what it holds, be there a row or not.
    var key: String
  }

  private let objects: StoreObjects
  private(set) var parameters: [AttributeValue] = []
  private var aliasCount = 0
  private var depth = 0
  /// SQLite's parser allows a hundred nested parentheses; deeper predicates are evaluated in Swift.
  private static let depthLimit = 20
  /// SQLite joins at most 64 tables.
  private static let joinLimit = 60
  private var joinCount = 0
  /// Whether values are only sorted by: then those of decimals may be binary.
  var isOrder = false
  /// The tables joined for to-one relationships: by the alias and key that lead there.
  private var joined: [String: Scope] = [:]
  /// The joins after the first table, and after each table of a subquery.
  private(set) var joins = ""

  init(objects: StoreObjects) {
    self.objects = objects
  }

  private var layout: StoreLayout { objects.reader.layout }
  private var model: ObjectModel { objects.reader.model }

  mutating func scope(ofTableFor entity: String) -> Scope {
    defer { aliasCount += 1 }
    return Scope(alias: "t\(aliasCount)", entity: entity, key: "t\(aliasCount).Z_PK")
  }

  private mutating func parameter(_ value: AttributeValue) -> String {
    parameters.append(value)
    return "?\(parameters.count)"
  }

  /// The rows of an entity and its subentities.
  func entityCondition(_ entity: String, _ scope: Scope) -> String {
    let numbers = layout.numbers(below: entity, of: model)
    return numbers.count == 1
      ? "\(scope.alias).Z_ENT = \(numbers[0])"
      : "\(scope.alias).Z_ENT IN (\(layout.numberList(below: entity, of: model)))"
  }

  // MARK: Predicates

  mutating func condition(_ predicate: Predicate, _ scope: Scope) throws -> String? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { return nil }
    switch predicate {
    case .constant(let value): return value ? "1" : "0"
    case .not(let operand): return try condition(operand, scope).map { "(\($0)) IS NOT TRUE" }
    case .and(let parts): return try conditions(parts, " AND ", scope)
    case .or(let parts): return try conditions(parts, " OR ", scope)
    case .comparison(let comparison):
      let before = self
      if let condition = try condition(comparison, scope) { return condition }
      // A failed translation must not leave joins or parameters behind.
      self = before
      return nil
    }
  }

  private mutating func conditions(
    _ parts: [Predicate], _ word: String, _ scope: Scope
  ) throws -> String? {
    let before = self
    var conditions: [String] = []
    for part in parts {
      guard let condition = try condition(part, scope) else {
        self = before
        return nil
      }
      conditions.append("(\(condition))")
    }
    return "(" + Self.balanced(conditions[...], word) + ")"
  }

  /// Split into halves in parentheses: to SQLite, a chain is as deep as it is long.
  static func balanced(_ conditions: ArraySlice<String>, _ word: String) -> String {
    // A few are easier to read without parentheses.
    guard conditions.count > 8 else { return conditions.joined(separator: word) }
    let middle = conditions.startIndex + conditions.count / 2
    return "(" + balanced(conditions[..<middle], word) + ")" + word + "("
      + balanced(conditions[middle...], word) + ")"
  }

  private mutating func condition(_ comparison: Comparison, _ scope: Scope) throws -> String? {
    guard !comparison.ignoresCase, !comparison.ignoresDiacritics else { return nil }
    // SQLite has no decimals, with which a comparison computes on both sides if one reads a Decimal attribute.
    let choice = ArithmeticChoice(object: .init(model: model, entity: scope.entity))
    guard !choice.isDecimal(comparison) else { return nil }
    // Keys of different tables can be equal, their objects cannot.
    if let left = rootEntity(of: comparison.left, scope),
      let right = rootEntity(of: comparison.right, scope), left != right
    {
      return nil
    }
    switch comparison.modifier {
    case .direct:
      if comparison.right == .constant(.null), [.equal, .notEqual].contains(comparison.operator),
        case .keyPath(of: nil, let keys) = comparison.left,
        let column = try path(keys[...], scope, isOfFile: true)
      {
        return "\(column) IS \(comparison.operator == .equal ? "" : "NOT ")NULL"
      }
      guard let left = try value(comparison.left, scope) else { return nil }
      return try condition(left, isDecimal(comparison.left, scope), comparison, scope)
    case .any, .all:
      guard case .keyPath(of: nil, let keys) = comparison.left else { return nil }
      return try quantified(keys, comparison, scope)
    }
  }

  /// The root entity of the objects that an expression returns; `nil` if it is none, or not known.
  private func rootEntity(of expression: Expression, _ scope: Scope) -> String? {
    guard let keys = Self.keys(of: expression) else { return nil }
    return entity(at: keys[...], scope).map(model.rootName)
  }

  /// The type of the attribute or element at a key path; `nil` for other expressions.
  private func type(of expression: Expression, _ scope: Scope) -> AttributeType? {
    guard let keys = Self.keys(of: expression), let last = keys.last,
      let shape = entity(at: keys.dropLast(), scope).flatMap(objects.shape),
      let index = shape.index(of: last), case .attribute(let attribute) = shape.contents[index]
    else { return nil }
    return attribute.type
  }

  private func entity(at relationships: ArraySlice<String>, _ scope: Scope) -> String? {
    relationships.reduce(Optional(scope.entity)) { entity, key in
      entity.flatMap { model.relationship(key, of: $0)?.property.destinationName }
    }
  }

  /// The keys from the object on; `nil` for other expressions.
  private static func keys(of expression: Expression) -> [String]? {
    switch expression {
    case .evaluatedObject: []
    case .keyPath(of: nil, let keys), .keyPath(of: .evaluatedObject, let keys): keys
    default: nil
    }
  }

  /// Whether an order of texts would decide in an encoding whose bytes are not in the order of their characters: SQLite
  /// compares bytes.
  private func ordersTexts(_ comparison: Comparison, _ scope: Scope) -> Bool {
    func mayBeText(_ expression: Expression) -> Bool {
      switch expression {
      case .constant(let value): value.text != nil
      case .collection(let elements): elements.contains(where: mayBeText)
      default: type(of: expression, scope).map { [.string, .uri].contains($0) } ?? true
      }
    }
    guard objects.reader.store.textEncoding != .utf8 else { return false }
    switch comparison.operator {
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .between, .beginsWith:
      return mayBeText(comparison.left) || mayBeText(comparison.right)
    default: return false
    }
  }

  private func isDecimal(_ expression: Expression, _ scope: Scope) -> Bool {
    type(of: expression, scope) == .decimal
  }

  /// A comparison whose left side is already SQL.
  ///
  /// - Parameter isDecimal: Whether the left side is a column of decimals.
  private mutating func condition(
    _ left: String, _ isDecimal: Bool, _ comparison: Comparison, _ scope: Scope
  ) throws -> String? {
    guard !ordersTexts(comparison, scope) else { return nil }
    switch comparison.operator {
    case .equal, .notEqual:
      let isEqual = comparison.operator == .equal
      switch comparison.right {
      case .constant(.null): return "\(left) IS \(isEqual ? "" : "NOT ")NULL"
      // If one side is not nil, a plain comparison can use an index.
      case .constant(let constant) where isEqual: return "\(left) = \(parameter(constant))"
      default:
        return try value(comparison.right, scope).map { "\(left) IS \(isEqual ? "" : "NOT ")\($0)" }
      }
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      guard let right = try value(comparison.right, scope) else { return nil }
      let condition = "\(left) \(comparison.operator.rawValue) \(right)"
      let isGreater = [.greaterThan, .greaterThanOrEqual].contains(comparison.operator)
      guard isGreater ? isDecimal : self.isDecimal(comparison.right, scope) else {
        return condition
      }
      // To SQLite, the text of a decimal that is no number, NaN, is greater than any number.
      let (greater, other) = isGreater ? (left, right) : (right, left)
      return "(\(condition) AND (typeof(\(greater)) <> 'text' OR typeof(\(other)) = 'text'))"
    case .between:
      guard case .collection(let bounds) = comparison.right, bounds.count == 2,
        let low = try value(bounds[0], scope), let high = try value(bounds[1], scope)
      else { return nil }
      return "\(left) BETWEEN \(low) AND \(high)"
    case .isIn: return isIn(left, comparison.right)
    case .contains:
      // SQLite compares the whole part at each position of the text.
      guard case .constant(.text(let part)) = comparison.right, !part.isEmpty,
        part.utf8.count <= 100, !part.utf8.contains(0)
      else { return nil }
      return "instr(\(left), \(parameter(.text(part)))) > 0"
    case .beginsWith:
      guard case .constant(.text(let start)) = comparison.right, let end = start.endOfPrefix else {
        return nil
      }
      return "(\(left) >= \(parameter(.text(start))) AND \(left) < \(parameter(.text(end))))"
    case .endsWith, .like, .matches: return nil
    }
  }

  private mutating func isIn(_ left: String, _ right: Expression) -> String? {
    guard case .collection(let elements) = right, elements.count <= 500 else { return nil }
    var values: [AttributeValue] = []
    for element in elements {
      guard case .constant(let value) = element else { return nil }
      values.append(value)
    }
    // A text column would compare a number as text.
    let isText = values.filter { $0 != .null }.map { $0.text != nil }
    guard Set(isText).count <= 1 else { return nil }
    let list = values.filter { $0 != .null }.map { parameter($0) }.joined(separator: ", ")
    let condition = list.isEmpty ? "0" : "\(left) IN (\(list))"
    return values.contains(.null) ? "(\(condition) OR \(left) IS NULL)" : condition
  }

  /// ANY or ALL over one to-many relationship.
  private mutating func quantified(
    _ keys: [String], _ comparison: Comparison, _ scope: Scope
  ) throws -> String? {
    guard let (owner, relationship, rest) = try toMany(keys[...], scope), !rest.isEmpty,
      !rest.contains(where: { $0.hasPrefix("@") })
    else { return nil }
    return try inSubquery(of: relationship, from: owner) { (inner, sql, source) in
      guard let left = try sql.value(.keyPath(of: nil, Array(rest)), inner),
        var condition = try sql.condition(
          left, sql.isDecimal(.keyPath(of: nil, Array(rest)), inner), comparison, scope)
      else { return nil }
      if comparison.modifier == .all { condition = "(\(condition)) IS NOT TRUE" }
      // A set of values cannot contain nil; an ordered one can.
      let isThere = relationship.property.isOrdered ? "" : " AND \(left) IS NOT NULL"
      return "\(comparison.modifier == .all ? "NOT " : "")EXISTS (SELECT 1 FROM "
        + "\(source.tables)\(sql.joins) WHERE \(source.condition)\(isThere) AND \(condition))"
    }
  }

  // MARK: Values

  /// An expression as SQL; `nil` if the evaluator must do it.
  mutating func value(_ expression: Expression, _ scope: Scope) throws -> String? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { return nil }
    switch expression {
    case .constant(let value): return parameter(value)
    case .evaluatedObject: return scope.key
    case .keyPath(of: nil, let keys), .keyPath(of: .evaluatedObject, let keys):
      return try path(keys[...], scope)
    case .function(let name, on: nil, let arguments) where arguments.count == 2:
      let operators = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
      ]
      // SQLite converts an overflowing integer to a real, where the evaluator throws an error.
      guard let symbol = operators[name], isFloating(arguments, scope),
        let left = try operand(arguments[0], scope), let right = try operand(arguments[1], scope)
      else { return nil }
      return "(\(left) \(symbol) \(right))"
    default: return nil
    }
  }

  /// An operand of arithmetic: a date is a real, also if it is stored as an integer.
  private mutating func operand(_ expression: Expression, _ scope: Scope) throws -> String? {
    try value(expression, scope).map {
      type(of: expression, scope) == .date ? "CAST(\($0) AS REAL)" : $0
    }
  }

  /// Whether arithmetic over these operands cannot overflow: one of them is a floating-point number, or all are
  /// small integers. SQLite has no decimals.
  private func isFloating(_ operands: [Expression], _ scope: Scope) -> Bool {
    var (isReal, isSmall) = (false, true)
    for operand in operands {
      switch operand {
      case .constant(.real): isReal = true
      case .constant(.integer(let number)): isSmall = isSmall && number.magnitude < 1 << 31
      case .keyPath:
        guard let type = type(of: operand, scope), type != .decimal else { return false }
        isReal = isReal || [.double, .float, .date].contains(type)
        isSmall = isSmall && [.integer16, .integer32, .boolean].contains(type)
      default: isSmall = false
      }
    }
    return isReal || isSmall
  }

  /// - Parameter isOfFile: Whether the column may be that of data in an external file, which it does not contain.
  private mutating func path(
    _ keys: ArraySlice<String>, _ scope: Scope, isOfFile: Bool = false
  ) throws -> String? {
    if let (owner, relationship, rest) = try toMany(keys, scope) {
      return try aggregate(rest, of: relationship, from: owner)
    }
    var scope = scope
    var rest = keys
    while let key = rest.popFirst() {
      guard let shape = objects.shape(of: scope.entity), let index = shape.index(of: key),
        isOfFile || !shape.externalIndices.contains(index)
      else { return nil }
      let column = "\(scope.alias).\(shape.columns[index].name.quoted)"
      guard let next = rest.first else { return column }
      guard case .toOne(let destination) = shape.contents[index], !next.hasPrefix("@") else {
        return nil
      }
      guard let joined = join(destination, by: column) else { return nil }
      scope = joined
    }
    return nil
  }

  /// The table that a to-one relationship points to, joined once.
  private mutating func join(_ entity: String, by column: String) -> Scope? {
    if let known = joined[column] { return known }
    guard joinCount < Self.joinLimit, let table = layout.table(of: entity) else { return nil }
    joinCount += 1
    var scope = scope(ofTableFor: entity)
    scope.key = column
    joins += " LEFT JOIN \(table.name.quoted) AS \(scope.alias) ON \(scope.alias).Z_PK = \(column)"
    joined[column] = scope
    return scope
  }

  // MARK: To-many relationships

  /// The first to-many relationship of a path, its owner, and the rest of the path; `nil` if the path has none.
  private mutating func toMany(
    _ keys: ArraySlice<String>, _ scope: Scope
  ) throws -> (owner: Scope, relationship: Declared<Relationship>, rest: ArraySlice<String>)? {
    var scope = scope
    var rest = keys
    while let key = rest.popFirst() {
      guard let relationship = model.relationship(key, of: scope.entity) else { return nil }
      if relationship.property.isToMany { return (scope, relationship, rest) }
      guard !rest.isEmpty, let shape = objects.shape(of: scope.entity),
        let index = shape.index(of: key),
        let next = join(
          relationship.property.destinationName,
          by: "\(scope.alias).\(shape.columns[index].name.quoted)")
      else { return nil }
      scope = next
    }
    return nil
  }

  private mutating func aggregate(
    _ rest: ArraySlice<String>, of relationship: Declared<Relationship>, from owner: Scope
  ) throws -> String? {
    guard let name = rest.first else { return nil }
    let keys = Array(rest.dropFirst())
    // The count over nil is nil.
    let isNowhere = owner.key == "\(owner.alias).Z_PK" ? nil : "\(owner.key) IS NULL"
    func ofOwner(_ query: String) -> String {
      isNowhere.map { "CASE WHEN \($0) THEN NULL ELSE \(query) END" } ?? query
    }
    guard name != "@count" else {
      guard keys.isEmpty else { return nil }
      return try inSubquery(of: relationship, from: owner) { (_, _, source) in
        "(SELECT count(*) FROM \(source.tables) WHERE \(source.condition))"
      }.map(ofOwner)
    }
    return try inSubquery(of: relationship, from: owner) { (inner, sql, source) in
      guard let column = try sql.value(.keyPath(of: nil, keys), inner) else { return nil }
      // SQLite has no decimals, and to it NaN, a text, is the greatest.
      guard sql.isOrder || !sql.isDecimal(.keyPath(of: nil, keys), inner) else { return nil }
      let result: String
      switch name {
      case "@sum":
        // SQLite cannot compute sums beyond 64 bits.
        guard sql.isSummable(keys, inner) else { return nil }
        result = "coalesce(sum(\(column)), 0)"
      case "@avg": result = "CASE count(*) WHEN 0 THEN 0 ELSE total(\(column)) / count(*) END"
      case "@min": result = "min(\(column))"
      case "@max": result = "max(\(column))"
      default: return nil
      }
      return "(SELECT \(result) FROM \(source.tables)\(sql.joins) WHERE \(source.condition))"
    }.map(ofOwner)
  }

  /// Whether sums of the values of an attribute cannot overflow: they are small, or real.
  private func isSummable(_ keys: [String], _ scope: Scope) -> Bool {
    guard keys.count == 1, let attribute = model.attribute(keys[0], of: scope.entity) else {
      return false
    }
    return [.integer16, .integer32, .boolean, .double, .float].contains(attribute.property.type)
  }

  /// The tables that hold a relationship's objects, and what ties them to their owner.
  private struct Source {
    var tables: String
    var condition: String
  }

  /// Runs `body` with the relationship's objects as a table of their own; joins made there stay there.
  private mutating func inSubquery(
    of relationship: Declared<Relationship>, from owner: Scope,
    _ body: (Scope, inout PredicateSQL, Source) throws -> String?
  ) throws -> String? {
    let property = relationship.property
    guard !property.isTransient, let table = layout.table(of: property.destinationName) else {
      return nil
    }
    var inner = scope(ofTableFor: property.destinationName)
    let source: Source
    if let join = try objects.reader.joinTable(of: relationship) {
      let link = scope(ofTableFor: "").alias
      inner.key = "\(link).\(join.otherColumn.quoted)"
      source = Source(
        tables: "\(join.name.quoted) AS \(link) LEFT JOIN \(table.name.quoted) AS \(inner.alias) "
          + "ON \(inner.alias).Z_PK = \(link).\(join.otherColumn.quoted)",
        condition: "\(link).\(join.ownColumn.quoted) = \(owner.key)")
    } else {
      guard let (_, column) = layout.ownerColumn(of: relationship, in: model) else { return nil }
      source = Source(
        tables: "\(table.name.quoted) AS \(inner.alias)",
        condition: "\(inner.alias).\(column.name.quoted) = \(owner.key)")
    }
    let (outerJoins, outerJoined, outerCount) = (joins, joined, joinCount)
    (joins, joinCount) = ("", 0)
    let result = try body(inner, &self, source)
    (joins, joined, joinCount) = (outerJoins, outerJoined, outerCount)
    return result
  }
}

extension String {
  /// The first text after all texts with this prefix, in byte order; `nil` if there is none.
  fileprivate var endOfPrefix: String? {
    var scalars = Array(unicodeScalars)
    guard let last = scalars.popLast(), last.value != 0x10FFFF, !utf8.contains(0) else {
      return nil
    }
    guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else {
      return nil
    }
    var end = ""
    end.unicodeScalars.append(contentsOf: scalars + [next])
    return end
  }
}
