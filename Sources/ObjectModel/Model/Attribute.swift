package import StrataBase

/// An attribute of an entity.
///
/// ```swift
/// let timeBudget = Attribute(name: "timeBudget", type: .integer32, defaultValue: "5")
/// timeBudget.isOptional  // false
/// ```
package struct Attribute: Property {
  package var name: String
  package var type: AttributeType
  package var isOptional: Bool
  package var isTransient: Bool
  /// The default value in the text form of the model: `5`, `NO`, or seconds since 2001 for a date.
  package var defaultValue: String?
  package var allowsExternalBinaryStorage = false
  package var preservesValueInHistoryOnDeletion = false
  package var isIndexed = false
  /// Computed from other properties, and read-only.
  package var isDerived = false
  /// The derivation expression of a derived attribute, in the text form of the model.
  package var derivation: String?
  /// Whether a compiled model has a predicate beside the derivation; it occurs in no known file, and is not read.
  package var hasFilteringPredicate = false
  /// The name of the composite type, for ``AttributeType/composite``.
  package var compositeName: String?
  package var renamingIdentifier: String?
  package var versionHashModifier: String?
  package var userInfo: [UserInfoEntry] = []
  package var extras = ModelExtras()

  package init(
    name: String, type: AttributeType = .undefined, isOptional: Bool = false,
    isTransient: Bool = false, defaultValue: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
  }
}
