internal import StrataArchives
public import StrataObjectModel

/// A mapping model together with what its file tells of the two models that it is for.
///
/// ```swift
/// let document = try MappingDocument(reading: bytes)
/// document.mapping.entityMappings.map(\.name)  // ["TopicToTopic", "TopicListToTopicList"]
/// document.destinationModel?.versionHashes()   // as the model was when the mapping model was last saved
/// ```
public struct MappingDocument: Sendable, Hashable {
  public var mapping: MappingModel
  /// Where the models stand in the project of the app.
  public var sourcePath: String?
  public var destinationPath: String?
  /// The models as they were when an `.xcmappingmodel` was last saved; a compiled one holds none.
  public var sourceModel: ObjectModel?
  public var destinationModel: ObjectModel?

  public init(
    _ mapping: MappingModel, sourcePath: String? = nil, destinationPath: String? = nil,
    sourceModel: ObjectModel? = nil, destinationModel: ObjectModel? = nil
  ) {
    self.mapping = mapping
    self.sourcePath = sourcePath
    self.destinationPath = destinationPath
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
  }

  /// How many entity mappings, and property mappings in all, a mapping model may have; the largest known
  /// real one has 17 and 180.
  static let entityMappingLimit = 1000
  static let propertyMappingLimit = 100_000

  /// Reads a compiled mapping model (`.cdm`) or the document inside an `.xcmappingmodel`, whichever the
  /// first bytes tell.
  ///
  /// - Throws: ``ArchiveError``, ``ModelError``, ``MappingError``.
  public init(reading bytes: [UInt8]) throws {
    if bytes.starts(with: Array("bplist".utf8)) {
      self.init(try MappingModel(archive: KeyedArchive(reading: bytes)))
    } else {
      try self.init(database: XMLDatabase(reading: bytes))
    }
    let mappings = mapping.entityMappings
    guard mappings.count <= Self.entityMappingLimit else {
      throw MappingError.tooMany("entity mappings", limit: Self.entityMappingLimit)
    }
    var names: Set<String> = []
    for mapping in mappings where !names.insert(mapping.name).inserted {
      throw MappingError.duplicateName(mapping.name)
    }
  }

  /// The document's file inside an `.xcmappingmodel`.
  public static let fileName = "xcmapping.xml"
}
