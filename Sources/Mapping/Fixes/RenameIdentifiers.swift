internal import StrataBase
internal import StrataObjectModel

/// A destination model with renaming identifiers for probable renames; its version hashes are unchanged.
struct RenameIdentifiers {
  private(set) var destination: MatchableModel
  /// The added identifiers, by entity or entity and property: `Topic.color` with `colour`.
  private(set) var identifiers: [String: String] = [:]

  /// Entities come first, because properties are matched by entity.
  private static let rounds = 2

  init(from source: MatchableModel, to destination: MatchableModel) {
    self.destination = destination
    for _ in 0..<Self.rounds {
      let before = Inference(from: source, to: self.destination)
      let names = ModelMatching(from: source, to: self.destination).sourceNames
      var document = self.destination.model.document
      var found: [String: String] = [:]
      for warning in before.warnings {
        guard case .unmatchedRename(let old, let new, _) = warning.lossRule, old != new,
          let key = document.setIdentifier(of: warning, to: old, in: source, names)
        else { continue }
        found[key] = old
      }
      guard !found.isEmpty, let model = try? ObjectModel(document) else { return }
      let renamed = MatchableModel(model)
      guard Inference(from: source, to: renamed).obstacles.count <= before.obstacles.count else {
        return
      }
      self.destination = renamed
      identifiers.merge(found) { first, _ in first }
    }
  }
}

extension ModelDocument {
  /// - Parameter names: Destination entity to source entity.
  /// - Returns: The name of the element; `nil` if it already has an identifier.
  fileprivate mutating func setIdentifier(
    of rename: Finding, to old: String, in source: MatchableModel, _ names: [String: String]
  ) -> String? {
    guard let property = rename.property else {
      guard let index = entities.firstIndex(where: { $0.name == rename.entity }),
        entities[index].renamingIdentifier == nil
      else { return nil }
      entities[index].renamingIdentifier =
        source.entities.first { $0.name == old }?.identifier ?? old
      return rename.entity
    }
    let known = source.properties(of: names[rename.entity] ?? rename.entity).candidates
    let identifier = known.first { $0.name == old }?.identifier ?? old
    return setIdentifier(identifier, ofProperty: property, in: rename.entity, replacing: false)
      ? "\(rename.entity).\(property)" : nil
  }

  /// - Returns: Whether the property exists and its identifier was set; existing identifiers are only replaced
  ///   on request.
  @discardableResult
  mutating func setIdentifier(
    _ identifier: String, ofProperty name: String, in entity: String, replacing: Bool = true
  ) -> Bool {
    guard let entityIndex = entities.firstIndex(where: { $0.name == entity }) else { return false }
    let identifier = identifier == name ? nil : identifier
    if let index = entities[entityIndex].attributes.firstIndex(where: { $0.name == name }) {
      guard replacing || entities[entityIndex].attributes[index].renamingIdentifier == nil else {
        return false
      }
      entities[entityIndex].attributes[index].renamingIdentifier = identifier
    } else if let index = entities[entityIndex].relationships.firstIndex(where: { $0.name == name })
    {
      guard replacing || entities[entityIndex].relationships[index].renamingIdentifier == nil else {
        return false
      }
      entities[entityIndex].relationships[index].renamingIdentifier = identifier
    } else {
      return false
    }
    return true
  }
}
