internal import StrataObjectModel
internal import StrataSQLite

/// The names that XML stores write: entities in upper case, properties in lower case (so do all real documents of
/// the tests).
enum XMLName {
  static func ofEntity(_ name: String) -> String { name.uppercased() }

  static func ofProperty(_ name: String) -> String { name.lowercased() }

  /// - Throws: ``StoreError/sameXMLName(_:_:)`` if two names become equal, which would lose values.
  static func check(_ model: ObjectModel) throws(StoreError) {
    try check(model.entityNames, as: ofEntity) { $0 }
    for entity in model.entityNames {
      let attributes = model.allAttributes(of: entity).map(\.property).filter { !$0.isTransient }
      let relationships = model.allRelationships(of: entity).map(\.property)
        .filter { !$0.isTransient }
      try check(attributes.flatMap { model.storedNames(of: $0) }, as: ofProperty) {
        "\(entity).\($0)"
      }
      try check(relationships.map(\.name), as: ofProperty) { "\(entity).\($0)" }
    }
  }

  private static func check(
    _ names: [String], as written: (String) -> String, shown: (String) -> String
  ) throws(StoreError) {
    var first: [String: String] = [:]
    for name in names {
      guard let other = first.updateValue(name, forKey: written(name)) else { continue }
      throw .sameXMLName(shown(other), shown(name))
    }
  }
}
