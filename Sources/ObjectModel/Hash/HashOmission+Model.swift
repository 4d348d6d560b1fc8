internal import StrataBase

/// Settings that are not part of version hashes.
///
/// Source: `Docs/Facts/version-hash.md`, section 6; the effects of the keys are defined
/// accordingly.
extension Entity {
  /// - Parameter inherited: The ancestors of the entity.
  func hashOmissions(inheritedFrom inherited: [Entity]) -> [HashOmission] {
    var omissions = unhashedKeys()
    for entity in [self] + inherited {
      omissions += entity.attributes.filter(\.isTransient)
        .map { HashOmission(name: "transient attribute", value: $0.name) }
      omissions += entity.relationships.filter(\.isTransient)
        .map { HashOmission(name: "transient relationship", value: $0.name) }
      omissions += entity.fetchedProperties
        .map { HashOmission(name: "fetched property", value: $0.name) }
    }
    omissions += fetchIndexes.map { HashOmission(name: "index", value: $0.name) }
    omissions += compoundIndexes.map {
      HashOmission(name: "index", value: $0.joined(separator: ", "))
    }
    return omissions + userInfo.hashOmissions
  }
}

extension Attribute {
  /// The hash of a derived attribute contains only its derivation, that of a composite attribute only its
  /// elements.
  var hashOmissions: [HashOmission] {
    if parsedDerivation != nil {
      return allKeys(without: ["derived", "derivationExpression"]) + userInfo.hashOmissions
    }
    if type == .composite { return allKeys(without: []) + userInfo.hashOmissions }
    return unhashedKeys() + userInfo.hashOmissions
  }
}

extension Relationship {
  /// - Parameter isOwnInverse: Whether the relationship is its own inverse; the name is then not hashed.
  func hashOmissions(isOwnInverse: Bool) -> [HashOmission] {
    let inverse = isOwnInverse ? inverseName : nil
    return [inverse].compactMap { $0 }.map { HashOmission(name: "own inverse", value: $0) }
      + unhashedKeys() + userInfo.hashOmissions
  }
}

extension KeyedModelElement {
  /// The keys that Core Data reads at run time and does not hash. Keys that only editors read are
  /// settings of the file, not of the model.
  fileprivate func unhashedKeys() -> [HashOmission] { omissions { $0.effect == .runtime } }

  fileprivate func allKeys(without hashed: Set<String>) -> [HashOmission] {
    omissions { $0.effect != .editor && !hashed.contains($0.name) }
  }

  private func omissions(where isLeftOut: (ModelKey<Self>) -> Bool) -> [HashOmission] {
    Self.keys.filter(isLeftOut).compactMap { key in
      key.get(self).map { HashOmission(name: ModelKeyLabel.of(key.name), value: $0) }
    }
  }
}

extension [UserInfoEntry] {
  fileprivate var hashOmissions: [HashOmission] {
    map { HashOmission(name: "userInfo", value: $0.key) }
  }
}
