/// What attributes, relationships and fetched properties have in common.
package protocol Property: ModelElement {
  var name: String { get set }
  var isOptional: Bool { get set }
  var isTransient: Bool { get set }
  /// The canonical name that outlives renames (`elementID` in XML); `nil` means the name itself.
  var renamingIdentifier: String? { get set }
  var versionHashModifier: String? { get set }
  var userInfo: [UserInfoEntry] { get set }
}
