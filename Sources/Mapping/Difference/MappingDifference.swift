internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

/// The differences between two mapping models, by entity mapping.
///
/// ```swift
/// var edited = mapping
/// edited.entityMappings[0].policyName = "TopicToTopic"
/// MappingDifference(from: mapping, to: edited).entries.map(\.mapping)  // ["TopicToTopic"]
/// ```
package struct MappingDifference: Sendable, Hashable {
  package enum Change: Sendable, Hashable {
    case added
    case removed
    /// A setting of the entity mapping: its name, and the values before and after (`nil` for none).
    case setting(String, old: String?, new: String?)
    /// A property mapping: the values before and after; `nil` if there is no mapping.
    case property(String, old: String?, new: String?)
    /// The position in the mapping model changed, and with it the order of migration.
    case moved(from: Int, to: Int)
  }

  package struct Entry: Sendable, Hashable {
    /// The entity mapping.
    package var mapping: String
    package var changes: [Change]
  }

  /// In the order of the second mapping model, followed by removed entity mappings.
  package var entries: [Entry] = []

  package init(from old: MappingModel, to new: MappingModel) {
    let before = old.entityMappings.map(\.name)
    let after = new.entityMappings.map(\.name)
    let common = after.filter(before.contains)
    let order = before.filter(after.contains)
    for mapping in new.entityMappings {
      guard let origin = old.entityMapping(named: mapping.name) else {
        entries.append(Entry(mapping: mapping.name, changes: [.added]))
        continue
      }
      var changes = Self.changes(from: origin, to: mapping)
      if let index = common.firstIndex(of: mapping.name),
        let earlier = order.firstIndex(of: mapping.name), index != earlier
      {
        changes.append(.moved(from: earlier + 1, to: index + 1))
      }
      if !changes.isEmpty { entries.append(Entry(mapping: mapping.name, changes: changes)) }
    }
    for name in before where !after.contains(name) {
      entries.append(Entry(mapping: name, changes: [.removed]))
    }
  }

  private static func changes(from old: EntityMapping, to new: EntityMapping) -> [Change] {
    let settings: [(String, (EntityMapping) -> String?)] = [
      ("type", { $0.kind.name }), ("source", { $0.sourceName }),
      ("destination", { $0.destinationName }), ("source hash", { $0.sourceHash?.short }),
      ("destination hash", { $0.destinationHash?.short }), ("where", { $0.filter }),
      ("objects", { $0.customSource?.text }), ("policy", { $0.policyName }),
      ("info", { text(of: $0.userInfo) }),
    ]
    var changes = settings.compactMap { name, value -> Change? in
      let (before, after) = (value(old), value(new))
      return before == after ? nil : .setting(name, old: before, new: after)
    }
    changes += properties(old.attributeMappings, new.attributeMappings) {
      $0.map(\.text) ?? "default"
    }
    changes += properties(old.relationshipMappings, new.relationshipMappings) {
      $0.map(MappingText.text(ofRelationship:)) ?? "nothing"
    }
    return changes + infos(old, new)
  }

  /// The changes of the information about properties that both have.
  private static func infos(_ old: EntityMapping, _ new: EntityMapping) -> [Change] {
    func infos(_ mapping: EntityMapping) -> [String: String?] {
      Dictionary(
        first: (mapping.attributeMappings + mapping.relationshipMappings).map {
          ($0.name, text(of: $0.userInfo))
        })
    }
    let (before, after) = (infos(old), infos(new))
    return before.keys.filter { after[$0] != nil }.sorted().compactMap { name in
      let (was, isNow) = (before[name] ?? nil, after[name] ?? nil)
      return was == isNow ? nil : .setting("info of \(name)", old: was, new: isNow)
    }
  }

  private static func text(of info: [UserInfoEntry]) -> String? {
    info.isEmpty ? nil : info.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
  }

  private static func properties(
    _ old: [PropertyMapping], _ new: [PropertyMapping], _ text: (Expression?) -> String
  ) -> [Change] {
    func values(_ mappings: [PropertyMapping]) -> [String: String] {
      Dictionary(mappings.map { ($0.name, text($0.expression)) }, uniquingKeysWith: { $1 })
    }
    let (before, after) = (values(old), values(new))
    return Set(before.keys).union(after.keys).sorted().compactMap { name in
      before[name] == after[name]
        ? nil : .property(name, old: before[name], new: after[name])
    }
  }
}
