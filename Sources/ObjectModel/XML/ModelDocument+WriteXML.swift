package import StrataArchives

extension ModelDocument {
  /// This document as the `contents` of an `.xcdatamodel`, with elements and attributes in the order of the
  /// Xcode version that saved it.
  ///
  /// Source: all models of the corpus that Xcode wrote are reproduced byte for byte.
  package func encodedXML() -> [UInt8] {
    markup.encoded(attributeOrder: attributeOrder)
  }

  /// What Xcode writes in every model, and compiled models do not keep.
  static var xcodeAttributes: KeptXMLAttributes {
    KeptXMLAttributes([
      (key: "type", value: "com.apple.IDECoreDataModeler.DataModel"),
      (key: "documentVersion", value: "1.0"),
    ])
  }

  /// This document as an XML tree.
  package var markup: MarkupElement {
    MarkupElement(
      name: "model", attributes: xmlAttributes,
      children: entities.map(\.markup)
        + fetchRequests.map { $0.markup(named: "fetchRequest", children: []) }
        + configurations.map { configuration in
          configuration.markup(
            named: "configuration",
            children: configuration.entityNames.map {
              MarkupElement(name: "memberEntity", attributes: ["name": $0])
            })
        }
        + composites.map { $0.markup(named: "composite", children: $0.attributes.map(\.markup)) }
        + extras.elements)
  }

  /// Xcode before 8 wrote the version identifier first: observed up to version 10174 of the tools, but not from
  /// 11185 on.
  private var writesIdentifierFirst: Bool {
    guard let version = extras.attributes["lastSavedToolsVersion"],
      let major = Int(version.prefix { $0 != "." })
    else { return false }
    return major < 11000
  }

  private func attributeOrder(_ element: String) -> [String] {
    switch element {
    case "model":
      (writesIdentifierFirst ? ["name", "userDefinedModelVersionIdentifier"] : [])
        + ModelDocument.keys.map(\.name)
    case "entity": Entity.keys.map(\.name)
    case "attribute": Attribute.keys.map(\.name)
    case "relationship": Relationship.keys.map(\.name)
    case "fetchedProperty": FetchedProperty.keys.map(\.name)
    case "fetchIndex": FetchIndex.keys.map(\.name)
    case "fetchIndexElement": FetchIndex.Element.keys.map(\.name)
    case "fetchRequest": FetchRequestTemplate.keys.map(\.name)
    case "element": ["name", "positionX", "positionY", "width", "height"]
    default: ["name", "key", "value"]
    }
  }
}

extension KeyedModelElement {
  fileprivate func markup(named name: String, children: [MarkupElement]) -> MarkupElement {
    MarkupElement(
      name: name, attributes: xmlAttributes, children: children + extras.elements,
      line: extras.line)
  }
}

extension Property where Self: KeyedModelElement {
  fileprivate func propertyMarkup(named name: String) -> MarkupElement {
    markup(named: name, children: userInfo.markup)
  }
}

extension Attribute {
  fileprivate var markup: MarkupElement { propertyMarkup(named: "attribute") }
}

extension Entity {
  fileprivate var markup: MarkupElement {
    markup(
      named: "entity",
      children: attributes.map(\.markup)
        + relationships.map { $0.propertyMarkup(named: "relationship") }
        + fetchedProperties.map { $0.propertyMarkup(named: "fetchedProperty") }
        + fetchIndexes.map { index in
          index.markup(
            named: "fetchIndex",
            children: index.elements.map { $0.markup(named: "fetchIndexElement", children: []) })
        }
        + Self.group("compoundIndexes", "compoundIndex", "index", compoundIndexes)
        + Self.group(
          "uniquenessConstraints", "uniquenessConstraint", "constraint", uniquenessConstraints)
        + userInfo.markup)
  }

  private static func group(
    _ group: String, _ member: String, _ leaf: String, _ lists: [[String]]
  ) -> [MarkupElement] {
    guard !lists.isEmpty else { return [] }
    return [
      MarkupElement(
        name: group,
        children: lists.map { names in
          MarkupElement(
            name: member,
            children: names.map { MarkupElement(name: leaf, attributes: ["value": $0]) })
        })
    ]
  }
}

extension [UserInfoEntry] {
  fileprivate var markup: [MarkupElement] {
    guard !isEmpty else { return [] }
    return [
      MarkupElement(
        name: "userInfo",
        children: map {
          MarkupElement(name: "entry", attributes: ["key": $0.key, "value": $0.value])
        })
    ]
  }
}
