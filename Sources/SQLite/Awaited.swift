/// A value that is known, or that a second thread is finding.
///
/// ```swift
/// var sum = Awaited.pending(SecondThread { 2 + 3 })
/// sum.known  // nil
/// if case .pending(let thread) = sum { sum = .known(try thread.value()) }
/// sum.known  // 5
/// ```
package enum Awaited<Value: Sendable>: Sendable {
  case known(Value)
  case pending(SecondThread<Value>)

  /// The value; `nil` if nobody has waited for it.
  package var known: Value? { if case .known(let value) = self { value } else { nil } }
}
