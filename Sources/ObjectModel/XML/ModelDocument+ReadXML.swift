package import StrataArchives
internal import StrataBase

extension ModelDocument {
  /// Reads the `contents` of an `.xcdatamodel`.
  ///
  /// Unknown attributes and elements are preserved.
  ///
  /// - Throws: ``ModelError`` for an element without a name or an invalid value. ``ObjectModel`` checks whether
  ///   names resolve.
  ///
  /// Source: `Docs/Facts/model-format.md`, a survey of 144 files; 258 real files are read in the tests.
  package init(markup root: MarkupElement) throws(ModelError) {
    try self.init(markup: root) { child throws(ModelError) in try Entity(markup: child) }
  }

  /// Reads the rest of a document and takes its entities, in order, from those that were read before.
  ///
  /// - Returns: `nil` if the whole has to be read: these are not its entities, or there are too many elements.
  init?(markup root: MarkupElement, entities: [SharedEntity]) throws(ModelError) {
    let places = root.children.count { $0.name == "entity" }
    guard places == entities.count,
      entities.reduce(root.elementCount, { $0 + $1.elementCount }) <= ArchiveLimits.elementCount
    else { return nil }
    var rest = entities[...]
    try self.init(markup: root) { child throws(ModelError) in
      guard var entity = rest.popFirst()?.entity else { return try Entity(markup: child) }
      entity.extras.line = child.line
      return entity
    }
  }

  private init(
    markup root: MarkupElement, entity: (MarkupElement) throws(ModelError) -> Entity
  ) throws(ModelError) {
    guard root.name == "model" else {
      throw ModelError(.notAModel(found: root.name), line: root.line)
    }
    self.init()
    extras.line = root.line
    try take(root.attributes, entity: nil, property: nil)
    for child in root.children {
      switch child.name {
      case "entity": entities.append(try entity(child))
      case "fetchRequest":
        var request: FetchRequestTemplate = try child.element(
          FetchRequestTemplate(name: "", entityName: ""), in: nil)
        request.extras.elements = child.children
        fetchRequests.append(request)
      case "configuration": configurations.append(try ModelConfiguration(markup: child))
      case "composite": composites.append(try CompositeType(markup: child))
      default: extras.elements.append(child)
      }
    }
  }
}

extension MarkupElement {
  /// The model element with the attributes and the line of this XML element.
  ///
  /// - Parameter owner: The name of the entity or composite that it is a part of, and its line.
  fileprivate func element<Element: KeyedModelElement>(
    _ empty: Element, in owner: (name: String, line: Int)?, needsName: Bool = true
  ) throws(ModelError) -> Element {
    let name = attributes["name"]
    if needsName, name?.isEmpty ?? true {
      throw ModelError(.missingName(element: self.name), entity: owner?.name, line: line)
    }
    var element = empty
    element.extras.line = line
    try element.take(
      attributes, entity: owner?.name ?? name, property: owner == nil ? nil : name)
    element.extras.line -= owner?.line ?? 0
    return element
  }

  /// The entries of an element `userInfo`.
  var userInfo: [UserInfoEntry] {
    children.map {
      UserInfoEntry(key: $0.attributes["key"] ?? "", value: $0.attributes["value"] ?? "")
    }
  }

  /// The attribute `key` of each child.
  fileprivate func values(_ key: String) -> [String] {
    children.compactMap { $0.attributes[key] }
  }
}

extension Entity {
  init(markup: MarkupElement) throws(ModelError) {
    self = try markup.element(Entity(name: ""), in: nil)
    let owner = (name, markup.line)
    for child in markup.children {
      switch child.name {
      case "attribute": attributes.append(try Attribute(markup: child, in: owner))
      case "relationship": relationships.append(try Relationship(markup: child, in: owner))
      case "fetchedProperty":
        fetchedProperties.append(try child.property(FetchedProperty(name: ""), in: owner))
      case "fetchIndex": fetchIndexes.append(try FetchIndex(markup: child, in: owner))
      case "compoundIndexes": compoundIndexes += child.children.map { $0.values("value") }
      case "uniquenessConstraints":
        uniquenessConstraints += child.children.map { $0.values("value") }
      case "userInfo" where !child.children.isEmpty: userInfo += child.userInfo
      default: extras.elements.append(child)
      }
    }
  }
}

extension Relationship {
  fileprivate init(
    markup: MarkupElement, in owner: (name: String, line: Int)
  ) throws(ModelError) {
    self = try markup.property(Relationship(name: "", destinationName: ""), in: owner)
    // Xcode writes the max count 1 for every to-one relationship, so it is redundant.
    if !isDeclaredToMany { declaredMaxCount = nil }
  }
}

extension MarkupElement {
  fileprivate func property<Member: Property & KeyedModelElement>(
    _ empty: Member, in owner: (name: String, line: Int)
  ) throws(ModelError) -> Member {
    var property = try element(empty, in: owner)
    for child in children {
      // Some tools write an empty one, which has no meaning and is preserved.
      if child.name == "userInfo", !child.children.isEmpty {
        property.userInfo += child.userInfo
      } else {
        property.extras.elements.append(child)
      }
    }
    return property
  }
}

extension Attribute {
  fileprivate init(
    markup: MarkupElement, in owner: (name: String, line: Int)
  ) throws(ModelError) {
    self = try markup.property(Attribute(name: ""), in: owner)
    // The key of the default value depends on the type.
    let isDate = type == .date
    defaultValue = markup.attributes[Self.defaultKey(isDate: isDate)]
    extras.attributes[Self.defaultKey(isDate: isDate)] = nil
    let other = Self.defaultKey(isDate: !isDate)
    extras.attributes[other] = markup.attributes[other]
  }
}

extension FetchIndex {
  fileprivate init(
    markup: MarkupElement, in owner: (name: String, line: Int)
  ) throws(ModelError) {
    self = try markup.element(FetchIndex(name: ""), in: owner)
    for child in markup.children {
      if child.name == "fetchIndexElement" {
        elements.append(
          try child.element(Element(propertyName: nil), in: owner, needsName: false))
      } else {
        extras.elements.append(child)
      }
    }
  }
}

extension ModelConfiguration {
  fileprivate init(markup: MarkupElement) throws(ModelError) {
    self = try markup.element(ModelConfiguration(name: ""), in: nil)
    for child in markup.children {
      if child.name == "memberEntity", let name = child.attributes["name"] {
        entityNames.append(name)
      } else {
        extras.elements.append(child)
      }
    }
  }
}

extension CompositeType {
  fileprivate init(markup: MarkupElement) throws(ModelError) {
    self = try markup.element(CompositeType(name: ""), in: nil)
    for child in markup.children {
      if child.name == "attribute" {
        attributes.append(try Attribute(markup: child, in: (name, markup.line)))
      } else {
        extras.elements.append(child)
      }
    }
  }
}
