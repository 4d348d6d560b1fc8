internal import StrataArchives
internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

extension MappingDocument {
  /// Reads the document inside an `.xcmappingmodel` like Xcode's compiler: omitted expressions are replaced by
  /// the automatic ones.
  ///
  /// Unreferenced objects are leftovers of editing and are ignored.
  ///
  /// - Throws: ``ArchiveError``, ``ModelError``, ``MappingError``.
  init(database: XMLDatabase) throws {
    let reader = try XcodeMappingReader(database)
    self.init(MappingModel(entityMappings: []))
    sourcePath = reader.model["sourcemodelpath"]?.text
    destinationPath = reader.model["destinationmodelpath"]?.text
    sourceModel = try reader.embeddedModel("sourcemodeldata")
    destinationModel = try reader.embeddedModel("destinationmodeldata")
    mapping = try reader.mapping(
      from: sourceModel.map(MatchableModel.init), to: destinationModel.map(MatchableModel.init))
  }
}

private struct XcodeMappingReader {
  let model: XMLDatabase.Object
  private let objects: [String: XMLDatabase.Object]

  init(_ database: XMLDatabase) throws {
    let models = database.objects.filter { $0.type == XcodeMapping.EntityName.model }
    guard let model = models.first, models.count == 1 else {
      throw MappingError.notAMappingModel(
        found: models.isEmpty
          ? "an XML store without a mapping model" : "a document of \(models.count) mapping models")
    }
    guard database.objects.count <= MappingDocument.propertyMappingLimit else {
      throw MappingError.tooMany("property mappings", limit: MappingDocument.propertyMappingLimit)
    }
    self.model = model
    objects = Dictionary(uniqueKeysWithValues: database.objects.map { ($0.id, $0) })
  }

  func embeddedModel(_ attribute: String) throws -> ObjectModel? {
    guard let bytes = try bytes(attribute, of: model, mapping: nil) else { return nil }
    return try part(attribute) {
      // Only archives are valid here, so a model in XML is rejected.
      guard bytes.starts(with: Array("bplist".utf8)) else { throw ArchiveError.notAPropertyList }
      return try ObjectModel(ModelDocument(reading: bytes))
    }
  }

  func mapping(from source: MatchableModel?, to destination: MatchableModel?) throws -> MappingModel
  {
    let found = try related("entitymappings", of: model, type: XcodeMapping.EntityName.entity)
    let ordered = found.enumerated().sorted { a, b in
      (number(a.element), a.offset) < (number(b.element), b.offset)
    }.map(\.element)
    var mappings = try ordered.map { try skeleton($0, from: source, to: destination) }
    let automatic = AutomaticExpressions(from: source, to: destination, mappings)
    var seen: Set<String> = []
    for (index, object) in ordered.enumerated() {
      let attributes = try related(
        "attributemappings", of: object, type: XcodeMapping.EntityName.attribute)
      let relationships = try related(
        "relationshipmappings", of: object, type: XcodeMapping.EntityName.relationship)
      let skeleton = mappings[index]
      // Shared objects would multiply the size of the document.
      for property in attributes + relationships where !seen.insert(property.id).inserted {
        throw MappingError.malformed(
          "a property mapping that occurs twice: \(property.id)", mapping: skeleton.name)
      }
      mappings[index].attributeMappings = try attributes.map {
        try property($0, of: skeleton, automatic: automatic.attribute)
      }.sorted { $0.name.precedesInBytes($1.name) }
      mappings[index].relationshipMappings = try relationships.map {
        try property($0, of: skeleton, automatic: automatic.relationship)
      }.sorted { $0.name.precedesInBytes($1.name) }
    }
    return MappingModel(entityMappings: mappings)
  }

  private func number(_ object: XMLDatabase.Object) -> Int {
    object["mappingnumber"].flatMap { Int($0.text) } ?? Int.max
  }

