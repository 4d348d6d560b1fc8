internal import StrataBase
internal import StrataMigration

/// The JSON shape of the change of a property in a receipt.
struct PropertyFatePayload: Encodable, Sendable {
  struct Conversion: Encodable, Sendable {
    var from: String
    var to: String
  }

  struct Affected: Encodable, Sendable {
    /// The number of objects.
    var objects: Int
    /// The keys of the first objects in the source.
    var keys: [Int64]

    init?(_ affected: Receipt.Affected) {
      guard affected.count > 0 else { return nil }
      (objects, keys) = (affected.count, affected.keys)
    }
  }

  var fate: Receipt.PropertyFate.Kind
  /// The properties of the source model: `Topic.content`.
  var sources: [String]
  /// The properties of the destination model.
  var destinations: [String]
  /// Only for a relationship, whose values are links.
  var isRelationship: Bool?
  var conversion: Conversion?
  var policy: String?
  var before: Int?
  var after: Int?
  /// The number of lost values or links.
  var lost: Int
  // The following keys are omitted if they are 0 or false.

  /// The keys in the source of the first objects with lost values, if known.
  var lostKeys: [Int64]?
  var truncated: Affected?
  var rounded: Affected?
  var outOfRange: Affected?
  /// The numbers of values of lost objects, of joined objects, and of default values that were filled in.
  var inLostObjects: Int?
  var joined: Int?
  var filled: Int?
  /// The number of values of objects that a policy or a stage creates.
  var inNewObjects: Int?
  /// With --append, the number of values of objects that are left to other mapping models.
  var left: Int?
  /// The number of values of objects that are created twice.
  var createdTwice: Int?
  /// Whether all objects of the entity are lost.
  var withObjects: Bool?
  var dangling: Int?
  var orderLost: Bool?
  /// Whether the choice of the lost links follows from no proven rule.
  var unproven: Bool?
  /// With --append, whether other mapping models create some of the objects, so that lost links are not counted.
  var partial: Bool?

  init(_ fate: Receipt.PropertyFate) {
    func some(_ count: Int) -> Int? { count == 0 ? nil : count }
    func some(_ flag: Bool) -> Bool? { flag ? true : nil }
    self.fate = fate.kind
    sources = fate.sources.map(\.description)
    destinations = fate.destinations.map(\.description)
    isRelationship = some(fate.isRelationship)
    conversion = fate.conversion.map { Conversion(from: $0.from.name, to: $0.to.name) }
    policy = fate.policy
    (before, after, lost) = (fate.before, fate.after, fate.lost.count)
    lostKeys = fate.lost.keys.isEmpty ? nil : fate.lost.keys
    rounded = Affected(fate.rounded)
    (truncated, outOfRange) = (Affected(fate.truncated), Affected(fate.unfitting))
    (inLostObjects, joined) = (some(fate.inLostObjects), some(fate.joined))
    (filled, inNewObjects) = (some(fate.filled), some(fate.inNewObjects))
    dangling = some(fate.dangling)
    (left, createdTwice) = (some(fate.left), some(fate.repeated))
    (withObjects, orderLost) = (some(fate.isLostWithObjects), some(fate.unordered.count > 0))
    unproven = some(fate.isChoice)
    partial = some(fate.isPartial)
  }
}
