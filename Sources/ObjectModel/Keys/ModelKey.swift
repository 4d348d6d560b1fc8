internal import StrataBase

/// Who notices when the value of a key changes.
package enum ModelKeyEffect: Sendable, Hashable {
  /// It goes into a version hash: a store of the old model no longer fits.
  case hashed
  /// Core Data reads it when it runs, but hashes it not: a store still fits.
  case runtime
  /// Only editors and code generators read it.
  case editor
}

/// A key of a model's XML: how its text becomes a value of an element, and back.
///
/// One table of these for each kind of element (`Attribute.keys` …) serves the reader, the writer,
/// `try`, `diff`, `show` and completion.
package struct ModelKey<Element: ModelElement>: Sendable {
  package let name: String
  package let effect: ModelKeyEffect
  /// Whether Strata gives the key no meaning of its own, and keeps it as it is.
  let isKept: Bool
  /// The values there are, where they are few.
  let values: [String]
  /// The value as XML text; `nil` where it is the default, which the file leaves out.
  let get: @Sendable (Element) -> String?
  /// - Throws: what was wanted instead.
  let set: @Sendable (inout Element, String?) throws(Misfit) -> Void

  /// Why a text is no value of a key.
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

  /// YES or NO; old tools also wrote true and false.
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
    _ name: String, _ effect: ModelKeyEffect, _ range: ClosedRange<Int>,
    _ get: @escaping @Sendable (Element) -> Int?,
    _ set: @escaping @Sendable (inout Element, Int?) -> Void
  ) -> Self {
    Self(
      name: name, effect: effect, isKept: false, values: [], get: { get($0).map(String.init) },
      set: { (element, text) throws(Misfit) in
        guard let text else { return set(&element, nil) }
        guard let number = Int(text), range.contains(number) else {
          throw Misfit(wanted: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        set(&element, number)
      })
  }

  /// One of a few words.
  static func choice<Value: Sendable>(
    _ name: String, _ effect: ModelKeyEffect, words: [String: Value],
    _ get: @escaping @Sendable (Element) -> String?,
    _ set: @escaping @Sendable (inout Element, Value?) -> Void
  ) -> Self {
    Self(
      name: name, effect: effect, isKept: false, values: words.keys.sorted(), get: get
    ) { (element, text) throws(Misfit) in
      guard let text else { return set(&element, nil) }
      guard let value = words[text] else {
        throw Misfit(
          wanted: "one of \(words.keys.sorted().joined(separator: ", "))",
          near: NearestName.of(text, in: words.keys))
      }
      set(&element, value)
    }
  }

  /// A key that Strata gives no meaning of its own and keeps as it is.
  static func kept(_ name: String, _ effect: ModelKeyEffect) -> Self {
    Self(
      name: name, effect: effect, isKept: true, values: [], get: { $0.extras.attributes[name] },
      set: { (element, text) throws(Misfit) in element.extras.attributes[name] = text })
  }
}

/// An element whose XML attributes are told by a table.
protocol KeyedModelElement: ModelElement {
  /// In the order in which Xcode writes them.
  static var keys: [ModelKey<Self>] { get }
  static var keysByName: [String: ModelKey<Self>] { get }
}

extension KeyedModelElement {
  /// Takes the attributes of an XML element over; the ones in no table are kept as they are.
  mutating func take(
    _ attributes: [String: String], entity: String?, property: String?
  ) throws(ModelError) {
    var kept: [(key: String, value: String)] = []
    for (name, text) in attributes {
      let key = Self.keysByName[name]
      if let key, !key.isKept {
        try set(key, to: text, entity: entity, property: property)
      } else {
        // The table's own spelling of a name needs no memory for each element.
        kept.append((key: key?.name ?? name, value: text))
      }
    }
    extras.attributes = KeptAttributes(kept)
  }

  mutating func set(
    _ key: ModelKey<Self>, to text: String?, entity: String?, property: String?
  ) throws(ModelError) {
    do {
      try key.set(&self, text)
    } catch {
      throw ModelError(
        .badValue(key: key.name, value: text ?? "", wanted: error.wanted, near: error.near),
        entity: entity, property: property, line: extras.line)
    }
  }

  /// Every attribute to write, known and kept.
  var xmlAttributes: [String: String] {
    var attributes: [String: String] = [:]
    for name in extras.attributes.names { attributes[name] = extras.attributes[name] }
    for key in Self.keys { attributes[key.name] = key.get(self) }
    return attributes
  }
}

extension Attribute {
  /// Every key that the model writes of this attribute, in Xcode's order.
  package var settings: [(key: String, value: String)] { orderedSettings + userInfo.settings }
}

extension Relationship {
  /// Every key that the model writes of this relationship, in Xcode's order.
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
    /// The values there are, where they are few.
    package var values: [String]
  }

  package static var entity: [Key] { Entity.keys.map { Key(name: $0.name, values: $0.values) } }
  package static var attribute: [Key] {
    Attribute.keys.map { Key(name: $0.name, values: $0.values) }
  }
  package static var relationship: [Key] {
    Relationship.keys.map { Key(name: $0.name, values: $0.values) }
  }
}
