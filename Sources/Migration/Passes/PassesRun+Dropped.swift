internal import StrataBase
internal import StrataMapping
internal import StrataSQLite
internal import StrataStore

extension PassesRun {
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
