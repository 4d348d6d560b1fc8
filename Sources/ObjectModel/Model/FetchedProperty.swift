/// A property computed by a fetch request; never stored, and never hashed.
package struct FetchedProperty: Property {
  package var name: String
  package var isOptional = false
  package var isTransient = false
  package var renamingIdentifier: String?
  package var versionHashModifier: String?
  package var userInfo: [UserInfoEntry] = []
  /// The fetch request in the text form of the model, stored in `extras`.
  package var extras = ModelExtras()

  package init(name: String) {
    self.name = name
  }
}
