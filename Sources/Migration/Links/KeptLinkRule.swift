internal import StrataObjectModel

/// The rule for the kept links of a source relationship whose ends have fewer objects in the destination.
///
/// A link is kept only if both objects are migrated to entities that the destination relationship allows. An
/// end that becomes to-one keeps its first object, in the order of the source or, if unordered, in key order.
/// If both ends become to-one, the end whose entity and name come first chooses first, and an object chosen by
/// several objects stays with the first of them.
///
/// Which object Core Data keeps is unknown: the choice is not verified, but equal in all executors.
struct KeptLinkRule: Hashable {
  /// Whether each object of this end keeps the first object of the other end.
  let keepsFirstOther: Bool
  /// Whether each object of the other end keeps the first object of this one.
  let keepsFirstOwn: Bool
  /// Whether this end chooses first.
  let ownChoosesFirst: Bool
  /// Whether the relationship becomes its own inverse, so each link counts in both directions.
  let isSymmetric: Bool
  /// Whether both ends are to-one.
  let isOneToOne: Bool

  init(
    from old: Declared<Relationship>, in source: ObjectModel,
    to new: Declared<Relationship>, in destination: ObjectModel
  ) {
    let (before, after) = (Ends(old, source), Ends(new, destination))
    let inverse = destination.inverse(of: new.property)
    let isOwnInverse = destination.isOwnInverse(new.property, declaredBy: new.declaringEntity)
    let wasOwnInverse = source.isOwnInverse(old.property, declaredBy: old.declaringEntity)
    isSymmetric = isOwnInverse && (!wasOwnInverse || !after.own && before.own)
    isOneToOne = !after.own && !after.other
    keepsFirstOther = !after.own && before.own
    keepsFirstOwn = !after.other && before.other
    ownChoosesFirst =
      inverse.map { !$0.precedes(new) } ?? true
  }

  /// Whether links between migrated objects can be lost or change direction.
  var isSelective: Bool { keepsFirstOther || keepsFirstOwn || isSymmetric }

  /// Whether each end is to-many.
  private struct Ends {
    var own: Bool
    var other: Bool

    init(_ end: Declared<Relationship>, _ model: ObjectModel) {
      own = end.property.isToMany
      other = model.isShared(end.property)
    }
  }
}

extension KeptLinkRule {
  /// The SQL query for the kept links.
  ///
  /// - Parameter links: A query for the links between migrated objects, with the columns `own`, `other`,
  ///   `place` (position of the other object among the own object's), `inverse` (position of the own object
  ///   among the other's), `oldOwn` and `oldOther` (keys in the source).
  func selecting(_ links: String) -> String {
    guard !isSymmetric else { return selectingSymmetric(links) }
    var query = links
    let steps = [
      (keepsFirstOther, "own", "place, oldOther, other"),
      (keepsFirstOwn, "other", "inverse, oldOwn, own"),
    ]
    for (isKept, end, order) in ownChoosesFirst ? steps : steps.reversed() where isKept {
      query = first(of: query, by: end, order)
    }
    return query
  }

  private static let columns = "own, other, place, inverse, oldOwn, oldOther"

  private func first(of links: String, by end: String, _ order: String) -> String {
    "SELECT \(Self.columns) FROM (SELECT \(Self.columns), "
      + "row_number() OVER (PARTITION BY \(end) ORDER BY \(order)) AS n FROM (\(links))) WHERE n = 1"
  }

  /// Each link in both directions; for a to-one relationship, only links of objects that choose each other.
  private func selectingSymmetric(_ links: String) -> String {
    let both =
      "SELECT own, other, NULL AS place, NULL AS inverse, oldOwn, oldOther FROM (\(links)) UNION "
      + "SELECT other, own, NULL, NULL, oldOther, oldOwn FROM (\(links))"
    guard isOneToOne else { return both }
    // The other columns are from the row with the lowest key.
    let chosen =
      "SELECT own, other, place, inverse, oldOwn, min(oldOther) AS oldOther FROM (\(both)) GROUP BY own"
    return
      "SELECT \(Self.columns) FROM (\(chosen)) WHERE (other, own) IN (SELECT own, other FROM (\(chosen)))"
  }
}
