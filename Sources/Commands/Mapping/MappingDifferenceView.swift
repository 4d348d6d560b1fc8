internal import StrataBase
internal import StrataMapping
internal import StrataRendering

/// The differences between two mapping models, as a table.
struct MappingDifferenceView {
  private let difference: MappingDifference

  private let warnings: [Diagnostic]

  init(from old: TypedMapping, to new: TypedMapping) {
    warnings = old.warnings + new.warnings
    difference = MappingDifference(from: old.mapping, to: new.mapping)
  }

  var outcome: Outcome {
    let json = difference.entries.json {
      ["entityMapping": $0.mapping, "changes": $0.changes.map(\.text)]
    }
    guard !difference.entries.isEmpty else {
      return Outcome(.line("no difference"), json: json, warnings: warnings)
    }
    let rows = difference.entries.flatMap { entry in
      entry.changes.enumerated().map { index, change in
        [StyledText(index == 0 ? entry.mapping : "", .name), change.styled]
      }
    }
    return Outcome(.table(rows: rows), json: json, status: .no, warnings: warnings)
  }
}

extension MappingDifference.Change {
  fileprivate var styled: StyledText {
    switch self {
    case .added: StyledText("added", .added)
    case .removed: StyledText("removed", .removed)
    case .setting(let name, let old, let new):
      StyledText("\(name)  \(old ?? "none") -> \(new ?? "none")")
    case .property(let name, let old, nil): StyledText("- \(name)  \(old ?? "")", .removed)
    case .property(let name, nil, let new): StyledText("+ \(name)  \(new ?? "")", .added)
    case .property(let name, let old?, let new?): StyledText("\(name)  \(old) -> \(new)")
    case .moved(let from, let to): StyledText("position  \(from) -> \(to)")
    }
  }

  fileprivate var text: String { styled.text }
}
