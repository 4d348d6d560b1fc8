internal import StrataBase

extension ModelChange {
  /// The description of the change: `+ attribute timeBudget: Integer 32, required, default 5`.
  package var text: String {
    switch kind {
    case .added(let description): "+ \(subject): \(description)"
    case .removed(let description): "- \(subject): \(description)"
    case .renamed(let old):
      name == nil ? "from \(old)" : "\(word) \(old) renamed \(name ?? "")"
    case .key(let key, let old, let new): prefix + Self.text(key, old, new)
    case .inverse(let owner, let old, let new):
      prefix
        + "inverse \(old.map { "\(owner).\($0)" } ?? "none") -> \(new.map { "\(owner).\($0)" } ?? "none")"
    case .moved(let old, let new):
      prefix + "\(old.map { "of \($0)" } ?? "its own") -> \(new.map { "of \($0)" } ?? "its own")"
    case .parent(let name): "through its parent \(name), whose hash changed"
    case .compositeElements(let name): prefix + "elements of the composite \(name) changed"
    case .userInfo(let key, let old, let new): prefix + Self.text("userInfo.\(key)", old, new)
    case .list(let name, let added, let removed):
      prefix + ([name] + added.map { "+ \($0)" } + removed.map { "- \($0)" }).joined(separator: " ")
    }
  }

  /// The key or kind of change as one word, for JSON output.
  package var keyword: String {
    switch kind {
    case .added: "added"
    case .removed: "removed"
    case .renamed: "renamed"
    case .key(let key, _, _): key
    case .inverse: "inverse"
    case .moved: "moved"
    case .parent: "parent"
    case .compositeElements: "composite"
    case .userInfo(let key, _, _): "userInfo.\(key)"
    case .list(let name, _, _): name
    }
  }

  private var word: String {
    switch element {
    case .fetchedProperty: "fetched property"
    case .fetchRequest: "fetch request"
    default: element.rawValue
    }
  }

  private var subject: String { name.map { "\(word) \($0)" } ?? word }

  private var prefix: String { name == nil ? "" : "\(subject): " }

  private static func text(_ key: String, _ old: String?, _ new: String?) -> String {
    switch key {
    case "optional": new == "YES" ? "required -> optional" : "optional -> required"
    case "toMany": new == "YES" ? "to-one -> to-many" : "to-many -> to-one"
    case "ordered": new == "YES" ? "unordered -> ordered" : "ordered -> unordered"
    case "transient": new == "YES" ? "stored -> transient" : "transient -> stored"
    case "isAbstract": new == "YES" ? "concrete -> abstract" : "abstract -> concrete"
    case "derived": new == "YES" ? "read-only: now derived" : "no longer derived"
    default:
      "\(ModelKeyLabel.of(key)) \(old?.toldFromNone ?? "none") -> \(new?.toldFromNone ?? "none")"
    }
  }
}

extension String {
  /// A value in quotes if it could be read as the lack of one.
  fileprivate var toldFromNone: String { isEmpty || self == "none" ? "\"\(self)\"" : self }
}

/// The readable names of the keys of a model's XML.
package enum ModelKeyLabel {
  package static func of(_ key: String) -> String {
    switch key {
    case "attributeType": "type"
    case "defaultValueString", "defaultDateTimeInterval": "default"
    case "versionHashModifier": "hash modifier"
    case "elementID": "renaming identifier"
    case "deletionRule": "delete rule"
    case "destinationEntity": "destination"
    case "minCount": "min count"
    case "maxCount": "max count"
    case "parentEntity": "parent"
    case "representedClassName": "class"
    case "derivationExpression": "derivation"
    case "userDefinedModelVersionIdentifier": "version identifier"
    case "allowsExternalBinaryDataStorage": "external storage"
    case "preserveAfterDeletion": "preserved after deletion"
    default: key
    }
  }
}

extension Attribute {
  /// The attribute on one line: `Integer 32, required, default 5`.
  package var summary: String {
    var parts = [type == .composite ? "Composite \(compositeName ?? "")" : type.name]
    if isDerived { parts.append("derived from \(derivation ?? "?")") }
    if isTransient { parts.append("transient") }
    parts.append(isOptional ? "optional" : "required")
    if let defaultValue {
      parts.append("default \(defaultValue.toldFromNone)\(hasDefault ? "" : ", which is not used")")
    }
    if allowsExternalBinaryStorage { parts.append("external storage") }
    if let versionHashModifier { parts.append("hash modifier \(versionHashModifier)") }
    if let renamingIdentifier { parts.append("renamed from \(renamingIdentifier)") }
    return parts.joined(separator: ", ")
  }
}

extension Relationship {
  /// The relationship on one line: `to-many Topic, optional, ordered, inverse topicList, Cascade`.
  package var summary: String {
    var parts = ["\(isToMany ? "to-many" : "to-one") \(destinationName)"]
    if isTransient { parts.append("transient") }
    parts.append(isOptional ? "optional" : "required")
    if isOrdered { parts.append("ordered") }
    if minCount > 0 { parts.append("at least \(minCount)") }
    if isToMany, maxCount > 0 { parts.append("at most \(maxCount)") }
    parts.append(inverseName.map { "inverse \($0)" } ?? "no inverse")
    parts.append(deleteRule.name)
    if let versionHashModifier { parts.append("hash modifier \(versionHashModifier)") }
    if let renamingIdentifier { parts.append("renamed from \(renamingIdentifier)") }
    return parts.joined(separator: ", ")
  }
}
