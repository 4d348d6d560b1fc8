import StrataBase
import StrataRendering
import Testing

@Suite("Progress of a migration")
struct MigrationProgressTests {
  private static func line(
    _ events: [(TraceEvent.Kind, at: Double)], after seconds: Double
  ) -> String? {
    var progress = MigrationProgress()
    for (place, event) in events.enumerated() {
      progress.receive(TraceEvent(mark: place + 1, kind: event.0), at: event.at)
    }
    return progress.line(after: seconds)
  }

  @Test("counts, rate and remaining time are shown once they can be computed")
  func passes() {
    let began = TraceEvent.Kind.entityMappingBegan(
      pass: .createInstances, mapping: "TopicToTopic", objects: 1_000_000)
    let visited = TraceEvent.Kind.objectsVisited(
      pass: .createInstances, mapping: "TopicToTopic", count: 120_000)
    #expect(Self.line([], after: 1) == nil)
    #expect(
      Self.line([(began, at: 1)], after: 1) == "pass 1 of 3  TopicToTopic  0 of 1,000,000")
    #expect(
      Self.line([(began, at: 1), (visited, at: 3)], after: 3.5)
        == "pass 1 of 3  TopicToTopic  120,000 of 1,000,000  48,000/s  19 s left")
  }

  @Test("no remaining time at the end; single objects are counted")
  func singleObjects() {
    let object = ObjectRef(entity: "Topic", key: 1)
    let events: [(TraceEvent.Kind, at: Double)] = [
      (.entityMappingBegan(pass: .createRelationships, mapping: "M", objects: 2), at: 0),
      (.relationshipsSet(mapping: "M", destination: object, count: 3), at: 1),
      (.relationshipsSet(mapping: "M", destination: object, count: 0), at: 2),
    ]
    #expect(Self.line(events, after: 2) == "pass 2 of 3  M  2 of 2  1/s")
  }

  @Test("in place, the purpose of each statement is shown")
  func statements() {
    let event = TraceEvent.Kind.statementRan(
      sql: "UPDATE ZTOPIC SET ZTIMEBUDGET = 5", purpose: "the default values", rows: 3)
    #expect(
      Self.line([(event, at: 1), (event, at: 2)], after: 2)
        == "statement 2 done: the default values")
  }
}
