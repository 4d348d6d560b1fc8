package import StrataBase

/// The progress of a running migration on one line, computed from the events of the trace.
///
/// ```swift
/// func line(after events: [TraceEvent]) -> String? {
///   var progress = MigrationProgress()
///   for event in events { progress.receive(event, at: 0) }
///   // "pass 1 of 3  TopicToTopic  120,000 of 1,000,000  48,000/s  18 s left"
///   return progress.line(after: 2.5)
/// }
/// ```
package struct MigrationProgress: Sendable {
  private var label = ""
  /// The numbers of the hop and the part, if there are several.
  private var hop = ""
  private var part = ""
  private var done = 0
  private var total = 0
  /// The time in seconds at which the current count started.
  private var start = 0.0
  private var statements = 0

  package init() {}

  /// Updates the progress with an event.
  ///
  /// - Parameter seconds: The time since the start of the migration.
  package mutating func receive(_ event: TraceEvent, at seconds: Double) {
    switch event.kind {
    case .hopBegan(let begun):
      (hop, part) = (begun.count > 1 ? "hop \(begun.number) of \(begun.count)  " : "", "")
      label = ""
      (done, total, statements) = (0, 0, 0)
    case .partBegan(let number, let count, _):
      part = "part \(number) of \(count)  "
    case .entityMappingBegan(let pass, let mapping, let objects):
      label = "\(hop)\(part)pass \(pass.rawValue) of 3  \(mapping)"
      (done, total, start) = (0, objects, seconds)
    case .objectsVisited(_, _, let count): done += count
    case .objectCreated, .objectJoined, .objectRemoved, .relationshipsSet: done += 1
    case .statementRan(_, let purpose, _):
      statements += 1
      label = "\(hop)statement \(statements) done: \(purpose)"
      (done, total) = (0, 0)
    case .passBegan(.validate):
      label = "\(hop)\(part)pass 3 of 3"
      (done, total) = (0, 0)
    default: break
    }
  }

  /// The progress line; empty before the first object or statement.
  package func line(after seconds: Double) -> String? {
    guard !label.isEmpty else { return nil }
    guard total > 0 else { return label }
    var parts = [label, "\(WorkProgress.grouped(done)) of \(WorkProgress.grouped(total))"]
    let elapsed = seconds - start
    if done > 0, elapsed > 0 {
      let rate = Double(done) / elapsed
      parts.append("\(WorkProgress.grouped(Int(rate)))/s")
      if done < total {
        parts.append(
          "\(WorkProgress.grouped(Int((Double(total - done) / rate).rounded(.up)))) s left")
      }
    }
    return parts.joined(separator: "  ")
  }
}
