public import StrataBase

/// An attribute of an entity.
///
/// ```swift
/// let timeBudget = Attribute(name: "timeBudget", type: .integer32, defaultValue: "5")
/// timeBudget.isOptional  // false
/// ```
public struct Attribute: Property {
  public var name: String
  public var type: AttributeType
  public var isOptional: Bool
  public var isTransient: Bool
  /// The default as the model writes it: `5`, `NO`, or seconds since 2001 for a date.
  public var defaultValue: String?
  public var allowsExternalBinaryStorage: Bool
  public var preservesValueInHistoryOnDeletion: Bool
  public var isIndexed: Bool
  /// Computed from other properties, and read-only.
  public var isDerived: Bool
  /// The text that a derived attribute is computed from, as the model writes it.
  public var derivation: String?
  /// The name of the composite type, for ``AttributeType/composite``.
  public var compositeName: String?
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var userInfo: [UserInfoEntry]
  public var extras: ModelExtras

  public init(
    name: String, type: AttributeType = .undefined, isOptional: Bool = false,
    isTransient: Bool = false, defaultValue: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    allowsExternalBinaryStorage = false
    preservesValueInHistoryOnDeletion = false
    isIndexed = false
    isDerived = false
    userInfo = []
    extras = ModelExtras()
  }
}
