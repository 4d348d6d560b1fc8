public import StrataObjectModel

/// A mapping model under the name of its file, by which conventions find it.
public struct NamedMappingModel: Sendable, Hashable {
  public var name: String
  public var mapping: MappingModel
  /// Whether Core Data reads such a file, or a user named it: what decides where nothing is named.
  public var isReadByCoreData: Bool
  /// The models as they were when its file was last saved, under the names of their versions, where it holds them.
  public var source: NamedModel?
  public var destination: NamedModel?
  /// Where its file stands, as a user names it.
  public var path: String?

  public init(
    name: String, mapping: MappingModel, isReadByCoreData: Bool = true, source: NamedModel? = nil,
    destination: NamedModel? = nil, path: String? = nil
  ) {
    self.name = name
    self.mapping = mapping
    self.isReadByCoreData = isReadByCoreData
    self.source = source
    self.destination = destination
    self.path = path
  }
}
