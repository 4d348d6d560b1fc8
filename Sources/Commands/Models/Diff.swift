internal import ArgumentParser
internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

/// `diff MODEL MODEL`
struct Diff: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "diff",
    abstract: "Shows what changed between two models, and which hashes change.",
    discussion: """
      For each changed hash, shows the change that caused it, also through an inverse or a parent. Changes \
      that do not affect a hash are marked. Keys that only editors read are shown only with --all.
      """)
  static let examples = [
    CommandExample("one version to the next", "diff sample:Topics/Model1 sample:Topics/Model2"),
    CommandExample(
      "a rename that changes the hash of an inverse",
      "diff sample:Recipes/Recipes1 sample:Recipes/Recipes2"),
  ]

  @Argument(.model, "The older model.") var older: String
  @Argument(.model, "The newer model.") var newer: String
  @Flag(help: "Include keys that only editors and code generators read.") var all = false
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let (first, second) = (try session.model(older), try session.model(newer))
    let difference = second.model.difference(from: first.model)
    let shown = all ? difference : difference.withoutEditorKeys
    return Outcome(
      shown.view, json: difference.json(older: first.name, newer: second.name))
  }
}

extension ModelDifference {
  /// The difference without the keys that only Xcode's editor reads.
  var withoutEditorKeys: ModelDifference {
    var shown = self
    shown.modelChanges.removeAll { $0.effect == .editor }
    shown.entities = entities.compactMap { entity in
      var kept = entity
      kept.changes.removeAll { $0.effect == .editor }
      return kept.changes.isEmpty && !kept.movesHash ? nil : kept
    }
    return shown
  }

  /// The difference as a table of entities with their status and changes.
  var view: View {
    guard !isEmpty else { return .line("no difference") }
    var rows: [[StyledText]] = []
    for entity in entities {
      let status = entity.status
      guard !entity.changes.isEmpty else {
        rows.append([StyledText(entity.name, .name), status, ""])
        continue
      }
      for (index, change) in entity.changes.enumerated() {
        rows.append([
          StyledText(index == 0 ? entity.name : "", .name), index == 0 ? status : "",
          change.styled,
        ])
      }
    }
    for (index, change) in modelChanges.enumerated() {
      rows.append([StyledText(index == 0 ? "(model)" : "", .faint), "", change.styled])
    }
    return .table(rows: rows)
  }
}

extension EntityDifference {
  fileprivate var status: StyledText {
    switch kind {
    case .added: StyledText("added", .added)
    case .removed: StyledText("removed", .removed)
    case .renamed: StyledText("renamed", .changed)
    case .changed: movesHash ? StyledText("changed", .changed) : StyledText("same hash", .faint)
    }
  }
}

extension ModelChange {
  fileprivate var styled: StyledText {
    let role: StyledText.Role =
      switch kind {
      case .added: .added
      case .removed: .removed
      default: .plain
      }
    return StyledText(text, role) + StyledText(movesHash ? "" : "  (not hashed)", .faint)
  }
}

extension ModelDifference {
  fileprivate func json(older: String, newer: String) -> JSONValue {
    [
      "older": older, "newer": newer, "compatible": isCompatible,
      "entities": entities.json {
        .object(withoutNull: [
          "name": $0.name, "oldName": $0.oldName, "kind": $0.kind.rawValue,
          "oldHash": $0.oldHash?.hex, "newHash": $0.newHash?.hex,
          "changes": $0.changes.json { $0.json() },
        ])
      },
      "model": modelChanges.json { $0.json() },
    ]
  }
}

extension ModelChange {
  func json(of entity: String? = nil) -> JSONValue {
    .object(withoutNull: [
      "entity": entity, "element": element.rawValue, "property": name, "change": keyword,
      "words": text, "movesHash": movesHash,
    ])
  }
}
