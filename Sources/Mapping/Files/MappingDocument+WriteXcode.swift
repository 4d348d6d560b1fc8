package import StrataArchives
internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

extension MappingDocument {
  /// The document of an `.xcmappingmodel`, in Xcode's layout.
  ///
  /// Expressions that equal the automatic ones are omitted, as in Xcode. The models are embedded, so the
  /// document identifies its versions.
  ///
  /// - Parameter uuid: The document's own identifier, `8-4-4-4-12` hexadecimal digits.
  /// - Throws: ``MappingError`` for parts that the format cannot store, such as custom names.
  package func xcodeDocument(uuid: String) throws -> XMLDatabase {
    var writer = XcodeMappingWriter(self)
    try writer.write()
    var metadata: [String: PropertyList] = [
      "NSPersistenceFrameworkVersion": .integer(866),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionIdentifiers": .array([.string("")]),
    ]
    metadata["NSStoreModelVersionHashes"] = .dictionary(
      XcodeMapping.hashes.mapValues {
        .data(XMLDatabase.Attribute(name: "", type: "binary", text: $0).bytes ?? [])
      })
    return XMLDatabase(
      info: XMLDatabase.Info(
        uuid: uuid, nextObjectID: writer.lastID, metadata: metadata), objects: writer.objects)
  }
}

private struct XcodeMappingWriter {
  let document: MappingDocument
  private(set) var objects: [XMLDatabase.Object] = []
  private(set) var lastID: Int64 = 101
  /// The parts that the format cannot store.
  private var faults: [MappingError] = []
  private var sourceHashes: [String: VersionHash]?
  private var destinationHashes: [String: VersionHash]?

  init(_ document: MappingDocument) {
    self.document = document
  }

  private mutating func nextID() -> String {
    lastID += 1
    return "z\(lastID)"
  }

  mutating func write() throws {
    // Checked first, because a document that could not be read again must not be written.
    try document.mapping.checkCounts()
    let mappings = document.mapping.entityMappings
    // The automatic expressions depend on both models, also when the document is read.
    let archives = [document.sourceModel, document.destinationModel].compactMap {
      $0?.encodedElements()
    }
    let isWhole = archives.count == 2
    let source = isWhole ? document.sourceModel.map(MatchableModel.init) : nil
    let destination = isWhole ? document.destinationModel.map(MatchableModel.init) : nil
    (sourceHashes, destinationHashes) = (source?.hashes, destination?.hashes)
    let automatic = AutomaticExpressions(from: source, to: destination, mappings)
    let modelID = nextID()
    var model = XMLDatabase.Object(type: XcodeMapping.EntityName.model, id: modelID)
    model.attributes = [
      text("sourcemodelpath", document.sourcePath),
      isWhole ? XMLDatabase.Attribute(name: "sourcemodeldata", bytes: archives[0]) : nil,
      text("destinationmodelpath", document.destinationPath),
      isWhole ? XMLDatabase.Attribute(name: "destinationmodeldata", bytes: archives[1]) : nil,
    ].compactMap { $0 }
    objects.append(model)
    var ids: [String] = []
    for (index, mapping) in mappings.enumerated() {
      ids.append(write(mapping, number: index + 1, in: modelID, automatic))
    }
    guard faults.isEmpty else { throw faults.count == 1 ? faults[0] : .severalNotKept(faults) }
    objects[0].relationships = [
      many("entitymappings", XcodeMapping.EntityName.entity, ids)
    ]
  }

  private mutating func write(
    _ mapping: EntityMapping, number: Int, in model: String, _ automatic: AutomaticExpressions
  ) -> String {
    check(mapping)
    let id = nextID()
    let index = objects.count
    var object = XMLDatabase.Object(type: XcodeMapping.EntityName.entity, id: id)
    object.attributes = [
      text("sourcefilterpredicatestring", mapping.filter),
      text("migrationpolicyclassname", mapping.policyName), text("sourcename", mapping.sourceName),
      text("mappingtypename", "Undefined"),
      XMLDatabase.Attribute(name: "mappingnumber", type: "int16", text: String(number)),
      text("destinationname", mapping.destinationName), userInfo(mapping.userInfo),
      XMLDatabase.Attribute(name: "autogenerateexpression", type: "bool", text: "1"),
    ].compactMap { $0 }
    objects.append(object)
    var attributes: [String] = []
    for property in mapping.attributeMappings {
      attributes.append(
        write(property, of: mapping, id, automatic.attribute(property.name, of: mapping)))
    }
    var relationships: [String] = []
    for property in mapping.relationshipMappings {
      relationships.append(
        writeRelationship(
          property, of: mapping, id, automatic.relationship(property.name, of: mapping)))
    }
    objects[index].relationships = [
      one("mappingmodel", XcodeMapping.EntityName.model, model),
      many("attributemappings", XcodeMapping.EntityName.attribute, attributes),
      many("relationshipmappings", XcodeMapping.EntityName.relationship, relationships),
    ]
    return id
  }

