import StrataBase
package import StrataObjectModel

/// The rules of inference, stated anew as plainly as can be: every pair is looked at, nothing is kept.
///
/// Source: facts on inference, sections 1, 4 and 5.
package struct BruteForceInference {
  let old: ObjectModel
  let new: ObjectModel

  package init(old: ObjectModel, new: ObjectModel) {
    (self.old, self.new) = (old, new)
  }

  struct Element {
    var name: String
    var identifier: String
  }

  /// Destination to source; `nil` where the identifiers do not settle it.
  static func matches(_ old: [Element], _ new: [Element]) -> [String: String]? {
    var found: [String: String] = [:]
    for element in new {
      let sources = old.filter { $0.identifier == element.identifier }
      let claims = new.filter { $0.identifier == element.identifier }
      if sources.isEmpty { continue }
      if sources.count == 1, claims.count == 1 {
        found[element.name] = sources[0].name
      } else if sources.contains(where: { $0.name == element.name }) {
        found[element.name] = element.name
      } else {
        return nil
      }
    }
    for element in new.sorted(by: { $0.name < $1.name }) where found[element.name] == nil {
      guard !old.contains(where: { $0.identifier == element.identifier }),
        old.contains(where: { $0.name == element.identifier }),
        !found.values.contains(element.identifier)
      else { continue }
      found[element.name] = element.identifier
    }
    return found
  }

  static func lineage(_ name: String, in model: ObjectModel) -> [Entity] {
    var lineage: [Entity] = []
    var next: String? = name
    while let current = next, let entity = model[current] {
      lineage.append(entity)
      next = entity.superentityName
    }
    return lineage
  }

  static func attributes(_ name: String, in model: ObjectModel) -> [Attribute] {
    lineage(name, in: model).flatMap(\.attributes).filter { !$0.isTransient }
  }

  static func relationships(_ name: String, in model: ObjectModel) -> [Relationship] {
    lineage(name, in: model).flatMap(\.relationships).filter { !$0.isTransient }
  }

  static func element(_ property: some Property) -> Element {
    Element(name: property.name, identifier: property.renamingIdentifier ?? property.name)
  }

  static func elements(_ model: ObjectModel) -> [Element] {
    model.entities.map { Element(name: $0.name, identifier: $0.renamingIdentifier ?? $0.name) }
  }

  package var isInferable: Bool {
    guard let pairs = Self.matches(Self.elements(old), Self.elements(new)) else { return false }
    for (a, first) in pairs {
      for (b, second) in pairs {
        let isTogether = Self.lineage(a, in: new).last?.name == Self.lineage(b, in: new).last?.name
        let wasTogether =
          Self.lineage(first, in: old).last?.name == Self.lineage(second, in: old).last?.name
        if isTogether, !wasTogether { return false }
      }
      let before = Self.attributes(first, in: old)
      let after = Self.attributes(a, in: new)
      guard
        let properties = Self.matches(before.map(Self.element), after.map(Self.element)),
        Self.matches(
          Self.relationships(first, in: old).map(Self.element),
          Self.relationships(a, in: new).map(Self.element)) != nil
      else { return false }
      let numbers: Set<AttributeType> = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean,
      ]
      for (to, from) in properties {
        guard let type = after.first(where: { $0.name == to })?.type,
          let oldType = before.first(where: { $0.name == from })?.type
        else { return false }
        if type != oldType, !numbers.contains(type) || !numbers.contains(oldType) { return false }
      }
    }
    return true
  }
}
