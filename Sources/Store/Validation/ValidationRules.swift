internal import StrataBase

/// Kinds of rules for the objects of a store.
///
/// ```swift
/// try reader.forEachProblem(of: "Topic", [.required, .values]) { print($0.message) }
/// ```
package struct ValidationRules: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Required attributes have a value.
  package static let required = ValidationRules(rawValue: 1)
  /// Values are in the range of their type, and satisfy the bounds and patterns of the model.
  package static let values = ValidationRules(rawValue: 2)
  /// Values have the storage class of their type, and their external files exist.
  package static let types = ValidationRules(rawValue: 4)
  /// Relationships have as many objects as the model allows, which exist and point back.
  package static let relationships = ValidationRules(rawValue: 8)
  /// No two objects have equal values of a uniqueness constraint.
  package static let uniqueness = ValidationRules(rawValue: 16)
  /// The columns that Core Data adds to a table are consistent.
  package static let bookkeeping = ValidationRules(rawValue: 32)

  /// The rules that Core Data checks when it saves and in the third pass of a migration, except uniqueness, which an
  /// index enforces.
  package static let saving: ValidationRules = [.required, .values, .relationships]
  /// The rules for saved objects.
  package static let saved: ValidationRules = [
    .required, .values, .types, .relationships, .uniqueness,
  ]
  /// The rules for existing stores: some violations that Core Data refuses to save are only notes.
  package static let stored: ValidationRules = [.saved, .bookkeeping]

  /// Whether an object is validated as stored, not as being saved.
  var isOfStoredObjects: Bool { contains(.bookkeeping) }
}
