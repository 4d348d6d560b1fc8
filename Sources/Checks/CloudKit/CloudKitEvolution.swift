public import StrataObjectModel

/// What a new version means for a schema that is deployed to CloudKit, which only ever grows.
///
/// ```swift
/// CloudKitEvolution(from: first, to: second).isAdditive  // false: an attribute was renamed
/// ```
///
/// Source: facts on the demonstrations, sections 4 and 6.
public struct CloudKitEvolution: Sendable {
  public enum Effect: Sendable, Hashable {
    /// The cloud keeps it; old apps go on reading and writing it.
    case removed
    /// For the cloud the old one stays and a new one appears; old apps see none of the new values.
    case renamed(from: String)
    /// A field keeps its type for ever.
    case retyped(from: String, to: String)
    /// A relationship that holds one reference cannot hold several, nor the other way round.
    case recounted(isToMany: Bool)
    /// It leads to records of another type.
    case retargeted(from: String, to: String)
    /// No longer written, although records hold it.
    case becameTransient
  }

  public struct Change: Sendable, Hashable {
    public var entity: String
    public var property: String?
    public var effect: Effect

    public var place: String { property.map { "\(entity).\($0)" } ?? entity }
  }

  /// Record types and fields that are new: all that the cloud allows.
  public let additions: [String]
  /// What is not an addition.
  public let changes: [Change]
  /// The entities of which anything differs.
  public let touched: [String]

  public var isAdditive: Bool { changes.isEmpty }

  /// - Parameter names: The entities of the newer model that are mirrored; all where it is `nil`.
  public init(from old: ObjectModel, to new: ObjectModel, entities names: [String]? = nil) {
    var (additions, changes, touched): ([String], [Change], [String]) = ([], [], [])
    for entity in new.difference(from: old).entities {
      if let names, !names.contains(entity.name), entity.kind != .removed { continue }
      switch entity.kind {
      case .added: additions.append(entity.name)
      case .removed:
        changes.append(Change(entity: entity.name, property: nil, effect: .removed))
        continue
      case .renamed:
        changes.append(
          Change(
            entity: entity.name, property: nil, effect: .renamed(from: entity.oldName ?? "")))
      case .changed: break
      }
      if entity.movesHash { touched.append(entity.name) }
      guard entity.kind != .added else { continue }
      for change in entity.changes {
        guard let name = change.name, change.element != .fetchedProperty else { continue }
        if case .added = change.kind { additions.append("\(entity.name).\(name)") }
        if let effect = Self.effect(of: change) {
          changes.append(Change(entity: entity.name, property: name, effect: effect))
        }
      }
    }
    (self.additions, self.changes, self.touched) = (additions, changes, touched)
  }

  private static func effect(of change: ModelChange) -> Effect? {
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

extension CloudKitEvolution.Change {
  public var words: String {
    switch effect {
    case .removed: "is removed: the deployed schema keeps it, and older apps go on using it"
    case .renamed(let old):
      "\(old) is renamed: the cloud keeps \(old) and gets a new one; older apps see none of its values"
    case .retyped(let old, let new):
      "\(old) becomes \(new): a deployed field keeps its type"
    case .recounted(let isToMany):
      "\(isToMany ? "to-one becomes to-many" : "to-many becomes to-one"): the deployed form stays"
    case .retargeted(let old, let new): "leads to \(new) and no longer to \(old)"
    case .becameTransient: "is no longer stored: records keep the last value"
    }
  }

  /// What to do instead, so that the schema only grows.
  public var mend: String {
    switch effect {
    case .removed: "keep it, optional, and stop using it"
    case .renamed: "keep the old one, add the new one beside it, and copy the values"
    case .retyped: "add a new attribute of the new type, and copy the values"
    case .recounted, .retargeted: "add a new relationship, and connect the objects again"
    case .becameTransient: "keep it stored, or leave it in the model unused"
    }
  }
}
