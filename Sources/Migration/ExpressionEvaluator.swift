internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore
internal import StrataValues

/// Evaluates the value expressions of an entity mapping for one source object.
struct ExpressionEvaluator {
  let source: StoredObject
  /// The entity mapping, for messages.
  let mapping: String

  /// The attributes of the destination object: mapped ones from the source, others by default.
  ///
  /// - Throws: ``MigrationError/cannotEvaluate(_:mapping:)``.
  func attributes(
    of entity: String, in model: ObjectModel, mappings: [PropertyMapping]
  ) throws(MigrationError) -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    let byName = Dictionary(mappings.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    for attribute in model.allAttributes(of: entity).map(\.property) where !attribute.isTransient {
      for name in model.storedNames(of: attribute) {
        guard let expression = byName[attribute.name]?.expression else {
          values[name] = name == attribute.name ? attribute.storedDefault : .null
          continue
        }
        // A composite's elements stand in the store under their own names.
        let key = name == attribute.name ? nil : name
        let value = try value(of: expression, element: key).converted(to: attribute.type)
        values[name] =
          value == .null && !attribute.isOptional ? attribute.storedDefault : value
      }
    }
    return values
  }

  private func value(
    of expression: Expression, element: String?
  ) throws(MigrationError) -> AttributeValue {
    switch expression {
    case .constant(let value): return value
    case .keyPath(of: .variable("source"), let keys) where keys.count == 1:
      return source.attributes[element ?? keys[0]] ?? .null
    default: throw .cannotEvaluate(expression.text, mapping: mapping)
    }
  }
}

/// The source relationship and the entity mapping that a relationship mapping names.
struct SourceRelationship {
  let name: String
  let mapping: String

  init(_ expression: Expression, mapping entityMapping: String) throws(MigrationError) {
    guard
      case .function(
        "destinationInstancesForEntityMappingNamed:sourceInstances:", on: .variable("manager"),
        let arguments) = expression, arguments.count == 2,
      case .constant(.text(let mapping)) = arguments[0],
      case .keyPath(of: .variable("source"), let keys) = arguments[1], keys.count == 1
    else { throw .cannotEvaluate(expression.text, mapping: entityMapping) }
    name = keys[0]
    self.mapping = mapping
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
