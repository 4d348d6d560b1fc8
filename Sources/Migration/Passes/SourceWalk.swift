internal import StrataBase
internal import StrataSQLite
internal import StrataStore

/// Reads source objects by their keys: in one query as long as the keys ascend with small gaps, as those of the
/// objects of an entity mapping mostly do.
struct SourceWalk {
  /// The last requested object.
  private var last: (entity: String, key: Int64)?
  /// The query, which is at the last object.
  private var cursor: RowCursor?
  /// Rows that a query reads in vain at most.
  private static let largestGap: UInt64 = 8

  /// The object with a key, whose entity must be its own for the query to find it.
  mutating func object(
    _ key: Int64, of entity: String, in objects: StoreObjects, _ log: StatementLog?
  ) throws -> BrowsedObject {
    let previous = last
    last = (entity, key)
    // Its rows are not those of a statement of Core Data, which reads each object.
    if log?.isObserved != true, let previous, previous.entity == entity, previous.key < key,
      UInt64(bitPattern: key &- previous.key) <= Self.largestGap,
      let cursor = try moved(from: previous.key, to: key, of: entity, in: objects, log)
    {
      return objects.object(key, at: cursor)
    }
    end()
    return objects.object(key, of: entity)
  }

  /// The query at an object; `nil` if it is not there.
  private mutating func moved(
    from last: Int64, to key: Int64, of entity: String, in objects: StoreObjects,
    _ log: StatementLog?
  ) throws -> RowCursor? {
    let was = log?.mute()
    defer { if let was { log?.unmute(was) } }
    guard let cursor = try cursor ?? objects.reader.cursor(over: entity, after: last) else {
      return nil
    }
    self.cursor = cursor
    repeat {
      guard let found = try cursor.next(), found <= key else { return nil }
    } while cursor.key != key
    return cursor
  }

  /// Ends the query.
  mutating func end() {
    cursor?.finish()
    cursor = nil
  }
}
