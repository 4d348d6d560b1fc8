package import StrataObjectModel

/// A mapping model with its file name, which naming conventions use.
package struct NamedMappingModel: Sendable, Hashable {
  package var name: String
  package var mapping: MappingModel
  /// Whether Core Data can read the file, or a user named it; other files are not chosen automatically.
  package var isReadByCoreData: Bool
  /// The models stored in its file when it was last saved, with their version names; `nil` if it contains none.
  package var source: NamedModel?
  package var destination: NamedModel?
  /// The path of its file, as given by the user.
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
