/// A mapping model under the name of its file, by which conventions find it.
public struct NamedMappingModel: Sendable, Hashable {
  public var name: String
  public var mapping: MappingModel

  public init(name: String, mapping: MappingModel) {
    self.name = name
    self.mapping = mapping
  }
}