  private mutating func check(_ mapping: EntityMapping) {
    let standard = EntityMapping.standardName(
      source: mapping.sourceName, destination: mapping.destinationName)
    if mapping.name != standard { faults.append(.nameNotKept(mapping.name, wouldBe: standard)) }
    var parts: [String] = []
    if mapping.customSource != nil { parts.append("a source expression that is not a filter") }
    if !mapping.hasStandardKind { parts.append("the type \(mapping.kind.name)") }
    // The document stores version hashes only in its models.
    if let sourceHashes, let destinationHashes,
      mapping.sourceHash != mapping.sourceName.flatMap({ sourceHashes[$0] })
        || mapping.destinationHash != mapping.destinationName.flatMap({ destinationHashes[$0] })
    {
      parts.append("version hashes that differ from those of its models")
    }
    faults += parts.map { .notKept($0, mapping: mapping.name) }
  }

  private mutating func write(
    _ property: PropertyMapping, of mapping: EntityMapping, _ owner: String,
    _ automatic: Expression?
  ) -> String {
    let id = nextID()
    var object = XMLDatabase.Object(type: XcodeMapping.EntityName.attribute, id: id)
    object.attributes = [
      property.expression == automatic ? nil : value(property, mapping),
      userInfo(property.userInfo), text("name", property.name),
    ].compactMap { $0 }
    object.relationships = [one("entitymapping", XcodeMapping.EntityName.entity, owner)]
    objects.append(object)
    return id
  }

  private mutating func writeRelationship(
    _ property: PropertyMapping, of mapping: EntityMapping, _ owner: String,
    _ automatic: Expression?
  ) -> String {
    let id = nextID()
    var object = XMLDatabase.Object(type: XcodeMapping.EntityName.relationship, id: id)
    var isAutomatic = true
    if property.expression != automatic {
      if case .mapping(let name, let sources)? = property.expression.flatMap(
        RelationshipSource.init),
        let path = Self.keyPath(sources)
      {
        object.attributes = [text("sourcemappingname", name), text("sourcekeypath", path)]
          .compactMap { $0 }
      } else {
        isAutomatic = property.expression != nil
        if isAutomatic { object.attributes = [value(property, mapping)].compactMap { $0 } }
      }
    }
    object.attributes += [
      XMLDatabase.Attribute(
        name: "autogenerateexpression", type: "bool", text: isAutomatic ? "1" : "0"),
      userInfo(property.userInfo), text("name", property.name),
    ].compactMap { $0 }
    object.relationships = [one("entitymapping", XcodeMapping.EntityName.entity, owner)]
    objects.append(object)
    return id
  }

  /// `$source`, `$source.country.continent`: the form that Xcode's editor treats as a key path.
  private static func keyPath(_ expression: Expression) -> String? {
    switch expression {
    case .variable("source"), .keyPath(of: .variable("source"), _): expression.text
    default: nil
    }
  }

  /// The archived expression, or the flag for a missing expression if the automatic one is not empty; `nil` if the
  /// archived form is not known.
  private mutating func value(
    _ property: PropertyMapping, _ mapping: EntityMapping
  ) -> XMLDatabase.Attribute? {
    guard let expression = property.expression else {
      return XMLDatabase.Attribute(name: "autogenerateexpression", type: "bool", text: "0")
    }
    guard let bytes = expression.archived() else {
      faults.append(
        .expressionNotKept(expression.text, element: "\(mapping.name).\(property.name)"))
      return nil
    }
    return XMLDatabase.Attribute(name: "valueexpressiondata", bytes: bytes)
  }

  private func text(_ name: String, _ value: String?) -> XMLDatabase.Attribute? {
    value.map { XMLDatabase.Attribute(name: name, type: "string", text: $0) }
  }

  private func userInfo(_ entries: [UserInfoEntry]) -> XMLDatabase.Attribute? {
    guard !entries.isEmpty else { return nil }
    var writer = KeyedArchiveWriter()
    let root = writer.userInfo("NSMutableDictionary", entries)
    return XMLDatabase.Attribute(name: "userinfodata", bytes: writer.encoded(root: root))
  }

  private func one(_ name: String, _ type: String, _ id: String) -> XMLDatabase.Relationship {
    XMLDatabase.Relationship(name: name, type: "1/1", destination: type, references: [id])
  }

  private func many(_ name: String, _ type: String, _ ids: [String]) -> XMLDatabase.Relationship {
    XMLDatabase.Relationship(name: name, type: "0/0", destination: type, references: ids)
  }
}
