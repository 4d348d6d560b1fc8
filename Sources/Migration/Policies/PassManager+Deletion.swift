internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

extension PassManager {
  /// Deletes an object of the new store, applying the delete rules of its relationships, and removes it from
  /// the association tables. A source object without a remaining destination object counts as lost.
  ///
  /// ```swift
  /// func deleteIfEmpty(_ draft: NewObject, _ manager: PassManager) throws {
  ///   if try draft.attributeValue("body") == .null { try manager.delete(draft) }
  /// }
  /// ```
  ///
  /// - Throws: ``Diagnostic`` if a relationship with the delete rule Deny is not empty.
  func delete(_ object: NewObject) throws {
    var waiting = [object]
    while let next = waiting.popLast() {
      guard let found = try destination.object(next.key, in: next.entity) else { continue }
      for relationship in destinationModel.model.allRelationships(of: found.entity).map(\.property)
      where !relationship.isTransient {
        switch relationship.deleteRule {
        case .cascade: waiting += try found.destinations(relationship.name)
        case .deny:
          guard try found.destinations(relationship.name).isEmpty else {
            throw Diagnostic(
              id: "policy.deleteDenied",
              what: "\(found.entity).\(relationship.name) denies the deletion of an object",
              fix: "delete or unlink its objects first")
          }
        case .nullify, .noAction: break
        }
      }
      let isUnreported = try destination.remove(found)
      deletedEntities.insert(found.entity)
      try forget(found.traced, isCounted: !isUnreported)
    }
  }

  /// Removes a deleted object from the association tables and the counts.
  private func forget(_ destination: ObjectRef, isCounted: Bool) throws {
    var isInserted = true
    let part = report.entities.isEmpty ? 0 : currentReport.part
    for mapping in mapping.entityMappings {
      let sources = try associations[mapping.name]?.remove(destination) ?? []
      guard !sources.isEmpty,
        let index = report.entities.firstIndex(where: {
          $0.part == part && $0.mapping == mapping.name
        })
      else { continue }
      isInserted = false
      report.entities[index].created -= 1
      report.entities[index].joined -= sources.count - 1
      for source in sources {
        let object = try sourceObject(source.key, of: source.entity)
        guard
          try associations.destinations(of: object.identity, in: mapping.name).isEmpty
        else { continue }
        let isKept = try self.mapping.entityMappings.contains {
          try !associations.destinations(of: object.identity, in: $0.name).isEmpty
        }
        report.entities[index].dropped += 1
        ledger.noteDeleted(source.key, of: source.entity, by: index, isKept: isKept)
        if isObserved {
          result.events.append(
            .objectRemoved(
              mapping: mapping.name, source: object.traced,
              because: .deleted(policy: currentEntityMapping?.policyName ?? "")))
        }
      }
    }
    guard isInserted, isCounted, !report.entities.isEmpty else { return }
    currentReport.created = max(0, currentReport.created - 1)
  }
}
