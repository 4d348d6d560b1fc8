internal import StrataBase

/// A key of a model's XML, with the conversion between its text and the value of an element.
///
/// One table of keys for each kind of element (`Attribute.keys` …) is used by the reader, the writer, `try`,
/// `diff`, `show` and completion.
package struct ModelKey<Element>: Sendable {
  package let name: String
  package let effect: ModelKeyEffect
  /// Whether the key is preserved without being interpreted.
  let isKept: Bool
  /// The allowed values, if they are enumerable.
  let values: [String]
  /// The value as XML text; `nil` for the default, which is omitted from the file.
  let get: @Sendable (Element) -> String?
  /// - Throws: ``Misfit`` with the expected value.
  let set: @Sendable (inout Element, String?) throws(Misfit) -> Void

  /// The reason why a string is not a valid value of a key.
  struct Misfit: Error {
    var wanted: String
    var near: String?
  }

  /// The value of this key in `element`, as XML text.
  package func value(in element: Element) -> String? { get(element) }

  static func text(
    _ name: String, _ effect: ModelKeyEffect, _ get: @escaping @Sendable (Element) -> String?,
    _ set: @escaping @Sendable (inout Element, String?) -> Void
  ) -> Self {
    Self(name: name, effect: effect, isKept: false, values: [], get: get) {
      (element, text) throws(Misfit) in
      set(&element, text)
    }
  }

  /// A key with the values YES or NO; old tools also wrote true and false.
  static func flag(
    _ name: String, _ effect: ModelKeyEffect, _ get: @escaping @Sendable (Element) -> Bool,
    _ set: @escaping @Sendable (inout Element, Bool) -> Void
  ) -> Self {
    Self(
      name: name, effect: effect, isKept: false, values: ["YES", "NO"],
      get: { get($0) ? "YES" : nil },
      set: { (element, text) throws(Misfit) in
        switch text {
        case "YES", "true": set(&element, true)
        case "NO", "false", nil: set(&element, false)
        default: throw Misfit(wanted: "YES or NO")
        }
      })
  }

  static func count(
    _ name: String, _ range: ClosedRange<Int>, _ get: @escaping @Sendable (Element) -> Int?,
    _ set: @escaping @Sendable (inout Element, Int?) -> Void
  ) -> Self {
    Self(
      name: name, effect: .hashed, isKept: false, values: [], get: { get($0).map(String.init) },
      set: { (element, text) throws(Misfit) in
        guard let text else { return set(&element, nil) }
        guard let number = Int(text), range.contains(number) else {
          throw Misfit(wanted: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        set(&element, number)
      })
  }

  /// A key with enumerated values.
  static func choice<Value: Sendable>(
    _ name: String, _ effect: ModelKeyEffect, choices: [String: Value],
    _ get: @escaping @Sendable (Element) -> String?,
    _ set: @escaping @Sendable (inout Element, Value?) -> Void
  ) -> Self {
    Self(
      name: name, effect: effect, isKept: false, values: choices.keys.sorted(), get: get
    ) { (element, text) throws(Misfit) in
      guard let text else { return set(&element, nil) }
      guard let value = choices[text] else {
        throw Misfit(
          wanted: "one of \(choices.keys.sorted().joined(separator: ", "))",
          near: NearestName.of(text, in: choices.keys))
      }
      set(&element, value)
    }
  }

}

extension ModelKey where Element: ModelElement {
  /// A key that is preserved without being interpreted.
  static func kept(_ name: String, _ effect: ModelKeyEffect) -> Self {
    Self(
      name: name, effect: effect, isKept: true, values: [], get: { $0.extras.attributes[name] },
      set: { (element, text) throws(Misfit) in element.extras.attributes[name] = text })
  }
}

/// An element whose XML attributes are defined by a table of keys.
protocol KeyedModelElement: ModelElement {
  /// In the order in which Xcode writes them.
  static var keys: [ModelKey<Self>] { get }
  static var keysByName: [String: ModelKey<Self>] { get }
}

extension KeyedModelElement {
  /// Reads the attributes of an XML element; unknown attributes are preserved.
  mutating func take(
    _ attributes: [String: String], entity: String?, property: String?
  ) throws(ModelError) {
    var kept: [(key: String, value: String)] = []
    for (name, text) in attributes {
      let key = Self.keysByName[name]
      if let key, !key.isKept {
        try set(key, to: text, entity: entity, property: property)
      } else {
        // Sharing the table's string saves memory for each element.
        kept.append((key: key?.name ?? name, value: text))
      }
    }
    extras.attributes = KeptXMLAttributes(kept)
  }

  /// - Parameter ownerLine: The line of the element's owner, if its own line counts from there.
  mutating func set(
    _ key: ModelKey<Self>, to text: String?, entity: String?, property: String?,
    ownerLine: Int = 0
  ) throws(ModelError) {
    do {
      try key.set(&self, text)
    } catch {
      throw ModelError(
        .badValue(key: key.name, value: text ?? "", wanted: error.wanted, near: error.near),
        entity: entity, property: property, line: ownerLine + extras.line)
    }
  }

  /// All attributes to write, known and preserved ones.
  var xmlAttributes: [String: String] {
    var attributes: [String: String] = [:]
    for name in extras.attributes.names { attributes[name] = extras.attributes[name] }
    for key in Self.keys { attributes[key.name] = key.get(self) }
    return attributes
  }
}

extension Attribute {
  /// All keys that the model contains for this attribute, in Xcode's order.
  package var settings: [(key: String, value: String)] { orderedSettings + userInfo.settings }
}

extension Relationship {
  /// All keys that the model contains for this relationship, in Xcode's order.
  package var settings: [(key: String, value: String)] { orderedSettings + userInfo.settings }
}

extension KeyedModelElement {
  fileprivate var orderedSettings: [(key: String, value: String)] {
    let known = Self.keys.compactMap { key in key.get(self).map { (key: key.name, value: $0) } }
    let others = extras.attributes.names.filter { Self.keysByName[$0] == nil }
    return known + others.map { (key: $0, value: extras.attributes[$0] ?? "") }
  }
}

extension [UserInfoEntry] {
  fileprivate var settings: [(key: String, value: String)] {
    map { (key: "userInfo.\($0.key)", value: $0.value) }
  }
}

/// The keys that can be set, by kind of element: for help and completion.
package enum ModelKeyNames {
  package struct Key: Sendable, Hashable {
    package var name: String
    /// The allowed values, if they are enumerable.
    package var values: [String]
  }

  package static var entity: [Key] { Entity.keys.map { Key(name: $0.name, values: $0.values) } }
  package static var attribute: [Key] {
    Attribute.keys.map { Key(name: $0.name, values: $0.values) }
  }
  package static var relationship: [Key] {
    Relationship.keys.map { Key(name: $0.name, values: $0.values) }
  }

  /// Whether only editors and code generators read the key that an edit sets.
  package static func isForEditors(_ edit: ModelEdit) -> Bool {
    guard case .set(_, let key, _) = edit else { return false }
    return [
      Entity.keysByName[key]?.effect, Attribute.keysByName[key]?.effect,
      Relationship.keysByName[key]?.effect, ModelDocument.keysByName[key]?.effect,
    ].contains(.editor)
  }
}
