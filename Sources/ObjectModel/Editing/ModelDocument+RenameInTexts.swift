internal import StrataArchives
internal import StrataBase
internal import StrataExpressions

/// Renamed properties in the texts of a model: derivations, indexed expressions and predicates.
extension ModelDocument {
  /// Renames a property that still has its old name.
  mutating func renameInTexts(_ property: PropertyID, to new: String) {
    let before = self
    func rename(_ text: inout String?, of entity: String) {
      guard let known = text, let known = ExpressionText(known) else { return }
      text = known.renaming { before.renamed($0, of: entity, property, to: new) }
    }
    for index in fetchRequests.indices {
      rename(&fetchRequests[index].predicateText, of: fetchRequests[index].entityName)
    }
    for index in entities.indices {
      let entity = entities[index].name
      for attribute in entities[index].attributes.indices {
        rename(&entities[index].attributes[attribute].derivation, of: entity)
      }
      for fetchIndex in entities[index].fetchIndexes.indices {
        rename(&entities[index].fetchIndexes[fetchIndex].predicateText, of: entity)
        for element in entities[index].fetchIndexes[fetchIndex].elements.indices {
          rename(
            &entities[index].fetchIndexes[fetchIndex].elements[element].expressionText, of: entity)
        }
      }
      for fetched in entities[index].fetchedProperties.indices {
        for element in entities[index].fetchedProperties[fetched].extras.elements.indices {
          let attributes = entities[index].fetchedProperties[fetched].extras.elements[element]
            .attributes
          rename(
            &entities[index].fetchedProperties[fetched].extras.elements[element]
              .attributes["predicateString"], of: attributes["entity"] ?? "")
        }
      }
    }
  }

  /// A key path of an entity's objects with the new name of a property.
  private func renamed(
    _ keys: [String], of entity: String, _ property: PropertyID, to new: String
  ) -> [String] {
    var owners = lineage(of: entity)
    return keys.map { key in
      let isRenamed = key == property.name && owners.contains { $0.name == property.entity }
      let relationship = owners.lazy.compactMap { $0.relationship(named: key) }.first
      owners = relationship.map { lineage(of: $0.destinationName) } ?? []
      return isRenamed ? new : key
    }
  }

  /// The entity of a name and those that it inherits from.
  private func lineage(of name: String) -> [Entity] {
    var found: [Entity] = []
    var next: String? = name
    while let name = next, let entity = entities.first(where: { $0.name == name }),
      !found.contains(where: { $0.name == name })
    {
      found.append(entity)
      next = entity.superentityName
    }
    return found
  }
}
