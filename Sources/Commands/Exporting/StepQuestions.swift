internal import StrataBase
internal import StrataRendering

/// Questions about the steps of a migration whose answers a learner can predict, once for each entity mapping and
/// pass.
struct StepQuestions {
  private var asked: Set<String> = []
  var count: Int { asked.count }

  /// The next question about what the events did; `nil` if they have none that was not asked.
  mutating func question(about events: [TraceEvent]) -> JSONValue? {
    for event in events {
      switch event.kind {
      case .objectCreated(let mapping, let source, let destination)
      where source.key != destination.key:
        return ask(
          "1 \(mapping)", "\(mapping) reads \(source). Which object does it create?",
          right: "\(destination)",
          wrong: ["\(destination.entity)/p\(source.key)", "none"],
          "The new store numbers its objects in the order in which they are created; the association table of \(mapping) records that \(source) became \(destination)."
        )
      case .objectJoined(let mapping, let source, let destination):
        return ask(
          "1 join \(mapping)", "\(mapping) reads \(source). What does it do?",
          right: "it joins \(source) to \(destination)",
          wrong: ["it creates another \(destination.entity)", "it skips \(source)"],
          "The policy finds an object that exists already, and only the association table gets a new pair."
        )
      case .relationshipSet(let link) where link.table != nil && !link.lookups.isEmpty:
        let (found, tempting) = (
          link.destinations.map(\.description),
          link.lookups.map { lookup in
            "\(lookup.destinations.first?.entity ?? "")/p\(lookup.source.key)"
          }
        )
        guard !found.isEmpty, Set(found) != Set(tempting) else { continue }
        return ask(
          "2 \(link.table ?? "") \(link.relationship)",
          "\(link.object).\(link.relationship) is set from \(Phrase.list(link.lookups.map(\.source.description))). To which objects?",
          right: Phrase.list(found), wrong: [Phrase.list(tempting), "to none"],
          "The association table of \(link.table ?? "") says what became of each; keys of the old store mean nothing in the new one."
        )
      default: continue
      }
    }
    return nil
  }

  private mutating func ask(
    _ id: String, _ text: String, right: String, wrong: [String], _ why: String
  ) -> JSONValue? {
    guard asked.insert(id).inserted else { return nil }
    let place = asked.count % (wrong.count + 1)
    var choices = wrong
    choices.insert(right, at: place)
    return ["text": text, "choices": choices, "right": place, "why": why]
  }
}
