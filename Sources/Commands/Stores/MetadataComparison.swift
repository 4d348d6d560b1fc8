internal import StrataArchives
internal import StrataRendering
internal import StrataStore

/// The differences in the metadata of two stores, except the hashes.
struct MetadataComparison {
  /// A key with the values of both stores; `nil` if a store does not have it.
  private struct Row {
    var key: String
    var first: String?
    var second: String?
  }

  private let rows: [Row]

  var json: JSONValue {
    rows.json {
      .object(withoutNull: ["key": $0.key, "first": $0.first, "second": $0.second])
    }
  }

  /// `nil` if one of the two is not a store.
  init?(_ first: StoreMetadata?, _ second: StoreMetadata?) {
    guard let first, let second else { return nil }
    var rows: [Row] = []
    for (one, other) in zip(Metadata.ownFacts(of: first), Metadata.ownFacts(of: second))
    where one.value != other.value
      // Both are derived from the hashes, which are compared separately.
      && (!["checksum", "digest"].contains(one.key) || first.versionHashes == second.versionHashes)
    {
      rows.append(Row(key: one.key, first: one.value, second: other.value))
    }
    for key in Set(first.others.keys).union(second.others.keys).sorted()
    where first.others[key] != second.others[key] {
      func shown(_ value: PropertyList?) -> String? {
        value.map { Metadata.shown($0, of: key, revealing: false) }
      }
      rows.append(
        Row(key: key, first: shown(first.others[key]), second: shown(second.others[key])))
    }
    self.rows = rows
  }

  var view: View {
    guard !rows.isEmpty else { return .line(StyledText("equal metadata", .faint)) }
    return .table(
      columns: [.init("metadata"), .init("first"), .init("second")],
      rows: rows.map { row in
        [
          StyledText(row.key, .name), StyledText(row.first ?? "none"),
          StyledText(row.second ?? "none"),
        ]
      })
  }
}
