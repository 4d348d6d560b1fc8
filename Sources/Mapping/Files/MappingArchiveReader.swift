internal import StrataArchives
internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

/// Reads one compiled mapping model (`.cdm`). Objects can be shared, so the objects read are counted.
///
/// Source: `Docs/Facts/migration-process.md`, section 3; the `.cdm` that `CorpusTests` reads.
struct MappingArchiveReader {
  /// Descriptions of the parts of the file that are ignored.
  private(set) var leftOut: Set<String> = []
  private var propertyCount = 0
  private var userInfoSize = 0
  private var expressions = ArchivedExpressionReader(limit: MappingDocument.expressionLimit)

  /// - Throws: ``ArchiveError``, ``ModelError``, ``MappingError``.
  mutating func mapping(_ archive: KeyedArchive) throws -> MappingModel {
    let root = try archive.root()
    guard root.className == "NSMappingModel" else {
      throw MappingError.notAMappingModel(found: root.className ?? root.value.kind)
    }
    return MappingModel(
      entityMappings: try root.elements("NSEntityMappings").map { try entityMapping($0) })
  }

  mutating func entityMapping(_ object: ArchivedObject) throws -> EntityMapping {
    guard object.className == "NSEntityMapping" else {
      throw MappingError.malformed(
        "\(object.className ?? object.value.kind) instead of an entity mapping", mapping: nil)
    }
    guard let name = try object.string("NSMappingName") else {
      throw MappingError.malformed("an entity mapping without a name", mapping: nil)
    }
    let number = Int(clamping: try object.integer("NSMappingType") ?? 0)
    guard let kind = EntityMapping.Kind(rawValue: number) else {
      throw MappingError.malformed("an entity mapping of type \(number)", mapping: name)
    }
    var mapping = EntityMapping(
      name: name, kind: kind, sourceName: try object.string("NSSourceEntityName"),
      destinationName: try object.string("NSDestinationEntityName"),
      sourceHash: try hash(object, "NSSourceEntityVersionHash", name),
      destinationHash: try hash(object, "NSDestinationEntityVersionHash", name))
    mapping.policyName = try object.string("NSEntityMigrationPolicyClassName").nonEmpty
    mapping.userInfo = try userInfo(of: object)
    mapping.attributeMappings = try properties(object, "NSAttributeMappings", name)
    mapping.relationshipMappings = try properties(object, "NSRelationshipMappings", name)
    if let expression = try object.object("NSSourceExpression") {
      mapping.setSource(try expressions.expression(expression))
    }
    return mapping
  }

  private func hash(
    _ object: ArchivedObject, _ key: String, _ mapping: String
  ) throws -> VersionHash? {
    guard case .data(let bytes)? = try object.plain(key) else { return nil }
    guard let hash = VersionHash(bytes: bytes) else {
      throw MappingError.malformed("a version hash of \(bytes.count) bytes", mapping: mapping)
    }
    return hash
  }

  private mutating func properties(
    _ object: ArchivedObject, _ key: String, _ mapping: String
  ) throws -> [PropertyMapping] {
    let elements = try object.elements(key)
    propertyCount += elements.count
    guard propertyCount <= MappingDocument.propertyMappingLimit else {
      throw MappingError.tooMany("property mappings", limit: MappingDocument.propertyMappingLimit)
    }
    var mappings: [PropertyMapping] = []
    for element in elements {
      guard element.className == "NSPropertyMapping",
        let name = try element.string("NSDestinationPropertyName")
      else {
        throw MappingError.malformed(
          "\(element.className ?? element.value.kind) instead of a property mapping",
          mapping: mapping)
      }
      var property = PropertyMapping(
        name: name,
        expression: try element.object("NSValueExpression").map { try expressions.expression($0) })
      property.userInfo = try userInfo(of: element)
      if try element.object("NSPropertyTransforms") != nil {
        leftOut.insert("transforms of properties")
      }
      mappings.append(property)
    }
    return mappings
  }
}

extension MappingArchiveReader {
  private mutating func userInfo(of object: ArchivedObject) throws -> [UserInfoEntry] {
    guard let info = try object.object("NSUserInfo") else { return [] }
    let texts = try info.texts()
    userInfoSize += texts.reduce(texts.count) {
      $0 + ($1.key.utf8.count + $1.value.utf8.count) / 64
    }
    guard userInfoSize <= MappingDocument.userInfoLimit else {
      throw MappingError.tooMany("entries of user info", limit: MappingDocument.userInfoLimit)
    }
    if try info.entries().count > texts.count { leftOut.insert("user info that is not text") }
    return texts
  }
}

extension ArchivedObject {
  /// The string entries of a dictionary, such as user info; other entries are skipped.
  func texts() throws -> [UserInfoEntry] {
    try entries()
      .compactMap { entry in
        entry.value.value.string.map { UserInfoEntry(key: entry.key, value: $0) }
      }
      .sorted { $0.key.precedesInBytes($1.key) }
  }
}

extension String? {
  /// `nil` for an empty string, which is equivalent.
  var nonEmpty: String? { flatMap { $0.isEmpty ? nil : $0 } }
}

extension EntityMapping {
  /// Parses a source expression if it is the usual fetch of the source entity.
  mutating func setSource(_ expression: Expression) {
    filter = nil
    customSource = nil
    if case .fetch(let request, _, _) = expression,
      case .function(MappingFunction.fetchRequest, on: .variable("manager"), let arguments) =
        request, arguments.count == 2, case .constant(.text(let entity)) = arguments[0],
      case .constant(.text(let predicate)) = arguments[1], entity == sourceName
    {
      filter = predicate == Self.everything ? nil : predicate
    }
    if sourceExpression != expression { customSource = expression }
  }
}
