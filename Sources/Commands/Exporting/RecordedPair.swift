internal import StrataBase
internal import StrataRendering

/// A pair of an association table.
struct RecordedPair: Hashable, JSONRepresentable {
  var mapping: String
  var source: ObjectRef
  var destination: ObjectRef
  /// The number of the mapping model.
  var part: Int

  var json: JSONValue { [mapping, source.description, destination.description, part] }

  /// The pairs that a step recorded.
  static func made(by events: [TraceEvent], part: Int) -> [RecordedPair] {
    events.compactMap { event in
      switch event.kind {
      case .objectCreated(let mapping, let source, let destination),
        .objectJoined(let mapping, let source, let destination):
        RecordedPair(mapping: mapping, source: source, destination: destination, part: part)
      default: nil
      }
    }
  }

  /// The pairs that a step recorded or asked for.
  static func used(by events: [TraceEvent], part: Int) -> [RecordedPair] {
    made(by: events, part: part)
      + events.flatMap { event -> [RecordedPair] in
        guard case .relationshipSet(let link) = event.kind, let table = link.table else {
          return []
        }
        return link.lookups.flatMap { lookup in
          lookup.destinations.map {
            RecordedPair(mapping: table, source: lookup.source, destination: $0, part: part)
          }
        }
      }
  }
}

/// A source object whose pair is removed with the object that a policy deletes.
struct LostPair {
  var mapping: String
  var source: ObjectRef

  func isOf(_ pair: RecordedPair) -> Bool { pair.mapping == mapping && pair.source == source }

  static func all(in events: [TraceEvent]) -> [LostPair] {
    events.compactMap { event in
      guard case .objectRemoved(let mapping, let source, .deleted) = event.kind else { return nil }
      return LostPair(mapping: mapping, source: source)
    }
  }
}
