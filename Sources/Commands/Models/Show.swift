internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// `show REF`
struct Show: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "show",
    abstract:
      "Shows a model, an entity, a property, a mapping model, a store or an object as a table.")
  static let examples = [
    CommandExample("a model", "show sample:Topics"),
    CommandExample("an entity", "show sample:Topics/Model4.Topic"),
    CommandExample("a property, key by key", "show sample:Topics/Model4.Topic.timeBudget"),
    CommandExample("an object of a store", "show sample:Phone.TopicList/p3"),
  ]

  @Argument(.reference, "A model, entity, property, store or object (STORE.Entity/p3).")
  var reference: String
  @Option(help: ArgumentHelp("Only the entities of this configuration.", valueName: "name"))
  var configuration: String?
  @OptionGroup var output: OutputOptions

  var answersWithValues: Bool { Self.object(in: reference) != nil }

  mutating func run(in session: Session) throws -> Outcome {
    let found: Reference
    do throws(Diagnostic) {
      found = try session.resolve(reference)
    } catch {
      if error.id != "reference.unknownVersion",
        let others = try? BundleOverview(of: reference, in: session)
      {
        return others.outcome
      }
      guard let (store, object) = Self.object(in: reference) else { throw error }
      return try session.reading(store, model: nil) { objects in
        _ = try objects.model.existingEntity(object.entity)
        guard
          let entity = try objects.reader.concreteEntity(ofKey: object.key, in: object.entity),
          objects.model.isKind(entity, of: object.entity)
        else {
          return ObjectView.missing(object)
        }
        session.shown = ShownObjects(store: store, entity: entity, keys: [object.key])
        return try ObjectView.whole(ObjectRef(entity: entity, key: object.key), objects)
      }
    }
    return switch found {
    case .model(let model): try show(model, in: session)
    case .entity(let entity, let model): show(entity, of: model)
    case .property(let property, let entity, let model): show(property, of: entity, in: model)
    case .mapping(let mapping, let entity): try MappingView(mapping).outcome(entityMapping: entity)
    case .store(let name, let path): try StoreView(path: path, name: name, in: session).outcome
    }
  }

  /// The store and the object of `phone.sqlite.Topic/p3`.
  private static func object(in text: String) -> (store: String, object: ObjectRef)? {
    guard let match = text.wholeMatch(of: /(.+)\.([^.\/]+\/p[0-9]+)/),
      let object = ObjectRef(String(match.2))
    else { return nil }
    return (String(match.1), object)
  }

  private func show(_ named: NamedModel, in session: Session) throws -> Outcome {
    let model = named.model
    let hashes = model.versionHashes()
    let names = try model.entityNames(inConfiguration: configuration)
    let rows: [[StyledText]] = names.compactMap { name in
      guard let entity = model[name] else { return nil }
      return [
        StyledText(name, .name), StyledText(entity.superentityName ?? ""),
        StyledText(String(entity.attributes.count)),
        StyledText(String(entity.relationships.count)),
        StyledText(hashes[name]?.short ?? "", .faint),
        StyledText(entity.isAbstract ? "abstract" : ""),
      ]
    }
    var facts = [Phrase.count(names.count, "entity", "entities")]
    let identifiers = model.document.versionIdentifiers.filter { !$0.isEmpty }.sorted()
    if !identifiers.isEmpty { facts.append("version identifier \(Phrase.list(identifiers))") }
    if !model.configurationNames.isEmpty {
      facts.append("configurations \(Phrase.list(model.configurationNames))")
    }
    if !model.document.fetchRequests.isEmpty {
      facts.append(
        Phrase.count(model.document.fetchRequests.count, "fetch request"))
    }
    let table = Table(
      columns: [
        .init("entity"), .init(rows.allSatisfy { $0[1].isEmpty } ? "" : "parent"),
        .init("attributes", .right), .init("relationships", .right), .init("hash"), .init(""),
      ], rows: rows
    ).withoutEmptyColumns
    if let bundle = try? session.wholeBundle(reference), bundle.versions.count > 1 {
      facts.insert("the current one of \(bundle.versions.count) versions", at: 0)
    }
    return Outcome(
      .stack([
        .line(StyledText(named.name, .heading) + StyledText("  " + facts.joined(separator: ", "))),
        .table(table),
      ]), json: model.json(named: named.name, entities: names))
  }

  private func show(_ name: String, of named: NamedModel) -> Outcome {
    let model = named.model
    let hashes = model.propertyHashes(of: name)
    var rows: [[StyledText]] = []
    for attribute in model.allAttributes(of: name) {
      rows.append(
        Self.row(
          attribute, kind: "attribute", summary: attribute.property.summary,
          of: name, hashes[attribute.property.name]))
    }
    for relationship in model.allRelationships(of: name) {
      rows.append(
        Self.row(
          relationship, kind: "relationship", summary: relationship.property.summary,
          of: name, hashes[relationship.property.name]))
    }
    let entity = model[name]
    for fetched in entity?.fetchedProperties ?? [] {
      rows.append([StyledText(fetched.name, .name), "fetched property", "", "not hashed"])
    }
    var facts: [String] = []
    if entity?.isAbstract == true { facts.append("abstract") }
    if let parent = entity?.superentityName { facts.append("parent \(parent)") }
    let children = model.subentityNames(of: name)
    if !children.isEmpty { facts.append("subentities \(Phrase.list(children))") }
    if let className = entity?.className { facts.append("class \(className)") }
    if let old = entity?.renamingIdentifier { facts.append("renamed from \(old)") }
    if let modifier = entity?.versionHashModifier { facts.append("hash modifier \(modifier)") }
    for constraint in entity?.uniquenessConstraints ?? [] {
      facts.append("unique \(constraint.joined(separator: ", "))")
    }
    for index in entity?.fetchIndexes ?? [] { facts.append("fetch index \(index.name)") }
    let heading =
      StyledText(name, .heading)
      + StyledText(facts.isEmpty ? "" : "  " + facts.joined(separator: "; "))
    let hash = model.versionHashes()[name]
    return Outcome(
      .stack([
        .line(heading), .line(StyledText(hash?.description ?? "", .faint)),
        .table(rows: rows), .table(rows: Self.others(of: name, in: model)),
      ]),
      json: model.json(ofEntity: name))
  }

  /// The keys of a property that its line tells.
  private static let toldKeys: Set = [
    "name", "attributeType", "optional", "defaultValueString", "defaultDateTimeInterval",
    "transient",
    "destinationEntity", "inverseName", "inverseEntity", "toMany", "minCount", "maxCount",
    "ordered",
    "deletionRule", "derived", "derivationExpression", "allowsExternalBinaryDataStorage",
    "elementID",
    "versionHashModifier", "renamingIdentifier", "usesScalarValueType", "syncable",
  ]

  /// What else the model says of an entity: bounds and other keys, user info, fetch requests.
  private static func others(of name: String, in model: ObjectModel) -> [[StyledText]] {
    var rows: [(String, String)] = []
    let settings =
      model.allAttributes(of: name).map { ($0.property.name, $0.property.settings) }
      + model.allRelationships(of: name).map { ($0.property.name, $0.property.settings) }
    for (property, settings) in settings {
      rows += settings.filter { !toldKeys.contains($0.key) }.map {
        ("\(property).\($0.key)", $0.value)
      }
    }
    rows += (model[name]?.userInfo ?? []).map { ("userInfo.\($0.key)", $0.value) }
    for request in model.document.fetchRequests where request.entityName == name {
      rows.append(("fetch request \(request.name)", request.predicateText ?? "all objects"))
    }
    return rows.map { [StyledText($0, .faint), StyledText($1)] }
  }

  private static func row(
    _ declared: Declared<some Property>, kind: String, summary: String, of entity: String,
    _ hash: VersionHash?
  ) -> [StyledText] {
    let isInherited = declared.declaringEntity != entity
    return [
      StyledText(declared.property.name, .name), StyledText(kind),
      StyledText(summary + (isInherited ? " (of \(declared.declaringEntity))" : "")),
      StyledText(hash?.short ?? "not hashed", .faint),
    ]
  }

  private func show(_ name: String, of entity: String, in named: NamedModel) -> Outcome {
    let model = named.model
    var pairs: [(String, String)] = []
    if let found = model.allAttributes(of: entity).first(where: { $0.property.name == name }) {
      pairs = found.property.settings
      if found.declaringEntity != entity { pairs.append(("declared by", found.declaringEntity)) }
    } else if let found = model.relationship(name, of: entity) {
      pairs = found.property.settings
      if found.declaringEntity != entity { pairs.append(("declared by", found.declaringEntity)) }
    }
    let hash = model.propertyHashes(of: entity)[name]
    return Outcome(
      .stack([
        .line(StyledText("\(entity).\(name)", .heading)),
        .table(
          columns: Table.nameAndValue,
          rows: pairs.map { [StyledText($0.0, .name), StyledText($0.1)] } + [
            [
              StyledText("version hash", .faint),
              StyledText(hash?.description ?? "none: not hashed"),
            ]
          ]),
      ]),
      json: model.json(ofProperty: name, of: entity) ?? .null)
  }
}
