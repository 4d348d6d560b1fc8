internal import StrataBase
internal import StrataEssentials
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// The output of `show` for a store: the version that wrote it, its entities with their tables, and the files beside
/// it.
struct StoreView {
  private struct Row {
    var entity: String
    var number: Int64?
    var table: String?
    var rows: Int?
    /// The bytes of the whole table and its indexes, in the row of the entity after which it is named.
    var bytes: Int?

    var json: JSONValue {
      .object(withoutNull: [
        "entity": entity, "number": number, "table": table, "rows": rows, "bytes": bytes,
      ])
    }
  }

  let outcome: Outcome

  init(path: String, name: String, in session: Session) throws {
    let store = try session.open(path)
    let metadata = store.metadata
    let match = try session.modelOf(store, path: path)
    var warnings = match.warnings
    var rows = metadata.versionHashes.keys.sorted().map { Row(entity: $0) }
    var findings: [Finding]?
    var sizes: StoreSizes?
    let isSQLite = !session.isAtomicStore(path)
    do {
      if isSQLite {
        sizes = try store.sizes()
        findings = try SchemaExamination(of: store, models: session.loadedModels()).rules.map {
          Finding($0, path: name)
        }
      }
      if let model = match.model?.model {
        let reader = try StoreReader(session.open(path, among: [model]), model: model)
        rows = try Self.rows(of: reader, sizes)
      } else if let atomic = try session.atomicStore(path) {
        for index in rows.indices { rows[index].rows = atomic.count(of: rows[index].entity) }
      }
    } catch let error as StoreError {
      guard match.model != nil else { throw error.diagnostic.located(in: session.shown(path)) }
      warnings.append(error.diagnostic.located(in: session.shown(path)).asWarning)
      outcome = Self.outcome(name, metadata, match, rows, nil, findings, warnings)
      return
    }
    try store.checkUnchanged()
    outcome = Self.outcome(name, metadata, match, rows, sizes, findings, warnings)
  }

  /// The entities sorted by number.
  private static func rows(
    of reader: borrowing StoreReader, _ sizes: StoreSizes?
  ) throws(StoreError) -> [Row] {
    var rows: [Row] = []
    var seen: Set<String> = []
    for entity in reader.layout.entityOrder {
      let table = reader.layout.table(of: entity)?.name ?? ""
      let isAbstract = reader.model[entity]?.isAbstract == true
      rows.append(
        Row(
          entity: entity, number: sizes == nil ? nil : reader.layout.entityNumbers[entity],
          table: sizes == nil ? nil : table,
          rows: isAbstract ? nil : try reader.count(of: entity),
          bytes: seen.insert(table).inserted ? sizes?.bytesByTable?[table] : nil))
    }
    return rows
  }

  private static func outcome(
    _ name: String, _ metadata: StoreMetadata, _ match: StoreModel, _ rows: [Row],
    _ sizes: StoreSizes?, _ findings: [Finding]?, _ warnings: [Diagnostic]
  ) -> Outcome {
    let facts = [
      "\(metadata.type ?? "SQLite") store", metadata.frameworkVersion.map { "framework \($0)" },
      "UUID \(metadata.uuid)",
      match.isCached ? "contains its model" : match.writers.first.map { "written by \($0.text)" },
    ].compactMap { $0 }
    let table = Table(
      columns: [
        .init("entity"), .init(sizes == nil ? "" : "Z_ENT", .right), .init("rows", .right),
        .init(sizes == nil ? "" : "table"), .init(sizes?.bytesByTable == nil ? "" : "size", .right),
        .init("hash"),
      ],
      rows: rows.map { row in
        [
          StyledText(row.entity, .name), StyledText(row.number.map(String.init) ?? "", .faint),
          StyledText(row.rows.map(String.init) ?? (match.model == nil ? "?" : "")),
          StyledText(row.table ?? "", .faint), StyledText(row.bytes.map(size) ?? ""),
          StyledText(metadata.versionHashes[row.entity]?.short ?? "", .faint),
        ]
      }
    ).withoutEmptyColumns
    var lines: [StyledText] = []
    if let sizes {
      let journal = sizes.usesWAL ? "WAL" : "rollback"
      let companions = sizes.companions.map { "\($0.name) \(size($0.size))" }
      lines.append(
        StyledText("journal \(journal), pages of \(sizes.pageSize) bytes", .faint)
          + StyledText(sizes.freePages == 0 ? "" : ", \(sizes.freePages) free", .faint)
          + StyledText(
            companions.isEmpty ? "" : "; beside it " + companions.joined(separator: ", "), .faint))
    }
    if let findings {
      lines += findings.flatMap { $0.lines(at: "") }
      if findings.isEmpty {
        lines.append(StyledText("no problems found in the tables", .faint))
      }
    }
    let counts = Dictionary(rows.map { ($0.entity, $0.rows) }, uniquingKeysWith: { $1 })
    let companions = Dictionary(
      (sizes?.companions ?? []).map { ($0.name, $0.size) }, uniquingKeysWith: { $1 })
    let problems = findings?.map {
      $0.json(formerKeys: ["id": $0.rule.caseName, "fix": $0.fixes.first?.text ?? ""])
    }
    let json = JSONValue.object(withoutNull: [
      "store": name, "uuid": metadata.uuid, "framework": metadata.frameworkVersion,
      "writtenBy": match.isCached ? nil : match.model?.name, "rows": JSONValue(counts),
      "entities": rows.map(\.json), "journal": sizes.map { $0.usesWAL ? "WAL" : "rollback" },
      "companions": JSONValue(companions), "findings": problems,
    ])
    return Outcome(
      .stack([
        .line(StyledText(name, .heading) + StyledText("  " + facts.joined(separator: ", "))),
        .table(table), .lines(lines),
      ]),
      json: json, warnings: warnings)
  }

  /// `512 B`, `12 KB`, `3.4 MB`.
  static func size(_ bytes: Int) -> String {
    if bytes < 1024 { return "\(bytes) B" }
    let kilobytes = Double(bytes) / 1024
    if kilobytes < 1000 { return "\(Int(kilobytes.rounded())) KB" }
    let tenths = Int((kilobytes / 1024 * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) MB"
  }
}
