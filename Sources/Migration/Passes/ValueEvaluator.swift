internal import StrataDiagnostics
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore
internal import StrataValues

/// Evaluates the value expressions of an entity mapping for one source object.
struct ValueEvaluator {
  let source: SourceObject
  let mapping: EntityMapping
  private let context: EvaluationContext

  init(source: SourceObject, mapping: EntityMapping) {
    self.source = source
    self.mapping = mapping
    context = EvaluationContext(variables: ["source": .object(source)])
  }

  /// The attributes of the destination object: mapped ones from the source, others by default.
  ///
  /// - Throws: ``MigrationError/cannotEvaluate(_:mapping:property:reason:)``.
  func attributes(of entity: String, in model: ObjectModel) throws -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    let byName = Dictionary(
      mapping.attributeMappings.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    for attribute in model.allAttributes(of: entity).map(\.property) where !attribute.isTransient {
      for leaf in model.storedAttributes(of: attribute) {
        guard let expression = byName[attribute.name]?.expression else {
          values[leaf.name] = leaf.storedDefault
          continue
        }
        // A composite's elements stand in the store under their own names.
        let element = leaf.name == attribute.name ? nil : leaf.name
        let value = try value(of: expression, element, attribute.name).converted(to: leaf.type)
        values[leaf.name] = value == .null && !leaf.isOptional ? leaf.storedDefault : value
      }
    }
    return values
  }

  private func value(
    of expression: Expression, _ element: String?, _ property: String
  ) throws -> AttributeValue {
    switch expression {
    case .constant(let value): return value
    case .keyPath(of: .variable("source"), let keys) where keys.count == 1:
      // A plain copy takes data along that stand in files.
      if let value = try source.stored(element ?? keys[0]), value == .null { return .null }
      guard try source.stored(element ?? keys[0]) == nil else {
        return try source.attributeValue(element ?? keys[0])
      }
    default: break
    }
    do {
      switch try context.value(of: expression) {
      case .value(let value): return value
      case .object: throw failure(expression, property, "it gives an object, and no value")
      case .collection: throw failure(expression, property, "it gives several values")
      }
    } catch let error as ExpressionError {
      throw failure(expression, property, error.diagnostic.what)
    }
  }

  /// The source objects that an expression leads to.
  func objects(_ expression: Expression, _ property: String) throws -> [any EvaluatedObject] {
    func objects(_ value: ExpressionValue) throws -> [any EvaluatedObject] {
      switch value {
      case .object(let object): [object]
      case .collection(let elements, _): try elements.flatMap(objects)
      case .value(.null): []
      case .value: throw failure(expression, property, "it gives a value, and no objects")
      }
    }
    do {
      return try objects(context.value(of: expression))
    } catch let error as ExpressionError {
      throw failure(expression, property, error.diagnostic.what)
    }
  }

  func failure(_ expression: Expression, _ property: String, _ reason: String) -> MigrationError {
    .cannotEvaluate(expression.text, mapping: mapping.name, property: property, reason: reason)
  }
}

extension AttributeValue {
  /// A number as a number type stores it; whole types cut towards zero.
  func converted(to type: AttributeType) -> AttributeValue {
    switch (self, type) {
    case (.real(let number), .integer16), (.real(let number), .integer32),
      (.real(let number), .integer64):
      return .integer(Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max))
    case (.real(let number), .boolean): return .integer(number == 0 ? 0 : 1)
    case (.integer(let number), .boolean): return .integer(number == 0 ? 0 : 1)
    case (.integer(let number), .double), (.integer(let number), .float):
      return .real(Double(number))
    default: return self
    }
  }
}
