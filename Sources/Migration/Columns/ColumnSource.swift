internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Where the value of a destination column comes from.
///
/// It is resolved once, from an entity mapping, both models and the shapes of both rows, and interpreted twice:
/// ``InstanceMaker`` binds the values of an object, ``ColumnSQL`` and ``InPlacePlanner`` write SQL over a row of the
/// source.
struct ColumnSource {
  indirect enum Origin {
    /// The same in every object, as it is stored: a default value, or a constant.
    case constant(AttributeValue)
    /// The column at a place of the source's row, and its attribute.
    case column(Int, of: Attribute, Copy)
    case expression(Expression, in: EvaluationContext.Arithmetic)
    /// What a policy gives, and what the column has where the policy gives nothing.
    case policy(PolicyValue, otherwise: ColumnSource)
  }

  /// How a column of the source is copied.
  enum Copy {
    case asItIs
    /// The values are stored otherwise, or stand in files.
    case converted
    /// The values are of another kind: each is checked.
    case checked
  }

  /// The column's place in the shape of the destination.
  let place: Int
  /// The attribute that the column stores: of a composite one, an element.
  let attribute: Attribute
  var origin: Origin
  /// What stands in for a value that is missing; `null` where it stays missing.
  let standIn: AttributeValue

  /// Whether every object has nothing there.
  var isEmpty: Bool {
    if case .constant(.null) = origin { true } else { false }
  }

  /// Whether its data, or those that it is copied from, may stand in files.
  var isExternal: Bool {
    if case .column(_, let old, _) = origin, old.mayBeExternal { return true }
    return attribute.mayBeExternal
  }

  /// SQL for a value with what stands in for it.
  func withStandIn(_ sql: String) -> String {
    standIn == .null ? sql : "coalesce(\(sql), \(standIn.sqlLiteral))"
  }
}

extension ColumnSource {
  /// The sources of all attributes in the rows of a shape, in its order.
  ///
  /// - Parameters:
  ///   - mappings: What the attributes get; others have their default values.
  ///   - isInferred: Whether the mapping model is inferred, see ``Attribute/standIn(for:isInferred:)``.
  static func all(
    of shape: StoreRowShape, in destination: ObjectModel, by mappings: [PropertyMapping],
    from sourceShape: StoreRowShape?, in source: ObjectModel, isInferred: Bool
  ) -> [ColumnSource] {
    let expressions = Dictionary(
      mappings.map { ($0.name, $0.expression) }, uniquingKeysWith: { $1 })
    let start = sourceShape.map { ArithmeticChoice.Start(model: source, entity: $0.entity) }
    let arithmetic = ArithmeticChoice(variables: start.map { ["source": $0] } ?? [:])
    return shape.contents.indices.compactMap { place in
      guard case .attribute(let leaf) = shape.contents[place] else { return nil }
      let owner = destination.storedAttribute(leaf.name, of: shape.entity)?.owner ?? leaf
      return ColumnSource(
        leaf, in: owner, at: place, expressions[owner.name] ?? nil, sourceShape, arithmetic,
        isInferred: isInferred)
    }
  }

  private init(
    _ leaf: Attribute, in owner: Attribute, at place: Int, _ expression: Expression?,
    _ sourceShape: StoreRowShape?, _ arithmetic: ArithmeticChoice, isInferred: Bool
  ) {
    (self.place, attribute) = (place, leaf)
    let missing = leaf.standIn(for: nil, isInferred: isInferred)
    let isElement = leaf.name != owner.name
    guard let expression else {
      (origin, standIn) = (.constant(leaf.storedDefault), missing)
      return
    }
    if let (place, old) = sourceShape?.attribute(expression, leaf.elementPath(in: owner.name)) {
      origin = .column(place, of: old, leaf.copy(of: old))
      standIn = leaf.standIn(for: old, isInferred: isInferred)
    } else if isElement, sourceShape?.hasElements(named: expression) == true {
      // An element that the composite attribute of the source lacks.
      (origin, standIn) = (.constant(leaf.storedDefault), missing)
    } else if !isElement, case .constant(let value) = expression, leaf.type.accepts(value) {
      let stored = leaf.stored(value).value
      (origin, standIn) = (.constant(stored == .null ? missing : stored), missing)
    } else {
      origin = .expression(
        expression, in: arithmetic.arithmetic(of: expression, givenTo: leaf.type))
      standIn = missing
    }
  }

  /// What the column gets where a policy gives it a value besides.
  func given(_ value: PolicyValue) -> ColumnSource {
    ColumnSource(
      place: place, attribute: attribute, origin: .policy(value, otherwise: self), standIn: .null)
  }
}

extension Attribute {
  fileprivate func copy(of old: Attribute) -> ColumnSource.Copy {
    if !type.accepts(old.type) { return .checked }
    return mayBeExternal || old.mayBeExternal || old.type.converts(to: type) ? .converted : .asItIs
  }
}

extension StoreRowShape {
  /// The attribute that an expression names, or an element of it, where the expression does nothing else.
  func attribute(
    _ expression: Expression, _ element: Substring = ""
  ) -> (place: Int, attribute: Attribute)? {
    guard let path = expression.sourcePath, let place = place(of: path + element),
      case .attribute(let attribute) = contents[place]
    else { return nil }
    return (place, attribute)
  }

  /// Whether an expression names a composite attribute.
  fileprivate func hasElements(named expression: Expression) -> Bool {
    expression.sourcePath.map { path in names.contains { $0.hasPrefix(path + ".") } } == true
  }
}

extension Expression {
  /// The key path behind `$source`, where the expression is nothing else.
  fileprivate var sourcePath: String? {
    if case .keyPath(of: .variable("source"), let keys) = self {
      keys.joined(separator: ".")
    } else {
      nil
    }
  }
}
