public import StrataValues

/// Values of a property that a migration lets go or cuts, in the objects that have them.
public struct ValueLoss: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// No entity mapping reads the property.
    case letGo
    /// A number becomes a whole one.
    case cut(to: AttributeType)
    /// A number that the new type does not hold: nothing is stored, or the default value of a required
    /// attribute. Of a Boolean, a number other than 0 and 1: true is stored.
    case outside(AttributeType)
    /// A to-many relationship becomes to-one, and leads to several objects.
    case narrowed
    /// An ordered relationship is no longer ordered, and leads to several objects.
    case unordered
  }

  public var entity: String
  public var property: String
  public var kind: Kind
  /// How many objects have such a value.
  public var count: Int
  /// The first of them; the values of relationships are not told.
  public var samples: [Sample]
  /// Whether the property is a relationship.
  public var isOfRelationship = false

  public struct Sample: Sendable, Hashable {
    public var key: Int64
    public var value: AttributeValue?
  }

  static let sampleLimit = 3

  /// Whether whole values are lost, and not only their fractions.
  public var isWhole: Bool { if case .cut = kind { false } else { true } }

  public var isOfNumbers: Bool {
    switch kind {
    case .cut, .outside: true
    case .letGo, .narrowed, .unordered: false
    }
  }

  /// What happens to the value: `is let go`.
  public var words: String {
    switch kind {
    case .letGo: "is let go"
    case .cut(let type): "truncated to \(type.name)"
    case .outside(.boolean): "is neither 0 nor 1 and is stored as true"
    case .outside(let type): "does not fit \(type.name)"
    case .narrowed: "keeps one of several"
    case .unordered: "loses its order"
    }
  }

  /// Losses stand in the order of these, whoever found them first.
  var sortKey: String { "\(entity).\(property) \(kind)" }
}
