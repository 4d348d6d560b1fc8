internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

/// The output of the versions nearest to a store, in `identify` and in errors of other commands.
extension NearestVersions {
  /// The maximum numbers of versions, entities of a version and changes of a version in the output.
  private static let (versionLimit, entityLimit, changeLimit) = (5, 5, 10)

  /// `Topic differs`, `Topic, TopicList and 3 more differ`.
  static func text(of entities: [String]) -> String {
    guard !entities.isEmpty else { return "nothing differs" }
    let rest = entities.count - entityLimit
    let names = Array(entities.prefix(entityLimit))
    return (rest > 0 ? "\(names.joined(separator: ", ")) and \(rest) more" : Phrase.list(names))
      + (entities.count == 1 ? " differs" : " differ")
  }

  private var rest: String? {
    let rest = versions.count - Self.versionLimit
    return rest > 0 ? "\(Phrase.count(rest, "other version")) as near" : nil
  }

  private static let nothingInCommon = "no version has an entity in common with the store"

  /// A line for each version and for each property that differs from the store.
  var notes: [String] {
    guard !haveNothingInCommon else { return [Self.nothingInCommon] }
    return versions.prefix(Self.versionLimit).flatMap { version in
      ["the nearest version is \(version.model.name): \(Self.text(of: version.entities))"]
        + version.lines(limit: Self.changeLimit).map { "  \($0.entity)  \($0.change)" }
    } + (rest.map { [$0] } ?? [])
  }

  var view: View {
    guard !haveNothingInCommon else { return .line(StyledText(Self.nothingInCommon)) }
    guard !versions.isEmpty else { return .nothing }
    return .stack(
      versions.prefix(Self.versionLimit).map { version in
        .stack([
          .line(
            "nearest is " + StyledText(version.model.name, .name)
              + StyledText(
                ": \(Phrase.count(version.entities.count, "entity differs", "entities differ")): "
                  + Self.list(version.entities))),
          .table(
            rows: version.lines(limit: Self.changeLimit).map {
              [StyledText("  \($0.entity)", .name), StyledText($0.change)]
            }),
        ])
      } + [
        .lines(
          [
            rest,
            knowsProperties
              ? nil
              : "the properties are not known: the store contains no model that fits it",
          ].compactMap { $0.map { StyledText($0, .faint) } })
      ])
  }

  private static func list(_ entities: [String]) -> String {
    let rest = entities.count - changeLimit
    let names = Array(entities.prefix(changeLimit))
    return rest > 0 ? "\(names.joined(separator: ", ")) and \(rest) more" : Phrase.list(names)
  }

  /// The versions, unless they have nothing in common with the store.
  var named: [Version] { haveNothingInCommon ? [] : versions }

  /// The entities that differ, and the differences of the store if it contains its model.
  var json: JSONValue {
    named.json {
      ["model": $0.model.name, "entities": $0.entities, "changes": $0.changes.culpritJSON]
    }
  }
}

extension NearestVersions.Version {
  /// The differences of the store, property by property.
  fileprivate func lines(limit: Int) -> [(entity: String, change: String)] {
    let all = changes.flatMap { entity -> [(entity: String, change: String)] in
      guard !entity.changes.isEmpty, entity.kind == .changed || entity.kind == .renamed else {
        let change: String =
          switch entity.kind {
          case .added: "not in the store"
          case .removed: "only in the store"
          case .renamed, .changed: "differs"
          }
        return [(entity.name, change)]
      }
      return entity.changes.map { (entity.name, $0.text) }
    }
    let rest = all.count - limit
    return rest > 0 ? all.prefix(limit) + [("", "and \(rest) more")] : all
  }
}
