package import StrataBase

/// Trace events as the lines of Core Data's debug log.
///
/// The tag `CoreData: annotation: (migration)` is Core Data's; no log of a successful migration is
/// public, so the words behind it are Strata's own. Source: `Docs/Facts/debug-logs.md`, section 5. For the lines
/// of statements see ``TraceText/sqlLines(_:level:revealing:)``.
package enum TraceText {
  /// The lines of an event at a MigrationDebug level; empty if the level is too low.
  package static func migrationLines(_ event: TraceEvent, level: Int) -> [StyledText] {
    guard level >= event.kind.migrationLevel else { return [] }
    let lines =
      event.kind.text.map { [StyledText($0)] } ?? event.kind.detailLines().map { "      " + $0 }
    return lines.map { StyledText("CoreData: annotation: (migration) ", .faint) + $0 }
  }
}

extension TraceEvent.Kind {
  fileprivate var migrationLevel: Int {
    switch self {
    case .hopBegan, .hopEnded, .passBegan, .passEnded, .entityMappingBegan, .validationFailed: 1
    case .partBegan, .stageChanged: 1
    case .objectCreated, .objectJoined, .objectInserted, .objectRemoved: 2
    case .entityMappingEnded, .statementRan: 2
    case .relationshipsSet, .schemaChanged, .tableRenamed: 3
    case .objectsVisited: 3
    case .relationshipSet, .policyDecided, .objectShared, .objectsValidated: 3
    case .sqlBegan, .sqlEnded: .max
    }
  }

  /// The text, indented by its depth; `nil` if the next event has the same content.
  package var text: String? {
    switch self {
    case .hopBegan(let hop): "hop \(hop.number) of \(hop.count): \(hop.from) -> \(hop.to)"
    case .passBegan(let pass): "pass \(pass.rawValue) of 3: \(pass.purpose)"
    case .entityMappingBegan(_, let mapping, let objects):
      "  \(mapping): \(Phrase.count(objects, "object"))"
    case .objectCreated(_, let source, let destination): "    \(source) -> \(destination)"
    case .objectJoined(_, let source, let destination):
      "    \(source) -> \(destination), existing object"
    case .partBegan(let number, let count, let mapping): "part \(number) of \(count): \(mapping)"
    case .objectInserted(_, let destination): "    \(destination) is created by the policy"
    case .objectRemoved(_, let source, let reason):
      "    \(source) -> no object" + (reason.text.map { ": \($0)" } ?? "")
    case .relationshipsSet(_, let destination, let count):
      "    \(destination): \(Phrase.count(count, "destination"))"
    case .entityMappingEnded(_, let mapping): "  \(mapping): done"
    case .passEnded, .objectsVisited: nil
    case .relationshipSet, .policyDecided, .objectShared, .objectsValidated: nil
    case .statementRan(let sql, let purpose, let rows):
      "  \(sql)  (\(purpose)\(rows == 0 ? "" : "; \(Phrase.count(rows, "row"))"))"
    case .schemaChanged(let name, let before, let after):
      before == nil
        ? "    schema: \(name) is created"
        : after == nil
          ? "    schema: \(name) is dropped" : "    schema: \(name) is now \(after ?? "")"
    case .tableRenamed(let name, let new): "    schema: \(name) is renamed \(new)"
    case .sqlBegan(let statement): "  \(statement.side.rawValue): \(statement.sql)"
    case .sqlEnded: nil
    case .stageChanged(let change, let objects):
      "  \(change)  (\(Phrase.count(objects, "object")))"
    case .validationFailed(let object, let property, let reason):
      "    \(object).\(property) \(reason)"
    case .hopEnded(let hop): "hop \(hop.number) of \(hop.count): done"
    }
  }
}

extension TraceRemoval {
  /// `skipped by policy RecipeToCuisine`; `nil` if the entity mapping always removes its objects.
  fileprivate var text: String? {
    switch self {
    case .entityMapping: nil
    case .skipped(let policy): "skipped by policy \(policy)"
    case .deleted(let policy): "deleted by policy \(policy)"
    }
  }
}

extension Pass {
  /// The purpose of the pass.
  package var purpose: String {
    switch self {
    case .createInstances: "create instances"
    case .createRelationships: "create relationships"
    case .validate: "validate"
    }
  }
}
