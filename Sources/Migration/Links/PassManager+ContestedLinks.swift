internal import StrataMapping
internal import StrataObjectModel

/// An entity mapping that sets one end of a relationship.
private struct LinkSetter {
  var end: Declared<Relationship>
  var mapping: EntityMapping
  var origin: RelationshipOrigin
}

/// The destination relationships whose links depend on the order in which objects set them, since of two objects for one
/// to-one end the first stays.
///
/// The objects of their entity mappings are visited one by one. The links of all others are one list, which SQL can set
/// at once.
extension PassManager {
  /// Whether policies or several entity mappings can set different links.
  func isContested(_ relationship: Declared<Relationship>) -> Bool {
    if let known = contested[relationship.id] { return known }
    let inverse = destinationModel.model.inverse(of: relationship.property)
    let ends = [relationship] + [inverse].compactMap { $0 }.filter { $0 != relationship }
    let found =
      ends.contains { settableByPolicy.contains($0.id) || canShareLinks($0) }
      || setDifferentLinks(ends)
    contested[relationship.id] = found
    return found
  }

  /// Whether entity mappings take the links of one relationship from several source relationships, or choose among
  /// them by other association tables.
  ///
  /// - Parameter ends: The two ends of a relationship; one if it is its own inverse or has none.
  private func setDifferentLinks(_ ends: [Declared<Relationship>]) -> Bool {
    var setters: [LinkSetter] = []
    for end in ends {
      for entityMapping in mapping.entityMappings where sets(end, entityMapping) {
        let property = entityMapping.relationshipMappings.first { $0.name == end.property.name }
        guard property?.expression != nil else { continue }
        guard let origin = origin(of: end.property.name, in: entityMapping) else { return true }
        guard !continuedEnds.isOverruled(end) else { continue }
        setters.append(LinkSetter(end: end, mapping: entityMapping, origin: origin))
      }
    }
    guard let first = setters.first else { return false }
    let inverse = sourceModel.model.inverse(of: first.origin.relationship.property)
    let haveTwoEnds = setters.contains { $0.end != first.end }
    let isOwnInverse = destinationModel.model.inverse(of: first.end.property) == first.end
    return setters.contains { setter in
      let (end, origin) = (setter.end, setter.origin)
      guard origin.relationship == (end == first.end ? first.origin.relationship : inverse) else {
        return true
      }
      let rule = KeptLinkRule(
        from: origin.relationship, in: sourceModel.model, to: end, in: destinationModel.model)
      return rule.isSelective
        && (origin.mappingName != first.origin.mappingName && end == first.end
          || (haveTwoEnds || isOwnInverse)
            && !otherEndSetsSameLinks(end, origin, of: setter.mapping))
    }
  }

  /// Whether several entity mappings create objects of a relationship's ends from one source entity, so that two objects
  /// can have the links of one.
  private func canShareLinks(_ end: Declared<Relationship>) -> Bool {
    [end.declaringEntity, end.property.destinationName].contains { name in
      let family = Set(destinationModel.model.familyNames(of: name))
      var sources: Set<String> = []
      return mapping.entityMappings.contains { entityMapping in
        guard let source = entityMapping.sourceName,
          entityMapping.destinationName.map(family.contains) == true
        else { return false }
        return !sources.insert(source).inserted
      }
    }
  }
}
