internal import StrataValues
internal import StrataMigration

/// The JSON shape of a property's fate in a receipt.
struct PropertyFatePayload: Encodable, Sendable {
  struct Conversion: Encodable, Sendable {
    var from: String
    var to: String
  }

  struct Affected: Encodable, Sendable {
    /// How many objects.
    var objects: Int
    /// Of the first, in the source.
    var keys: [Int64]

    init?(_ affected: Receipt.Affected) {
      guard affected.count > 0 else { return nil }
      (objects, keys) = (affected.count, affected.keys)
    }
  }

  var fate: Receipt.PropertyFate.Kind
  var isRelationship: Bool
  /// Of the source model: `Topic.content`.
  var sources: [String]
  /// Of the destination model.
  var destinations: [String]
  var conversion: Conversion?
  var policy: String?
  /// Values, or links.
  var before: Int?
  var after: Int?
  /// Values or links that are lost.
  var lost: Int
  /// Of the first objects with lost values, in the source, where they are known.
  var lostKeys: [Int64]
  var truncated: Affected?
  var outOfRange: Affected?
  /// Values of joined objects, and those that are filled with the default.
  var joined: Int
  var filled: Int
  /// Whether all objects of the entity are lost.
  var withObjects: Bool
  var dangling: Int
  var orderLost: Bool
  /// Whether which links are lost follows from no proven rule.
  var unproven: Bool

  init(_ fate: Receipt.PropertyFate) {
    self.fate = fate.kind
    isRelationship = fate.isRelationship
    sources = fate.sources.map(\.qualifiedName)
    destinations = fate.destinations.map(\.qualifiedName)
    conversion = fate.conversion.map { Conversion(from: $0.from.name, to: $0.to.name) }
    policy = fate.policy
    (before, after) = (fate.before, fate.after)
    (lost, lostKeys) = (fate.lost.count, fate.lost.keys)
    (truncated, outOfRange) = (Affected(fate.truncated), Affected(fate.unfitting))
    (joined, filled) = (fate.joined, fate.filled)
    withObjects = fate.isLostWithObjects
    (dangling, orderLost, unproven) = (fate.dangling, fate.losesOrder, fate.isChoice)
  }
}
