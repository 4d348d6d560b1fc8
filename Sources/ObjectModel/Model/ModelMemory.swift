internal import Synchronization

/// What was computed from one model, kept for as long as the model is: its hashes, what matching asks of it, and
/// what was inferred from it to a few others.
///
/// A model never changes, and its copies share one memory. A model that is edited or read again is another, with
/// a memory of its own: nothing here is ever out of date.
package final class ModelMemory: Sendable {
  /// The other models about which something is kept. What is kept of a pair is large, and few pairs are asked twice.
  private static let pairLimit = 4

  private struct Pair {
    let type: ObjectIdentifier
    /// Not kept alive by this model: two models may each know something about the other.
    weak var other: ModelMemory?
    let value: any Sendable
  }

  private struct Contents {
    var values: [ObjectIdentifier: any Sendable] = [:]
    /// The oldest first.
    var pairs: [Pair] = []
  }

  private let contents = Mutex(Contents())

  package init() {}

  /// Hears of each value that is computed and not remembered: tests count them.
  @TaskLocal package static var listener: (@Sendable (_ computed: Any.Type) -> Void)?

  /// The value of a type, which is computed once.
  package func value<Value: Sendable>(_ compute: () -> Value) -> Value {
    let type = ObjectIdentifier(Value.self)
    if let known = contents.withLock({ $0.values[type] }) as? Value { return known }
    // Outside the lock: what is computed may ask for other values.
    Self.listener?(Value.self)
    let value = compute()
    keep(value)
    return value
  }

  /// The value of a type as far as it is known.
  package func known<Value: Sendable>(_ type: Value.Type) -> Value? {
    contents.withLock { $0.values[ObjectIdentifier(type)] } as? Value
  }

  package func keep<Value: Sendable>(_ value: Value) {
    contents.withLock { $0.values[ObjectIdentifier(Value.self)] = value }
  }

  /// The value of a type about this model and another; the last few are remembered.
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
