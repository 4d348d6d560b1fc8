internal import StrataBase
internal import StrataMigration
internal import StrataRendering
internal import StrataStepping

extension StepLocation {
  private var place: JSONValue.Members {
    [
      "hop": hop, "hops": hopCount, "from": from, "to": to, "means": means.rawValue,
      "mappingModel": mappingModel.isEmpty ? nil : mappingModel, "pass": pass?.rawValue,
      "entityMapping": entityMapping, "mark": mark,
    ]
  }

  /// The place alone, for `state`.
  var json: JSONValue {
    var place = place + ["part": part ?? 1, "parts": partCount, "isAtEnd": next == nil]
    switch next {
    case .object(let number, let count, _, _, let source, let destination):
      place += [
        "object": number, "objects": count, "source": source?.json(.source),
        "destination": destination?.json(.destination),
      ]
    case .statement(let number, let count, let sql, let purpose):
      place += ["statement": number, "statements": count, "sql": sql, "purpose": purpose]
    default: break
    }
    return .object(place)
  }

  /// The answer of every command that moves the stepper, and of `where`: the end of the movement, and the place.
  ///
  /// - Parameter hasMoved: Whether the stepper went back or to a mark, if there is no stop.
  func json(after stop: StepStop?, hasMoved: Bool = false) -> JSONValue {
    let end = stop?.reason.members ?? ["reason": hasMoved ? "wentBack" : "stands"]
    var next: JSONValue.Members = [:]
    switch self.next {
    case .object(let number, let count, _, _, let source, let destination):
      next = [
        "object": JSONValue.object(withoutNull: [
          "number": number, "of": count, "source": source?.description,
          "destination": destination?.description,
        ])
      ]
    case .statement(let number, let count, let sql, let purpose):
      next = [
        "statement": ["number": number, "of": count, "sql": sql, "purpose": purpose] as JSONValue
      ]
    default: break
    }
    // The last events of the movement.
    let events = stop?.events.map { $0.json() } ?? []
    return .object(withoutNull: end + place + next + ["events": events])
  }
}

extension StepStop.Reason {
  /// The number is that of the breakpoint or watchpoint.
  fileprivate var members: JSONValue.Members {
    switch self {
    case .arrived: ["reason": "arrived"]
    case .hits(let hits, let changes):
      [
        "reason": changes.isEmpty ? "breakpoint" : "watch",
        "number": changes.first?.watchpoint.number ?? hits.first?.breakpoint.number,
        "why": (changes.map(\.text) + hits.map(\.why)).joined(separator: "; "),
      ]
    case .failed(let diagnostic, let number):
      ["reason": "failed", "number": number, "why": diagnostic.what]
    case .interrupted: ["reason": "interrupted"]
    case .end(let isRefused): ["reason": isRefused ? "refused" : "end"]
    }
  }
}

extension StepStop.Change {
  /// `Topic/p1.title nil -> (text of 6 bytes)`: values only if the watchpoint reveals them.
  fileprivate var text: String {
    func word(_ value: WatchedValue) -> String { watchpoint.isRevealed ? value.text : value.kind }
    return "\(watchpoint.subject.text) \(word(before)) -> \(word(now))"
      + (otherCount == 0 ? "" : " and \(Phrase.count(otherCount, "other"))")
  }
}
