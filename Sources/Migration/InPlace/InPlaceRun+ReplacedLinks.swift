internal import StrataBase
internal import StrataObjectModel
internal import StrataStore

/// The links of relationships that a stage sets before the migration, which are looked for after it.
extension InPlaceRun {
  /// The relationships that the stage sets, and whether it uses them: then the links that it replaces continue in what it
  /// makes of them.
  private var changedRelationships: [(end: Declared<Relationship>, isUsed: Bool)] {
    let model = hop.from.model
    let changed = LinkLedger(hop).entries.filter(\.isChangedByStage).map(\.old)
    guard !changed.isEmpty else { return [] }
    let used = Set(
      changesBefore.flatMap { change in
        change.usedNames.compactMap { model.relationship($0, of: change.entity)?.id }
      })
    return changed.map { old in
      let ends = [old.id, model.inverse(of: old.property)?.id].compactMap(\.self)
      return (old, !used.isDisjoint(with: ends))
    }
  }

  /// Notes the links before the stage.
  func noteLinks(_ before: HeldReader) throws {
    for (end, _) in changedRelationships { try before.reader.noteLinks(of: end) }
  }

  /// Notes the links after the stage, where it uses those before it.
  func noteUsedLinks(_ before: HeldReader) throws {
    let used = changedRelationships.filter(\.isUsed)
    guard !used.isEmpty else { return }
    let reader = try before.reader.reread(by: hop.from.model)
    for (end, _) in used { try reader.noteLinks(of: end) }
  }

  /// The number of noted links that the new store does not have: objects keep their keys.
  func missingLinkCount(of entry: LinkLedger.Entry, _ after: HeldReader) throws -> Int {
    let (forward, backward) = entry.directions
    let kept = [forward, backward].map { ends in ends.filter { !entry.foreign.contains($0.id) } }
    let isKept =
      entry.unset.isEmpty && forward.isEmpty == kept[0].isEmpty
      && backward.isEmpty == kept[1].isEmpty
    return try after.reader.missingLinkCount(
      of: entry.old, in: isKept ? kept[0] : [], andBack: isKept ? kept[1] : [])
  }
}
