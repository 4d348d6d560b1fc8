internal import StrataArchives
internal import StrataExpressions
package import StrataObjectModel

/// A mapping model with the information in its file about the source and destination models.
///
/// ```swift
/// let document = try MappingDocument(reading: FileBytes.read("Model1ToModel2.cdm"))
/// document.mapping.entityMappings.map(\.name)  // ["TopicToTopic", "TopicListToTopicList"]
/// document.destinationModel?.versionHashes()   // the hashes when the mapping model was last saved
/// ```
package struct MappingDocument: Sendable, Hashable {
  package var mapping: MappingModel
  /// The paths of the models in the app's project.
  package var sourcePath: String?
  package var destinationPath: String?
  /// The models at the time when an `.xcmappingmodel` was last saved; `nil` for a compiled one.
  package var sourceModel: ObjectModel?
  package var destinationModel: ObjectModel?

  /// Descriptions of the parts of the file that are not read.
  package var leftOut: Set<String> = []

  package init(
    _ mapping: MappingModel, sourcePath: String? = nil, destinationPath: String? = nil,
    sourceModel: ObjectModel? = nil, destinationModel: ObjectModel? = nil
  ) {
    self.mapping = mapping
    self.sourcePath = sourcePath
    self.destinationPath = destinationPath
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
  }

  /// The maximum numbers of entity mappings and property mappings of a mapping model; the largest known one has
  /// 17 and 180.
  static let entityMappingLimit = 1000
  static let propertyMappingLimit = 100_000
  /// The maximum numbers of parts of all expressions and of entries of all user info.
  static let expressionLimit = 200_000
  static let userInfoLimit = 20_000

  /// Reads a compiled mapping model (`.cdm`) or the document inside an `.xcmappingmodel`, depending on the
  /// first bytes.
  ///
  /// - Throws: ``ArchiveError``, ``ModelError``, ``MappingError``.
  package init(reading bytes: [UInt8]) throws {
    if bytes.starts(with: Array("bplist".utf8)) {
      var reader = MappingArchiveReader()
      self.init(try reader.mapping(KeyedArchive(reading: bytes)))
      leftOut = reader.leftOut
    } else {
      try self.init(database: XMLDatabase(reading: bytes))
    }
    try mapping.check()
  }

  /// The document's file inside an `.xcmappingmodel`.
  package static let fileName = "xcmapping.xml"
}

extension MappingModel {
  /// Rejects mapping models that have no text form or cannot be used in a migration.
  fileprivate func check() throws(MappingError) {
    try checkCounts()
    var names: Set<String> = []
    for mapping in entityMappings {
      guard names.insert(mapping.name).inserted else { throw .duplicateName(mapping.name) }
      guard mapping.sourceName != nil || mapping.destinationName != nil else {
        throw .malformed("an entity mapping without entities", mapping: mapping.name)
      }
      try Self.check(mapping.customSource, element: mapping.name)
      var properties: Set<String> = []
      for property in mapping.attributeMappings + mapping.relationshipMappings {
        guard properties.insert(property.name).inserted else {
          throw .malformed("two mappings of \(property.name)", mapping: mapping.name)
        }
        try Self.check(property.expression, element: "\(mapping.name).\(property.name)")
      }
    }
  }

  /// Rejects mapping models that exceed the limits for files.
  package func checkCounts() throws(MappingError) {
    guard entityMappings.count <= MappingDocument.entityMappingLimit else {
      throw .tooMany("entity mappings", limit: MappingDocument.entityMappingLimit)
    }
    let count = entityMappings.reduce(0) {
      $0 + $1.attributeMappings.count + $1.relationshipMappings.count
    }
    guard count <= MappingDocument.propertyMappingLimit else {
      throw .tooMany("property mappings", limit: MappingDocument.propertyMappingLimit)
    }
  }

  private static func check(_ expression: Expression?, element: String) throws(MappingError) {
    guard let expression, (try? Expression(parsing: expression.text)) != expression else { return }
    throw .badExpression(
      String(expression.text.prefix(200)), element: element, reason: "it has no text form")
  }
}
