internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// What a SQLite store loses where its objects are written into an XML store, without a migration.
struct ConversionLosses {
  private var links: [(relationship: String, count: Int)] = []
  private var strayRows: [(table: String, count: Int)] = []
  private var extras: [String] = []

  init() {}

  init(_ store: consuming SQLiteStore, model: ObjectModel) throws(StoreError) {
    let reader = try StoreReader(store, model: model)
    var counts = StoreCounts()
    for end in model.storedRelationships {
      let dangling = try counts.links(of: end, in: reader).dangling
      let inverse = model.inverse(of: end.property)?.qualifiedName
      guard dangling > 0, !links.contains(where: { $0.relationship == inverse }) else { continue }
      links.append((end.qualifiedName, dangling))
    }
    strayRows = try reader.strayRows(&counts)
    extras = try reader.extrasBesideObjects().lost.map(\.title)
  }

  /// The losses that `--strict` can refuse; links to missing objects lead nowhere in the old store either.
  var counts: LossCounts {
    LossCounts(rows: rowCount, extras: extras.count)
  }

  var rowCount: Int { strayRows.reduce(0) { $0 + $1.count } }

  /// Everything that is not in the new store.
  var notes: [String] {
    links.map { "\($0.relationship): \(Phrase.count($0.count, "link")) to missing objects" }
      + strayRows.map {
        "\($0.table): \(Phrase.count($0.count, "row")) with an unknown entity number"
      } + extras
  }

  /// A warning that names everything that is not in the new store.
  func warnings(of newStore: String, from store: String, dryRun: Bool) -> [Diagnostic] {
    guard !notes.isEmpty else { return [] }
    return [
      Diagnostic(
        id: "store.leftOut", severity: .warning,
        what:
          "parts of \(store) \(dryRun ? "would not be" : "are not") in \(newStore): an XML store has objects only",
        fix: "keep \(store)",
        notes: Phrase.first(Self.noteLimit, of: notes))
    ]
  }

  private static let noteLimit = 20
}
