/// A property computed by a fetch request; never stored, and never hashed.
public struct FetchedProperty: Property {
  public var name: String
  public var isOptional: Bool
  public var isTransient: Bool
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var userInfo: [UserInfoEntry]
  /// The request, as the model writes it; it stands in `extras`.
  public var extras: ModelExtras

  public init(name: String) {
    self.name = name
    isOptional = false
    isTransient = false
    userInfo = []
    extras = ModelExtras()
  }
}
