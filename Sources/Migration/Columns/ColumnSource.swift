internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// The source of a destination column's value.
///
/// It is resolved once from an entity mapping, both models and the shapes of both rows, and used twice:
/// ``InstanceMaker`` binds the values of an object, ``ColumnSQL`` and ``InPlacePlanner`` create SQL for a row
/// of the source.
struct ColumnSource {
  indirect enum Origin {
    /// A constant or default value, in its stored form.
    case constant(AttributeValue)
    /// The column at an index of the source row, and its attribute.
    case column(Int, of: Attribute, Copy)
    case expression(Expression, in: EvaluationContext.Arithmetic)
    /// Values that the attribute does not take: only nil is possible.
    case refused(Origin, ValueMisfit)
    /// A value set by a policy, and the value if the policy sets none.
    case policy(PolicyValue, otherwise: ColumnSource)
  }

  /// The way in which a source column is copied.
  enum Copy {
    case asItIs
    /// The values have another stored form, or are in external files.
    case converted
  }

  /// The index of the column in the shape of the destination row.
  let index: Int
  /// The stored attribute; for a composite attribute, an element.
  let attribute: Attribute
  var origin: Origin
  /// The replacement for a missing value; `null` for none.
  let standIn: AttributeValue

  /// Whether the value is nil in every object.
  var isEmpty: Bool {
    if case .constant(.null) = origin { true } else { false }
  }

  /// Whether its source or destination data can be in external files.
  var isExternal: Bool {
    if case .column(_, let old, _) = origin, old.mayBeExternal { return true }
    return attribute.mayBeExternal
  }

  /// SQL for a value with the replacement for NULL.
  func withStandIn(_ sql: String) -> String {
    standIn == .null ? sql : "coalesce(\(sql), \(standIn.sqlLiteral))"
  }
}

extension ColumnSource {
  /// The sources of all attributes of a row shape, in its order.
  ///
  /// - Parameters:
  ///   - mappings: The attribute mappings; other attributes get their default values.
  ///   - isInferred: Whether the mapping model is inferred, see ``Attribute/standIn(for:isInferred:)``.
  static func all(
    of shape: StoreRowShape, in destination: ObjectModel, by mappings: [PropertyMapping],
    from sourceShape: StoreRowShape?, in source: ObjectModel, isInferred: Bool
  ) -> [ColumnSource] {
    let expressions = Dictionary(
      mappings.map { ($0.name, $0.expression) }, uniquingKeysWith: { $1 })
    let start = sourceShape.map { ArithmeticChoice.Start(model: source, entity: $0.entity) }
    let arithmetic = ArithmeticChoice(variables: start.map { ["source": $0] } ?? [:])
    return shape.contents.indices.compactMap { index in
      guard case .attribute(let leaf) = shape.contents[index] else { return nil }
      let owner = destination.storedAttribute(leaf.name, of: shape.entity)?.owner ?? leaf
      return ColumnSource(
        leaf, in: owner, at: index, expressions[owner.name] ?? nil, sourceShape, source, arithmetic,
        isInferred: isInferred)
    }
  }

  private init(
    _ leaf: Attribute, in owner: Attribute, at index: Int, _ expression: Expression?,
    _ sourceShape: StoreRowShape?, _ source: ObjectModel, _ arithmetic: ArithmeticChoice,
    isInferred: Bool
  ) {
    (self.index, attribute) = (index, leaf)
    let missing = leaf.standIn(for: nil, isInferred: isInferred)
    let isElement = leaf.name != owner.name
    guard let expression else {
      (origin, standIn) = (.constant(leaf.storedDefault), missing)
      return
    }
    if let (index, old) = sourceShape?.attribute(expression, leaf.elementPath(in: owner.name)) {
      let copy = Origin.column(index, of: old, leaf.copy(of: old))
      origin =
        leaf.type.takes(old.type)
        ? copy : .refused(copy, ValueKind.difference(between: old.type, and: leaf.type))
      standIn = leaf.standIn(for: old, isInferred: isInferred)
    } else if isElement, sourceShape?.hasElements(named: expression) == true {
      // An element that the source's composite attribute does not have.
      (origin, standIn) = (.constant(leaf.storedDefault), missing)
    } else if let misfit = source.misfit(
      of: expression, from: sourceShape?.entity, in: leaf.type)
    {
      origin = .refused(
        .expression(expression, in: arithmetic.arithmetic(of: expression, givenTo: leaf.type)),
        misfit)
      standIn = missing
    } else if !isElement, case .constant(let value) = expression, leaf.type.accepts(value),
      leaf.type.keeps(value)
    {
      let stored = leaf.stored(value).value
      (origin, standIn) = (.constant(stored == .null ? missing : stored), missing)
    } else {
      // So is a constant that loses data: it is counted for each object.
      origin = .expression(
        expression, in: arithmetic.arithmetic(of: expression, givenTo: leaf.type))
      standIn = missing
    }
  }

  /// The source of a column that a policy also sets.
  func given(_ value: PolicyValue) -> ColumnSource {
    ColumnSource(
      index: index, attribute: attribute, origin: .policy(value, otherwise: self), standIn: .null)
  }
}

extension Attribute {
  fileprivate func copy(of old: Attribute) -> ColumnSource.Copy {
    mayBeExternal || old.mayBeExternal || old.type.converts(to: type) ? .converted : .asItIs
  }
}

extension StoreRowShape {
  /// The attribute or element that an expression names, if it does nothing else.
  func attribute(
    _ expression: Expression, _ element: Substring = ""
  ) -> (index: Int, attribute: Attribute)? {
    guard let path = expression.sourcePath, let index = index(of: path + element),
      case .attribute(let attribute) = contents[index]
    else { return nil }
    return (index, attribute)
  }

  /// Whether an expression is a composite attribute.
  fileprivate func hasElements(named expression: Expression) -> Bool {
    expression.sourcePath.map { path in names.contains { $0.hasPrefix(path + ".") } } == true
  }
}

extension Expression {
  /// The key path after `$source`, if the expression is nothing else.
  fileprivate var sourcePath: String? {
    if case .keyPath(of: .variable("source"), let keys) = self {
      keys.joined(separator: ".")
    } else {
      nil
    }
  }
}
