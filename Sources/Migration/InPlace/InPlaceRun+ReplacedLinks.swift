internal import StrataBase
internal import StrataObjectModel
internal import StrataStore

/// The links that a stage replaces before the migration.
extension InPlaceRun {
  /// The relationships that the stage sets and does not use: nothing continues their links.
  private var replaceable: [Declared<Relationship>] {
    let model = hop.from.model
    guard let will = hop.stage?.will, case let set = will.relationships(in: model), !set.isEmpty
    else { return [] }
    let used = Set(
      will.changes.flatMap { change in
        change.usedNames.compactMap { model.relationship($0, of: change.entity)?.id }
      })
    return LinkLedger(hop).entries.map(\.old).filter { old in
      let ends = [old.id, model.inverse(of: old.property)?.id].compactMap(\.self)
      return !set.isDisjoint(with: ends) && used.isDisjoint(with: ends)
    }
  }

  func noteReplaceableLinks(_ before: HeldReader) throws {
    let reader = try before.reader.reread(by: hop.from.model)
    for end in replaceable { try reader.noteLinks(of: end) }
  }

  /// The numbers of noted links that the stage has replaced.
  func replacedLinks(_ before: HeldReader) throws -> [PropertyID: Int] {
    let reader = try before.reader.reread(by: hop.from.model)
    var counts: [PropertyID: Int] = [:]
    for end in replaceable { counts[end.id] = try reader.missingLinkCount(of: end) }
    return counts
  }
}