  /// An entity mapping without its property mappings.
  private func skeleton(
    _ object: XMLDatabase.Object, from source: MatchableModel?, to destination: MatchableModel?
  ) throws -> EntityMapping {
    let sourceName = (object["sourcename"]?.text).nonEmpty
    let destinationName = (object["destinationname"]?.text).nonEmpty
    let policy = (object["migrationpolicyclassname"]?.text).nonEmpty
    var mapping = EntityMapping(
      name: EntityMapping.standardName(source: sourceName, destination: destinationName),
      kind: EntityMapping.standardKind(
        source: sourceName, destination: destinationName, policy: policy),
      sourceName: sourceName, destinationName: destinationName,
      sourceHash: sourceName.flatMap { source?.hashes[$0] },
      destinationHash: destinationName.flatMap { destination?.hashes[$0] })
    mapping.policyName = policy
    let filter = (object["sourcefilterpredicatestring"]?.text).nonEmpty
    mapping.filter = filter == EntityMapping.everything ? nil : filter
    mapping.userInfo = try userInfo(of: object)
    return mapping
  }

  private func property(
    _ object: XMLDatabase.Object, of mapping: EntityMapping,
    automatic: (String, EntityMapping) -> Expression?
  ) throws -> PropertyMapping {
    guard let name = (object["name"]?.text).nonEmpty else {
      throw MappingError.malformed("a property mapping without a name", mapping: mapping.name)
    }
    var property = PropertyMapping(name: name, expression: nil)
    property.userInfo = try userInfo(of: object)
    if let bytes = try bytes("valueexpressiondata", of: object, mapping: mapping.name) {
      property.expression = try part("\(mapping.name).\(name)") {
        try Expression(archived: KeyedArchive(reading: bytes).root())
      }
    } else if let chosen = (object["sourcemappingname"]?.text).nonEmpty {
      // Without a key path, the mapping uses that of the relationship.
      let path = try sourcePath(object, element: "\(mapping.name).\(name)")
      let own = automatic(name, mapping).flatMap(RelationshipSource.init)?.sources
      property.expression = (path ?? own).map { .destinations(through: chosen, of: $0) }
    } else if let path = try sourcePath(object, element: "\(mapping.name).\(name)") {
      property.expression = .destinations(ofRelationship: name, of: path)
    } else if object["autogenerateexpression"]?.text != "0" {
      property.expression = automatic(name, mapping)
    }
    return property
  }

  private func sourcePath(_ object: XMLDatabase.Object, element: String) throws -> Expression? {
    guard let text = (object["sourcekeypath"]?.text).nonEmpty else { return nil }
    do throws(ExpressionError) {
      return try Expression(parsing: text)
    } catch {
      throw MappingError.badExpression(text, element: element, reason: error.diagnostic.what)
    }
  }

  private func related(
    _ name: String, of object: XMLDatabase.Object, type: String
  ) throws -> [XMLDatabase.Object] {
    try (object.relationship(name)?.references ?? []).map { id in
      guard let found = objects[id], found.type == type else {
        throw MappingError.malformed(
          "a reference to \(id), which is not of type \(type)", mapping: nil)
      }
      return found
    }
  }

  private func bytes(
    _ attribute: String, of object: XMLDatabase.Object, mapping: String?
  ) throws -> [UInt8]? {
    guard let value = object[attribute], !value.text.isEmpty else { return nil }
    guard let bytes = value.bytes else {
      throw MappingError.malformed("\(attribute) that is not valid base64", mapping: mapping)
    }
    return bytes
  }

  /// The string entries; other entries cannot be represented in the text form of a mapping model.
  private func userInfo(of object: XMLDatabase.Object) throws -> [UserInfoEntry] {
    guard let bytes = try bytes("userinfodata", of: object, mapping: nil) else { return [] }
    return try part("userinfodata") { try KeyedArchive(reading: bytes).root().texts() }
  }

  /// Reads an archive in the document; errors name the archive.
  private func part<Value>(_ element: String, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let error as any DiagnosticError {
      throw MappingError.badPart(element, error.diagnostic)
    }
  }
}
