internal import StrataMapping
internal import StrataObjectModel

/// The destination relationships whose links depend on the order in which objects set them: a link that is set first
/// keeps a to-one end.
///
/// Objects are visited one by one for them. The links of all others are one list, which can be set at once.
extension PassManager {
  /// Whether entity mappings or policies set other links than those of one source relationship, or an object of the
  /// source can become several that share its links.
  func isContested(_ relationship: Declared<Relationship>) -> Bool {
    if let known = contested[relationship.id] { return known }
    let inverse = destinationModel.model.inverse(of: relationship.property)
    let ends = [relationship] + [inverse].compactMap { $0 }.filter { $0 != relationship }
    let found = isContested(between: ends)
    contested[relationship.id] = found
    return found
  }

  /// - Parameter ends: The two ends of a relationship, or one.
  private func isContested(between ends: [Declared<Relationship>]) -> Bool {
    if ends.contains(where: { setByPolicy.contains($0.id) || hasObjectsOfOneTwice($0) }) {
      return true
    }
    let hasTwoEnds = destinationModel.model.inverse(of: ends[0].property) != nil
    let setters = ends.filter { !continuedEnds.isOverruled($0) }.map { end in
      mapping.entityMappings.filter {
        sets(end, $0)
          && $0.relationshipMappings.contains { mapping in
            mapping.name == end.property.name && mapping.expression != nil
          }
      }
      .map { (end: end, mapping: $0, origin: origin(of: end.property.name, in: $0)) }
    }.filter { !$0.isEmpty }
    return setters.contains { own in
      own.contains { setter in
        guard let origin = setter.origin, origin.relationship == own[0].origin?.relationship
        else { return true }
        // The objects of a relationship that is its own inverse set both ends.
        return (setters.count > 1 || hasTwoEnds && ends.count == 1)
          && !otherEndSetsSameLinks(setter.end, origin, of: setter.mapping)
      }
    }
  }

  /// Whether several entity mappings create objects of a relationship's ends from objects of one source entity.
  private func hasObjectsOfOneTwice(_ end: Declared<Relationship>) -> Bool {
    [end.declaringEntity, end.property.destinationName].contains { name in
      let family = Set([name] + destinationModel.model.descendantNames(of: name))
      var sources: Set<String> = []
      return mapping.entityMappings.contains { mapping in
        guard let source = mapping.sourceName,
          mapping.destinationName.map(family.contains) == true
        else { return false }
        return !sources.insert(source).inserted
      }
    }
  }
}
