/// The requirements common to attributes, relationships and fetched properties.
package protocol Property: ModelElement {
  var name: String { get set }
  var isOptional: Bool { get set }
  var isTransient: Bool { get set }
  /// The renaming identifier (`elementID` in XML); `nil` if it equals the name.
  var renamingIdentifier: String? { get set }
  var versionHashModifier: String? { get set }
  var userInfo: [UserInfoEntry] { get set }
}
