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
  /// Values are in the range of their type, and keep the bounds and patterns of the model.
  package static let values = ValidationRules(rawValue: 2)
  /// Values have the storage class of their type, and their external files exist.
  package static let types = ValidationRules(rawValue: 4)
  /// Relationships have as many objects as the model allows, which exist and point back.
  package static let relationships = ValidationRules(rawValue: 8)
  /// No two objects have the values of a uniqueness constraint.
  package static let uniqueness = ValidationRules(rawValue: 16)
  /// The columns that Core Data adds to a table say what they must.
  package static let bookkeeping = ValidationRules(rawValue: 32)

  /// What Core Data checks when it saves, except uniqueness, which an index checks.
  package static let saving: ValidationRules = [.required, .values, .relationships]
  /// What an object that is saved must keep.
  package static let saved: ValidationRules = [
    .required, .values, .types, .relationships, .uniqueness,
  ]
  /// What a store that is read must keep: in it, some of what Core Data refuses to save is a note only.
  package static let stored: ValidationRules = [.saved, .bookkeeping]

  /// Whether an object is judged as it is in a store, and not as one that is being saved.
  var isOfStoredObjects: Bool { contains(.bookkeeping) }
}
