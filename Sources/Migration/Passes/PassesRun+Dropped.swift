internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// What the end of a hop counts of its source: objects and values that no entity mapping, or not each, reads.
extension PassesRun {
  /// Counts the objects that no entity mapping reads.
  func countUnmapped(_ receiptWriter: ReceiptWriter) throws {
    for entity in hop.from.model.entityNames {
      let known = mappedKeys[entity] ?? KeySet()
      guard !known.isAll else { continue }
      let count = manager.keyRange(of: entity).count
      guard count > known.count else { continue }
      let first = try manager.source.keys(of: entity, where: nil).first { !known.contains($0) }
      manager.report.unmapped.append(
        MigrationReport.UnmappedObjects(
          entity: entity, count: count - known.count, firstKey: first ?? 0))
      guard receiptWriter.losesAttributes(of: entity) else { continue }
      manager.report.mappedValues[entity] =
        known.count == 0 ? [:] : try values(of: entity, in: known)
    }
  }

  /// The values of each attribute in some objects.
  private func values(
    of entity: String, in keys: KeySet
  ) throws -> [String: Receipt.Affected] {
    guard let shape = manager.source.reader.shape(of: entity) else { return [:] }
    var found = Array(repeating: Receipt.Affected(), count: shape.names.count)
    try log.own {
      try manager.source.reader.forEachRow(of: entity, readsFiles: false) { row in
        guard keys.contains(row.key) else { return }
        for (index, value) in row.values.enumerated() where value != .null {
          found[index].add(row.key)
        }
      }
    }
    return Dictionary(uniqueKeysWithValues: zip(shape.names, found))
  }

  /// Counts the values that only some of their entity's mappings read: an object that others read loses them.
  func countDropped(_ routes: PropertyRoutes) throws {
    let mappings = Dictionary(
      grouping: hop.entityMappings.enumerated().filter {
        $0.element.sourceName != nil && $0.element.destinationName != nil
      }, by: { $0.element.sourceName ?? "" })
    for (entity, mappings) in mappings where mappings.count > 1 {
      guard let shape = manager.source.reader.shape(of: entity) else { continue }
      let all = Set(mappings.map(\.offset))
      let properties = shape.names.enumerated().map { index, name in
        let property = Receipt.Property(entity: entity, name: name)
        return (
          index: index, property: property, readers: routes.readers[property] ?? [],
          copiers: routes.copiers(of: property)
        )
      }.filter { _, _, readers, copiers in
        !readers.isEmpty && readers != all || !copiers.isEmpty && copiers != all
      }
      guard !properties.isEmpty else { continue }
      var keys: [Int: KeySet] = [:]
      for (index, mapping) in mappings {
        var found = KeySet()
        if let accepted = try filteredKeys(of: mapping, entity) {
          for key in accepted { found.insert(key) }
        } else {
          found.insertAll()
        }
        keys[index] = found
      }
      func isRead(_ key: Int64, by mappings: Set<Int>) -> Bool {
        mappings.contains { keys[$0]?.contains(key) == true }
      }
      try manager.source.reader.forEachRow(of: entity, readsFiles: false) { row in
        guard isRead(row.key, by: all) else { return }
        for (index, property, readers, copiers) in properties where row.values[index] != .null {
          if !isRead(row.key, by: readers) {
            manager.report.dropped[property, default: Receipt.Affected()].add(row.key)
          } else if !isRead(row.key, by: copiers) {
            manager.report.moved[property, default: 0] += 1
          }
        }
      }
    }
  }
}
