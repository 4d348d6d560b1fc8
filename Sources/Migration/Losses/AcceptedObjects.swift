internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// The objects of a store that the filters of entity mappings accept, found once: only these have the losses of the
/// entity mappings.
struct AcceptedObjects {
  private struct Filtered: Hashable {
    var entity: String
    var filters: [String]
  }

  private var found: [Filtered: KeySet] = [:]

  /// The keys of the objects that a loss can concern; `nil` for all objects of the entity, also if a filter cannot be
  /// evaluated, with which the migration fails.
  mutating func keys(
    of source: Loss.Source, in reader: borrowing StoreReader
  ) throws -> KeySet? {
    guard !source.filters.isEmpty else { return nil }
    let filtered = Filtered(entity: source.entity, filters: source.filters)
    if let known = found[filtered] { return known }
    let model = reader.model
    let objects = StoreObjects(try reader.reread(by: model))
    var keys = KeySet()
    do {
      for filter in source.filters {
        let predicate = try model.resolved(Predicate(parsing: filter), for: source.entity)
        for key in try objects.keys(of: source.entity, where: predicate) { keys.insert(key) }
      }
    } catch is ExpressionError {
      return nil
    }
    found[filtered] = keys
    return keys
  }
}
