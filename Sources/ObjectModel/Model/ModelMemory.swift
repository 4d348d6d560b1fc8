internal import Synchronization

/// A cache of values computed from one model, with the lifetime of the model: its hashes, its data for
/// matching, and the mapping models inferred from it to a few other models.
///
/// A model is immutable, and its copies share one cache. A model that is edited or read again has a new cache,
/// so cached values are never out of date.
package final class ModelMemory: Sendable {
  /// The maximum number of other models with cached values. The values of a pair are large, and few pairs are
  /// requested twice.
  private static let pairLimit = 4

  private struct Pair {
    let type: ObjectIdentifier
    /// Weak, because two models can have cached values about each other.
    weak var other: ModelMemory?
    let value: any Sendable
  }

  private struct Contents {
    /// There are few: a dictionary would cost a part of the start.
    var values: [(type: ObjectIdentifier, value: any Sendable)] = []
    /// The oldest first.
    var pairs: [Pair] = []
  }

  private let contents = Mutex(Contents())

  package init() {}

  /// Called for each value that is computed and not cached; for tests.
  @TaskLocal package static var listener: (@Sendable (_ computed: Any.Type) -> Void)?

  /// The cached value of a type, computed on first access.
  package func value<Value: Sendable>(_ compute: () -> Value) -> Value {
    if let known = known(Value.self) { return known }
    // Outside the lock, because the computation can request other values.
    Self.listener?(Value.self)
    let value = compute()
    keep(value)
    return value
  }

  /// The value of a type, if it is cached.
  package func known<Value: Sendable>(_ type: Value.Type) -> Value? {
    let type = ObjectIdentifier(type)
    return contents.withLock { $0.values.first { $0.type == type }?.value } as? Value
  }

  package func keep<Value: Sendable>(_ value: Value) {
    let type = ObjectIdentifier(Value.self)
    contents.withLock { contents in
      contents.values.removeAll { $0.type == type }
      contents.values.append((type, value))
    }
  }

  /// The value of a type for this model and another one; only the most recent ones are cached.
  package func value<Value: Sendable>(
    with other: ModelMemory, _ compute: () -> Value
  ) -> Value {
    let type = ObjectIdentifier(Value.self)
    let known = contents.withLock { contents in
      contents.pairs.first { $0.type == type && $0.other === other }?.value
    }
    if let known = known as? Value { return known }
    Self.listener?(Value.self)
    let value = compute()
    contents.withLock { contents in
      contents.pairs.removeAll { $0.other == nil || $0.type == type && $0.other === other }
      if contents.pairs.count >= Self.pairLimit { contents.pairs.removeFirst() }
      contents.pairs.append(Pair(type: type, other: other, value: value))
    }
    return value
  }
}
