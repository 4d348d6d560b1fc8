package import StrataObjectModel

/// A mapping model under the name of its file, by which conventions find it.
package struct NamedMappingModel: Sendable, Hashable {
  package var name: String
  package var mapping: MappingModel
  /// Whether Core Data reads such a file, or a user named it: what decides where nothing is named.
  package var isReadByCoreData: Bool
  /// The models as they were when its file was last saved, under the names of their versions, where it holds them.
  package var source: NamedModel?
  package var destination: NamedModel?
  /// Where its file stands, as a user names it.
  package var path: String?

  package init(
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
