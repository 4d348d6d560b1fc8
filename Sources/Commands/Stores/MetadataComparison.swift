internal import StrataArchives
internal import StrataRendering
internal import StrataStore

/// What differs in the metadata of two stores, besides the hashes.
struct MetadataComparison {
  /// A key with the values of both stores; `nil` where one has none.
  struct Row: Encodable, Sendable {
    var key: String
    var first: String?
    var second: String?
  }

  let payload: [Row]

  /// `nil` where one of the two is no store.
  init?(_ first: StoreMetadata?, _ second: StoreMetadata?) {
    guard let first, let second else { return nil }
    var rows: [Row] = []
    for (one, other) in zip(Metadata.ownFacts(of: first), Metadata.ownFacts(of: second))
    where one.value != other.value
      // Both follow from the hashes, which are compared themselves.
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
    payload = rows
  }

  var view: View {
    guard !payload.isEmpty else { return .line(StyledText("equal metadata", .faint)) }
    return .table(
      Table(
        columns: [.init("metadata"), .init("first"), .init("second")],
        rows: payload.map { row in
          [
            StyledText(row.key, .name), StyledText(row.first ?? "none"),
            StyledText(row.second ?? "none"),
          ]
        }))
  }
}
