internal import Synchronization

/// What the running command is doing, for a line on the terminal.
///
/// Like ``Interruption``, it is one for the process: long work says where it is, about as often as it looks for an
/// interruption, and the front end shows it from time to time.
///
/// ```swift
/// WorkProgress.isShown = true
/// WorkProgress.report("creating Topic", 20_000, of: 300_000)
/// WorkProgress.line  // creating Topic  20,000 of 300,000
/// ```
package enum WorkProgress {
  private static let shown = Atomic(false)
  private static let state = Mutex("")

  /// Whether anything is shown; if not, nothing is kept, and a report takes no time.
  package static var isShown: Bool {
    get { shown.load(ordering: .relaxed) }
    set {
      shown.store(newValue, ordering: .relaxed)
      if !newValue { state.withLock { $0 = "" } }
    }
  }

  /// The last report; empty before the first.
  package static var line: String { state.withLock { $0 } }

  /// - Parameters:
  ///   - what: The work, without values of users.
  ///   - done: The number of things done so far.
  ///   - total: The number of all of them, if it is known.
  package static func report(
    _ what: @autoclosure () -> String, _ done: Int? = nil, of total: Int? = nil
  ) {
    guard isShown else { return }
    var line = what()
    if let done { line += "  \(grouped(done))" + (total.map { " of \(grouped($0))" } ?? "") }
    state.withLock { $0 = line }
  }

  /// A number with commas between its groups of digits.
  package static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(max(number, 0)).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
