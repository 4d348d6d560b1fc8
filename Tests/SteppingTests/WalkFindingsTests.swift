import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStepping
import StrataStore
import TestSupport
import Testing

/// Walks over objects that the new model refuses, and over more of them than are fetched at once.
@Suite("Going back over findings")
struct WalkFindingsTests {
  /// - Parameter isStrict: Whether names are required, ages bounded and every object in a team.
  private static func model(isStrict: Bool) throws -> ObjectModel {
    func entity(_ name: String, _ back: String) -> Entity {
      var entity = Entity(name: name)
      var age = Attribute(name: "age", type: .integer32, isOptional: true)
      if isStrict { age.extras.attributes["maxValueString"] = "40" }
      entity.attributes = [age, Attribute(name: "name", type: .string, isOptional: !isStrict)]
      var team = Relationship(name: "team", destinationName: "Team", isOptional: !isStrict)
      team.inverseName = back
      entity.relationships = [team]
      return entity
    }
    func back(_ name: String, _ destination: String) -> Relationship {
      var back = Relationship(
        name: name, destinationName: destination, isOptional: true, isToMany: true)
      back.inverseName = "team"
      return back
    }
    var team = Entity(name: "Team")
    team.attributes = [Attribute(name: "name", type: .string, isOptional: true)]
    team.relationships = [
      back("members", "Member"), back("guests", "Guest"),
    ]
    return try ObjectModel(
      ModelDocument(entities: [entity("Guest", "guests"), entity("Member", "members"), team]))
  }

  /// Every third has no name, every fifth no team, every seventh is too old.
  private static func setup(
    guests: Int, members: Int, at path: String, _ spacing: CheckpointSpacing
  ) throws -> StepperSetup {
    let (old, new) = (
      NamedModel(name: "old", model: try model(isStrict: false)),
      NamedModel(name: "new", model: try model(isStrict: true))
    )
    var store = try NewStore(path: path, model: old.model, uuid: "A")
    for number in 1...3 {
      _ = try store.insert("Team", attributes: ["name": .text("team \(number)")])
    }
    for (entity, count) in [("Guest", guests), ("Member", members)] {
      guard let shape = store.shape(of: entity) else { throw MigrationError.finished }
      for number in 0..<count {
        let values = shape.names.map { name -> AttributeValue in
          switch name {
          case "age": .integer(number % 7 == 0 ? 90 : 30)
          case "name": number % 3 == 0 ? .null : .text("\(entity) \(number)")
          default: number % 5 == 0 ? .null : .integer(Int64(number % 3 + 1))
          }
        }
        try store.insert(
          ObjectRow(key: Int64(number + 1), values: values), of: entity)
      }
    }
    try store.finish()
    var hop = try #require(try MigrationPlanner().plan(from: old, to: new).hops.first)
    // As if somebody had written the mapping model.
    hop.isInferred = false
    return StepperSetup(hops: [hop], spacing: spacing) { try SQLiteStore(reading: path) }
  }

  @Test(
    "the findings of pass 3 are the same after going back over it", arguments: [1, 2, 5, 1000])
  func findings(spacing: Int) throws {
    let folder = try TemporaryFolder()
    let setup = try Self.setup(
      guests: 12, members: 16, at: folder.path("t.sqlite"), .every(spacing))
    let straight = try StraightRun(setup, .none)
    let last = try #require(straight.positions.last)
    // Of 12 and of 16: those without a name, without a team, too old.
    let report = try #require(straight.states[last]?.report)
    #expect(report.stopsMigration)
    let guests = 4 + 3 + 2
    let members = 6 + 4 + 3
    #expect(report.problems.map(\.count).reduce(0, +) == guests + members)
    let stepper = try Stepper(setup)
    var random = SeededRandom(seed: UInt64(spacing))
    _ = stepper.move(.toEnd)
    for number in 0..<60 {
      // About pass 3, which the last stops are.
      if number % 2 == 0 {
        try stepper.goBack(
          by: [.step, .step, .mapping, .pass].randomElement(using: &random) ?? .step,
          count: Int.random(in: 1...4, using: &random))
      } else {
        _ = stepper.move(.unit(.step, count: Int.random(in: 1...5, using: &random)))
      }
      let wanted = try #require(straight.states[stepper.position])
      let state = try StopState(stepper)
      #expect(
        state == wanted, "\(number) at \(stepper.position): \(state.difference(from: wanted))")
      guard state == wanted else { return }
    }
  }

  @Test("going back and forward beyond one batch of objects equals a straight run")
  func manyObjects() throws {
    let folder = try TemporaryFolder()
    let setup = try Self.setup(
      guests: 3, members: 2500, at: folder.path("t.sqlite"), .every(150))
    // On both sides of where the next thousand is fetched, in pass 1 and in pass 2, and near the end.
    let straight = try StraightRun(setup, .none) { $0 % 367 == 5 || $0 >= 5018 }
    #expect(straight.positions.count > 5000)
    let indexes = straight.positions.indices.filter {
      straight.states[straight.positions[$0]] != nil
    }
    let stepper = try Stepper(setup)
    var random = SeededRandom(seed: 1)
    var place = 0
    for _ in 0..<24 {
      let target = try #require(indexes.randomElement(using: &random))
      if target > place {
        _ = stepper.move(.unit(.step, count: target - place))
      } else if target < place {
        try stepper.goBack(by: .step, count: place - target)
      }
      place = target
      try #require(stepper.position == straight.positions[target])
      let wanted = try #require(straight.states[stepper.position])
      let state = try StopState(stepper)
      #expect(state == wanted, "\(target): \(state.difference(from: wanted).prefix(2000))")
      guard state == wanted else { return }
    }
  }
}
