public import StrataArchives
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataValues

extension MappingModel {
  /// Reads a compiled mapping model: a `.cdm`.
  ///
  /// - Throws: ``ArchiveError``, ``ModelError``, ``MappingError``.
  ///
  /// Source: facts on the migration process, section 3; the `.cdm` of the corpus.
  public init(archive: KeyedArchive) throws {
    let root = try archive.root()
    guard root.className == "NSMappingModel" else {
      throw MappingError.notAMappingModel(found: root.className ?? root.value.kind)
    }
    var reader = MappingArchiveReader()
    self.init(
      entityMappings: try root.elements("NSEntityMappings").map { try reader.entityMapping($0) })
  }
}

private struct MappingArchiveReader {
  private var propertyCount = 0

  mutating func entityMapping(_ object: ArchivedObject) throws -> EntityMapping {
    guard object.className == "NSEntityMapping" else {
      throw MappingError.malformed(
        "\(object.className ?? object.value.kind) where an entity mapping belongs", mapping: nil)
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
    mapping.userInfo = try object.object("NSUserInfo")?.texts() ?? []
    mapping.attributeMappings = try properties(object, "NSAttributeMappings", name)
    mapping.relationshipMappings = try properties(object, "NSRelationshipMappings", name)
    if let expression = try object.object("NSSourceExpression") {
      mapping.setSource(try Expression(archived: expression))
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
    return try elements.map { element in
      guard element.className == "NSPropertyMapping",
        let name = try element.string("NSDestinationPropertyName")
      else {
        throw MappingError.malformed(
          "\(element.className ?? element.value.kind) where a property mapping belongs",
          mapping: mapping)
      }
      var property = PropertyMapping(
        name: name,
        expression: try element.object("NSValueExpression").map { try Expression(archived: $0) })
      property.userInfo = try element.object("NSUserInfo")?.texts() ?? []
      return property
    }
  }
}

extension ArchivedObject {
  /// The entries of a dictionary that are texts, as user info usually is; others are left out.
  func texts() throws -> [UserInfoEntry] {
    try entries()
      .compactMap { entry in
        entry.value.value.string.map { UserInfoEntry(key: entry.key, value: $0) }
      }
      .sorted { $0.key.precedesInBytes($1.key) }
  }
}

extension String? {
  /// `nil` for an empty text, which means the same.
  var nonEmpty: String? { flatMap { $0.isEmpty ? nil : $0 } }
}

extension EntityMapping {
  /// Takes a source expression apart, where it is the usual fetch of the source entity.
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
