internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// What the steps before a custom stage's migration do with the attributes of concrete entities.
struct StageCopies {
  /// The attributes that the steps set, or from which they compute values.
  private var used: [String: Set<String>] = [:]
  /// The attributes that the migration removes, and whose values reach others.
  private var copied: Set<Receipt.Property> = []

  init(_ hop: MigrationPlan.Hop) {
    let model = hop.from.model
    guard let changes = hop.stage?.will.changes, !changes.isEmpty else { return }
    for entity in model.entityNames where model[entity]?.isAbstract == false {
      let family = model.lineageNames(of: entity)
      let names = Set(model.allStoredAttributes(of: entity).map(\.name))
      let kept = Set(hop.copies(of: entity).map(\.old.name))
      var reaching = kept
      for change in changes.reversed() where family.contains(change.entity) {
        for copy in change.copies.reversed() {
          let paths = copy.sources.map { $0.joined(separator: ".") }
          let sources = names.filter { paths.contains(where: $0.isRead) }
          if copy.entity != nil || reaching.contains(copy.target[0]) {
            reaching.formUnion(sources)
          }
          used[entity, default: []].formUnion(sources)
        }
        used[entity, default: []].formUnion(change.attributes.intersection(names))
      }
      let removed = names.intersection(reaching).subtracting(kept)
      copied.formUnion(removed.map { Receipt.Property(entity: entity, name: $0) })
    }
  }

  /// Whether a warning is about the loss of an attribute whose values reach others.
  func isCopied(_ warning: Finding) -> Bool {
    copied.contains { $0.entity == warning.entity && $0.name == warning.lostProperty }
  }

  /// Whether ``uncopied(in:_:)`` counts the lost values of an attribute.
  func isCounted(_ property: Receipt.Property) -> Bool {
    used[property.entity]?.contains(property.name) == true
  }

  /// The values that only removed attributes continue, determined after the steps.
  func uncopied(in objects: StoreObjects, _ origins: StageOrigins) throws -> StageLosses {
    var losses = StageLosses()
    for (entity, names) in used {
      let keys = try objects.keys(of: entity, where: nil)
      for name in names {
        for key in origins[entity].keys(losing: name, among: keys) {
          losses.noteReplaced(1, name, of: entity, key)
        }
      }
    }
    return losses
  }
}
