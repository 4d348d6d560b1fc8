/// The result for the links of a source relationship and its inverse.
package struct LinkReport: Sendable, Hashable {
  /// The source relationship, such as `Topic.topicList`; of two ends, the one whose entity and name come first.
  package var relationship: String
  /// The number of links between existing objects.
  package var count: Int
  /// The number of links to missing objects in the source, which are not migrated.
  package var dangling: Int
  /// The number of links between two objects of entities that are lost: they are lost with their objects.
  package var inLostObjects = 0
  /// The number of links of the corresponding destination relationships; `nil` if a policy decides or the links
  /// are not yet set.
  package var kept: Int?
  /// Whether an end has fewer objects than before, or uses the links of another relationship; which ones Core
  /// Data keeps is unknown.
  package var isChoice = false
  /// The maximum number of kept links; `nil` if unknown before the links are set.
  var limit: Int?
  /// Whether links may be lost, as far as is known before they are set.
  var isInDoubt = false
  /// The maximum number of links that equal others because their objects are joined.
  var joinedLimit = 0

  /// The number of links before a stage that are gone, where the stage sets links; `nil` elsewhere.
  var gone: Int?

  /// Whether other mapping models create some of the objects, whose links are unknown.
  package var isPartial = false

  /// The number of links that another link continues, because their objects are joined.
  package var joined: Int { min(joinedLimit, missing) }

  /// The number of lost links.
  package var lost: Int { gone.map { max(0, $0 - inLostObjects) } ?? missing - joined }

  private var missing: Int { isPartial ? 0 : kept.map { max(0, count - inLostObjects - $0) } ?? 0 }
}
