package import StrataBase

/// The changes of a new model version that affect a deployed CloudKit schema, which only allows additions.
///
/// ```swift
/// CloudKitEvolution(from: model2, to: model3).isAdditive  // false: an attribute was renamed
/// ```
///
/// Source: `Docs/Facts/migration-process.md`, section 9; `Docs/Facts/samples.md`, section 6.
package struct CloudKitEvolution: Sendable {
  /// New record types and fields: the only changes that CloudKit allows.
  package let additions: [String]
  /// The changes that are not additions.
  package let changes: [Finding]
  /// The names of the changed entities.
  package let touched: [String]

  package var isAdditive: Bool { changes.isEmpty }

  /// - Parameter names: The mirrored entities of the newer model; `nil` for all.
  package init(from old: ObjectModel, to new: ObjectModel, entities names: [String]? = nil) {
    var (additions, changes, touched): ([String], [Finding], [String]) = ([], [], [])
    for entity in new.difference(from: old).entities {
      if let names, !names.contains(entity.name), entity.kind != .removed { continue }
      switch entity.kind {
      case .added: additions.append(entity.name)
      case .removed:
        changes.append(Self.finding(.removed, entity.name))
        continue
      case .renamed:
        changes.append(Self.finding(.renamed(from: entity.oldName ?? ""), entity.name))
      case .changed: break
      }
      if entity.movesHash { touched.append(entity.name) }
      guard entity.kind != .added else { continue }
      for change in entity.changes {
        guard let name = change.name, change.element != .fetchedProperty else { continue }
        if case .added = change.kind { additions.append("\(entity.name).\(name)") }
        if let effect = Self.effect(of: change) {
          changes.append(Self.finding(effect, entity.name, name))
        }
      }
    }
    (self.additions, self.changes, self.touched) = (additions, changes, touched)
  }

  private static func finding(
    _ rule: CloudKitEvolutionRule, _ entity: String, _ property: String? = nil
  ) -> Finding {
    Finding(rule, at: FindingLocation(entity: entity, property: property), fixes: [Fix(rule.fix)])
  }

  private static func effect(of change: ModelChange) -> CloudKitEvolutionRule? {
    switch change.kind {
    case .removed: .removed
    case .renamed(let old): .renamed(from: old)
    case .key("attributeType", let old, let new):
      .retyped(from: old ?? "none", to: new ?? "none")
    case .key("toMany", _, let new): .recounted(isToMany: new == "YES")
    case .key("destinationEntity", let old, let new):
      .retargeted(from: old ?? "none", to: new ?? "none")
    case .key("transient", _, "YES"): .becameTransient
    default: nil
    }
  }
}
