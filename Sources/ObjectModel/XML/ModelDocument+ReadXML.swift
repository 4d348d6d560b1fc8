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
    guard root.name == "model" else {
      throw ModelError(.notAModel(found: root.name), line: root.line)
    }
    self.init()
    extras.line = root.line
    try take(root.attributes, entity: nil, property: nil)
    for child in root.children {
      switch child.name {
      case "entity": entities.append(try Entity(markup: child))
      case "fetchRequest":
        var request: FetchRequestTemplate = try child.element(
          FetchRequestTemplate(name: "", entityName: ""), entity: nil)
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
  fileprivate func element<Element: KeyedModelElement>(
    _ empty: Element, entity: String?, needsName: Bool = true
  ) throws(ModelError) -> Element {
    let name = attributes["name"]
    if needsName, name?.isEmpty ?? true {
      throw ModelError(.missingName(element: self.name), entity: entity, line: line)
    }
    var element = empty
    element.extras.line = line
    try element.take(attributes, entity: entity ?? name, property: entity == nil ? nil : name)
    return element
  }

  fileprivate var userInfo: [UserInfoEntry] {
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
  fileprivate init(markup: MarkupElement) throws(ModelError) {
    self = try markup.element(Entity(name: ""), entity: nil)
    for child in markup.children {
      switch child.name {
      case "attribute": attributes.append(try Attribute(markup: child, entity: name))
      case "relationship": relationships.append(try Relationship(markup: child, entity: name))
      case "fetchedProperty":
        fetchedProperties.append(try child.property(FetchedProperty(name: ""), name))
      case "fetchIndex": fetchIndexes.append(try FetchIndex(markup: child, entity: name))
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
  fileprivate init(markup: MarkupElement, entity: String) throws(ModelError) {
    self = try markup.property(Relationship(name: "", destinationName: ""), entity)
    // Xcode writes the max count 1 for every to-one relationship, so it is redundant.
    if !isDeclaredToMany { declaredMaxCount = nil }
  }
}

extension MarkupElement {
  fileprivate func property<Member: Property & KeyedModelElement>(
    _ empty: Member, _ entity: String
  ) throws(ModelError) -> Member {
    var property = try element(empty, entity: entity)
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
  fileprivate init(markup: MarkupElement, entity: String) throws(ModelError) {
    self = try markup.property(Attribute(name: ""), entity)
    // The key of the default value depends on the type.
    let isDate = type == .date
    defaultValue = markup.attributes[Self.defaultKey(isDate: isDate)]
    extras.attributes[Self.defaultKey(isDate: isDate)] = nil
    let other = Self.defaultKey(isDate: !isDate)
    extras.attributes[other] = markup.attributes[other]
  }
}

extension FetchIndex {
  fileprivate init(markup: MarkupElement, entity: String) throws(ModelError) {
    self = try markup.element(FetchIndex(name: ""), entity: entity)
    for child in markup.children {
      if child.name == "fetchIndexElement" {
        elements.append(
          try child.element(Element(propertyName: nil), entity: entity, needsName: false))
      } else {
        extras.elements.append(child)
      }
    }
  }
}

extension ModelConfiguration {
  fileprivate init(markup: MarkupElement) throws(ModelError) {
    self = try markup.element(ModelConfiguration(name: ""), entity: nil)
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
    self = try markup.element(CompositeType(name: ""), entity: nil)
    for child in markup.children {
      if child.name == "attribute" {
        attributes.append(try Attribute(markup: child, entity: name))
      } else {
        extras.elements.append(child)
      }
    }
  }
}
