internal import StrataBase
internal import StrataMigration
internal import StrataRendering

extension Receipt.PropertyFate {
  /// What is 0 or false is omitted, but for the lost values.
  var json: JSONValue {
    func some(_ count: Int) -> Int? { count == 0 ? nil : count }
    func some(_ flag: Bool) -> Bool? { flag ? true : nil }
    let conversion: JSONValue? = conversion.map { ["from": $0.from.name, "to": $0.to.name] }
    return .object(withoutNull: [
      "fate": kind.rawValue, "sources": sources.map(\.description),
      "destinations": destinations.map(\.description),
      "isRelationship": some(isRelationship), "conversion": conversion,
      "policy": policy, "before": before, "after": after, "lost": lost.count,
      "lostKeys": lost.keys.isEmpty ? nil : lost.keys,
      "truncated": truncated.json, "rounded": rounded.json,
      "outOfRange": unfitting.json, "inLostObjects": some(inLostObjects),
      "joined": some(joined), "filled": some(filled),
      "inNewObjects": some(inNewObjects), "left": some(left),
      "createdTwice": some(repeated), "copied": some(copied),
      "withObjects": some(isLostWithObjects),
      "dangling": some(dangling), "orderLost": some(!unordered.isEmpty),
      "unordered": unordered.isEmpty ? nil : unordered.json(\.json),
      "unproven": some(isChoice), "partial": some(isPartial),
    ])
  }
}

extension Receipt.UnorderedEnd {
  fileprivate var json: JSONValue {
    [
      "relationship": relationship.description, "objects": objects.count, "keys": objects.keys,
    ]
  }
}

extension Receipt.Affected {
  /// The keys are those of the first objects in the source.
  var json: JSONValue? { count > 0 ? ["objects": count, "keys": keys] : nil }
}

extension Receipt.ObjectFate {
  /// Created is omitted if the migration is refused, the keys if no object comes from the source.
  var json: JSONValue {
    .object(withoutNull: [
      "mapping": mapping, "source": source, "created": created, "joined": joined,
      "skipped": skipped, "lost": lost, "createdTwice": repeated == 0 ? nil : repeated,
      "keys": keys?.rawValue,
    ])
  }
}
