/// An entity mapping of the mapping model, as far as a policy needs it.
public struct EntityMapping: Sendable, Hashable {
  /// The name in the mapping model: `TopicToTopic`.
  public let name: String

  /// The entity whose objects are migrated; `nil` if there is none.
  public let sourceEntityName: String?

  /// The entity of the objects that are created; `nil` if there is none.
  public let destinationEntityName: String?

  /// The user info of the entity mapping.
  public let userInfo: [String: String]

  package init(
    name: String, sourceEntityName: String?, destinationEntityName: String?,
    userInfo: [String: String]
  ) {
    self.name = name
    self.sourceEntityName = sourceEntityName
    self.destinationEntityName = destinationEntityName
    self.userInfo = userInfo
  }
}
