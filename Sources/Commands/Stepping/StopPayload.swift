internal import StrataBase
internal import StrataMigration
internal import StrataRendering
internal import StrataStepping

/// The JSON shape of every command that moves the stepper, and of `where`.
struct StopPayload: Encodable, Sendable {
  enum Reason: String, Encodable, Sendable {
    case arrived, breakpoint, watch, failed, interrupted, end, refused
    /// The stepper went back, or to a mark.
    case wentBack
    /// The stepper has not moved.
    case notMoved = "stands"
  }

  struct Object: Encodable, Sendable {
    var number: Int
    var of: Int
    var source: String?
    var destination: String?
  }

  struct Statement: Encodable, Sendable {
    var number: Int
    var of: Int
    var sql: String
    var purpose: String
  }

  var reason: Reason
  /// The number of the breakpoint or watchpoint.
  var number: Int?
  var why: String?
  var hop: Int
  var hops: Int
  var from: String
  var to: String
  var means: MigrationPlan.Means
  var mappingModel: String?
  var pass: Int?
  var entityMapping: String?
  var object: Object?
  var statement: Statement?
  /// The number of the last event.
  var mark: Int
  /// The last events of the movement.
  var events: [JSONValue]

  /// - Parameter hasMoved: Whether the stepper went back or to a mark, if there is no stop.
  init(_ stop: StepStop?, _ location: StepLocation, hasMoved: Bool = false) {
    switch stop?.reason {
    case .arrived: reason = .arrived
    case .breakpoints(let hits):
      (reason, number) = (.breakpoint, hits.first?.breakpoint.number)
      why = hits.map(\.why).joined(separator: "; ")
    case .watch(let changes):
      (reason, number) = (.watch, changes.first?.watchpoint.number)
      why = changes.map(\.text).joined(separator: "; ")
    case .failed(let diagnostic, let number):
      (reason, self.number, why) = (.failed, number, diagnostic.what)
    case .interrupted: reason = .interrupted
    case .end(let isRefused): reason = isRefused ? .refused : .end
    case nil: reason = hasMoved ? .wentBack : .notMoved
    }
    (hop, hops, from, to) = (location.hop, location.hopCount, location.from, location.to)
    means = location.means
    mappingModel = location.mappingModel.isEmpty ? nil : location.mappingModel
    pass = location.pass?.rawValue
    entityMapping = location.entityMapping
    mark = location.mark
    events = stop?.events.map { $0.json() } ?? []
    switch location.next {
    case .object(let number, let count, _, _, let source, let destination):
      object = Object(
        number: number, of: count, source: source?.description,
        destination: destination?.description)
    case .statement(let number, let count, let sql, let purpose):
      statement = Statement(number: number, of: count, sql: sql, purpose: purpose)
    default: break
    }
  }

  /// The place alone, for `state`.
  static func place(_ location: StepLocation) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("hop", .integer(Int64(location.hop))), ("hops", .integer(Int64(location.hopCount))),
      ("from", .string(location.from)), ("to", .string(location.to)),
      ("means", .string(location.means.rawValue)),
      (
        "mappingModel",
        location.mappingModel.isEmpty ? .null : .string(location.mappingModel)
      ), ("part", .integer(Int64(location.part ?? 1))),
      ("parts", .integer(Int64(location.partCount))),
      ("pass", location.pass.map { .integer(Int64($0.rawValue)) } ?? .null),
      ("entityMapping", .string(orNull: location.entityMapping)),
      ("mark", .integer(Int64(location.mark))), ("isAtEnd", .bool(location.next == nil)),
    ]
    switch location.next {
    case .object(let number, let count, _, _, let source, let destination):
      members += [
        ("object", .integer(Int64(number))), ("objects", .integer(Int64(count))),
        ("source", source?.json(.source) ?? .null),
        ("destination", destination?.json(.destination) ?? .null),
      ]
    case .statement(let number, let count, let sql, let purpose):
      members += [
        ("statement", .integer(Int64(number))), ("statements", .integer(Int64(count))),
        ("sql", .string(sql)), ("purpose", .string(purpose)),
      ]
    default: break
    }
    return .object(members)
  }
}

extension StepStop.Change {
  /// `Topic/p1.title nil -> (text of 6 bytes)`: values only if the watchpoint reveals them.
  fileprivate var text: String {
    func word(_ value: WatchedValue) -> String { watchpoint.isRevealed ? value.text : value.kind }
    return "\(watchpoint.subject.text) \(word(before)) -> \(word(now))"
      + (otherCount == 0 ? "" : " and \(Phrase.count(otherCount, "other", "others"))")
  }
}
