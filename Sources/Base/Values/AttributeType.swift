/// The type of an attribute, numbered as Core Data numbers it.
///
/// The raw value is the `int32` that is hashed in an attribute's version hash and the `NSAttributeType` of a
/// compiled model.
///
/// Source: `Docs/Facts/version-hash.md`, section 2,
/// and `Docs/Facts/model-format.md`, section 4.2; every number but those of `objectID` and `undefined` is
/// in real compiled models.
package enum AttributeType: Int32, Sendable, Hashable, CaseIterable {
  case undefined = 0
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case binary = 1000
  case uuid = 1100
  case uri = 1200
  case transformable = 1800
  case objectID = 2000
  case composite = 2100

  /// The name in a model's XML (`attributeType`), which is also how Strata shows the type.
  package var name: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binary: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "ObjectID"
    case .composite: "Composite"
    }
  }

  /// The type with this XML name.
  ///
  /// ```swift
  /// AttributeType(name: "Integer 32")  // .integer32
  /// ```
  package init?(name: String) {
    guard let type = Self.byName[name] else { return nil }
    self = type
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// The range of an integer or Boolean type; `nil` for other types.
  package var wholeNumbers: ClosedRange<Int64>? {
    switch self {
    case .boolean: 0...1
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: Int64.min...Int64.max
    default: nil
    }
  }

  /// Whether it is an integer, decimal, floating-point or Boolean type: Core Data converts these into one another.
  package var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    default: false
    }
  }

  /// Whether an attribute takes the values of attributes of another type: a number those of other numbers. NSManagedObject
  /// refuses an object of another class.
  package func takes(_ other: AttributeType) -> Bool {
    self == other || isNumber && other.isNumber
  }

  /// Whether it is an integer type.
  package var isWhole: Bool { [.integer16, .integer32, .integer64].contains(self) }

  /// Whether its values may have a fraction.
  package var isFractional: Bool { [.double, .float, .decimal].contains(self) }
}
