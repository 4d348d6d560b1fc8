import Foundation
import StrataBase
import StrataExpressions
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStepping
import StrataStore
import TestSupport
import Testing

/// Many objects at once must leave everything as if each had been a step.
@Suite("Leaps of the stepper")
struct LeapTests {
  @Test("at each stop, the state equals that of a run object by object")
  func walks() throws {
    let folder = try TemporaryFolder()
    var leaps: [Pass: Int] = [:]
    for seed in CaseCount.seeds(160, "LEAPS") {
      var random = SeededRandom(seed: seed)
      guard
        var migration = try RandomMigration(
          seed: seed, at: folder.path("\(seed).sqlite"), rows: 4...25, using: &random)
      else { continue }
      try Self.thin(migration.path, using: &random)
      Self.addFilters(to: &migration.hops, using: &random)
      let sizes = LeapSizes(
        least: Int.random(in: 1...3, using: &random), most: Int.random(in: 1...25, using: &random))
      let straight = try StraightRun(migration.setup(.every(.max)), .none)
      let spacing = CheckpointSpacing.every(Int.random(in: 1...40, using: &random))
      let stepper = try Stepper(migration.setup(spacing, leaps: sizes))
      for _ in 0..<25 {
        try Self.wander(stepper, straight.mark, &leaps, using: &random)
        let state = try StopState(stepper).withoutOrder
        guard let wanted = straight.states[stepper.position]?.withoutOrder else {
          Issue.record("\(seed): no stop at \(stepper.position), \(try stepper.location)")
          return
        }
        if state != wanted {
          Issue.record("\(seed) at \(stepper.position): \(state.difference(from: wanted))")
          return
        }
      }
    }
    #expect(leaps[.createInstances] ?? 0 > CaseCount.least(80), "\(leaps)")
    #expect(leaps[.createRelationships] ?? 0 > CaseCount.least(40), "\(leaps)")
  }

  private static func wander(
    _ stepper: Stepper, _ lastMark: EventNumber, _ leaps: inout [Pass: Int],
    using random: inout SeededRandom
  ) throws {
    let unit = StepUnit.allCases.randomElement(using: &random) ?? .step
    switch Int.random(in: 0...6, using: &random) {
    case 0...3:
      let count = unit == .step ? Int.random(in: 1...30, using: &random) : 1
      let stop = stepper.move(.unit(unit, count: count)) { event in
        if case .objectsVisited(let pass, _, _) = event.kind { leaps[pass, default: 0] += 1 }
      }
      if case .failed(let diagnostic, _) = stop.reason { throw diagnostic }
    case 4:
      _ = try stepper.go(toMark: Int.random(in: 1...max(1, lastMark), using: &random))
    default:
      try stepper.goBack(by: unit, count: Int.random(in: 1...12, using: &random))
    }
  }

  /// Deletes objects, so that keys have gaps and links lead nowhere.
  private static func thin(_ path: String, using random: inout SeededRandom) throws {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    let tables = try connection.rows(
      "SELECT name FROM sqlite_master WHERE sql LIKE '%Z_ENT INTEGER%' AND name <> 'Z_PRIMARYKEY'")
    for case .text(let name)? in tables.map(\.first) where Bool.random(using: &random) {
      let rest = Int.random(in: 2...7, using: &random)
      try connection.execute("DELETE FROM \"\(name)\" WHERE Z_PK % \(rest) = 1")
    }
  }

  private static func addFilters(
    to hops: inout [MigrationPlan.Hop], using random: inout SeededRandom
  ) {
    for hop in hops.indices where !hops[hop].isInferred {
      for part in hops[hop].parts.indices {
        for index in hops[hop].parts[part].mapping.entityMappings.indices
        where Int.random(in: 0...2, using: &random) == 0 {
          let source = hops[hop].parts[part].mapping.entityMappings[index].sourceName
          let attribute = source.flatMap { name in
            hops[hop].from.model.allAttributes(of: name).map(\.property).first {
              !$0.isTransient && $0.type == .string
            }
          }
          guard let attribute else { continue }
          hops[hop].parts[part].mapping.entityMappings[index].filter = "\(attribute.name) != nil"
        }
      }
    }
  }

  // MARK: Breakpoints

  private static let count = 400
  /// The entity mapping of the people.
  private static let people = "IEM_Transform_Person"
  private static let sizes = LeapSizes(least: 20, most: 90)

  /// People with a number, each in one of seven teams; a tenth of the keys is missing.
  private static func setup(
    at path: String, leaps: LeapSizes?, count: Int = Self.count, isInferred: Bool = false,
    _ expression: String? = nil
  ) throws -> StepperSetup {
    func model(_ modifier: String?) throws -> ObjectModel {
      var person = Entity(name: "Person")
      person.versionHashModifier = modifier
      person.attributes = [
        Attribute(name: "name", type: .string, isOptional: true),
        Attribute(name: "number", type: .integer64, isOptional: true),
      ]
      if modifier == nil {
        person.attributes.append(Attribute(name: "old", type: .string, isOptional: true))
      }
      var team = Relationship(name: "team", destinationName: "Team", isOptional: true)
      team.inverseName = "members"
      person.relationships = [team]
      var other = Entity(name: "Team")
      var members = Relationship(
        name: "members", destinationName: "Person", isOptional: true, isToMany: true)
      members.inverseName = "team"
      other.attributes = [Attribute(name: "name", type: .string, isOptional: true)]
      other.relationships = [members]
      var gone = Entity(name: "Gone")
      gone.attributes = other.attributes
      return try ObjectModel(
        ModelDocument(entities: [person, other] + (modifier == nil ? [gone] : [])))
    }
    let (old, new) = (
      NamedModel(name: "1", model: try model(nil)), NamedModel(name: "2", model: try model("2"))
    )
    if !FileManager.default.fileExists(atPath: path) {
      var store = try NewStore(path: path, model: old.model, uuid: "A")
      for number in 1...7 { _ = try store.insert("Team", attributes: ["name": .text("\(number)")]) }
      guard let shape = store.shape(of: "Person") else { throw MigrationError.finished }
      for number in 1...count where number % 10 != 3 {
        let values = shape.names.map { name -> AttributeValue in
          switch name {
          case "name": number % 6 == 0 ? .null : .text("person \(number)")
          case "old": .text("old")
          case "number": .integer(number == 250 ? .max : Int64(number % 100))
          default: number % 9 == 0 ? .null : .integer(Int64(number % 7 + 1))
          }
        }
        try store.insert(ObjectRow(key: Int64(number), values: values), of: "Person")
      }
      try store.finish()
    }
    var hop = try #require(try MigrationPlanner().plan(from: old, to: new).hops.first)
    hop.isInferred = isInferred
    if let expression {
      let person = try #require(hop.entityMappings.firstIndex { $0.destinationName == "Person" })
      let attributes = hop.parts[0].mapping.entityMappings[person].attributeMappings
      let number = try #require(attributes.firstIndex { $0.name == "number" })
      hop.parts[0].mapping.entityMappings[person].attributeMappings[number].expression =
        try Expression(parsing: expression)
    }
    return StepperSetup(hops: [hop], spacing: .every(100), leaps: leaps) {
      try SQLiteStore(reading: path)
    }
  }

  @Test("breakpoints are hit at the same objects as object by object")
  func breakpoints() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    let conditions = [
      "$source.number == 71", "$source.number > 97", "$source.name == nil",
      "$source.name beginswith 'person 12'", "$source.name like[c] 'PERSON 3*9'",
      "$source.team.name == '4' AND $source.number > 90", "$source.team == nil",
      "NOT ($source.number < 99)", "$source.number * 2 == 142", "FALSEPREDICATE",
      "$destination.number == 71", "$source.number == 71 AND $destination.name != nil",
      "number == 71", "$source.team.members.@count > 60", "$source.number in {5, 77}",
    ]
    var points: [Breakpoint] = try conditions.flatMap { text in
      let condition = try Predicate(parsing: text)
      return [
        Breakpoint(.entityMapping(Self.people), when: condition),
        Breakpoint(
          .property(PropertyID(entity: "Person", name: "team")), when: condition, ignoring: 2),
      ]
    }
    points += [150, 153, 399, 4000].map { key in
      Breakpoint(.object(ObjectRef(entity: "Person", key: key)))
    }
    points += [Breakpoint(.error), Breakpoint(.warning), Breakpoint(.sql("*ZPERSON*"), once: true)]
    var (leaps, hitCount) = (0, 0)
    for point in points {
      func hits(_ sizes: LeapSizes?) throws -> [String] {
        let stepper = try Stepper(Self.setup(at: path, leaps: sizes))
        stepper.add(point)
        var hits: [String] = []
        while !stepper.isAtEnd {
          let stop = stepper.move(.toEnd) { event in
            if case .objectsVisited = event.kind { leaps += 1 }
          }
          if case .failed(let diagnostic, _) = stop.reason { throw diagnostic }
          // At most half a hundred stops tell enough.
          guard hits.count < 50 else { break }
          hits.append("\(stepper.position) \(stop.reason) \(stop.eventCount) \(stop.events)")
          hits.append("\(stepper.lastEvents(25)) \(stepper.mark)")
        }
        return hits
      }
      let (wanted, found) = (try hits(nil), try hits(Self.sizes))
      #expect(found == wanted, "\(point)")
      hitCount += found.count
    }
    #expect(leaps > 200 && hitCount > 400, "\(leaps) \(hitCount)")
  }

  @Test("a leap reads the objects that it migrates, and not the whole table")
  func work() throws {
    let folder = try TemporaryFolder()
    /// The steps of SQLite until the end, between half of the result and the result.
    func steps(_ count: Int) throws -> Int {
      let path = folder.path("\(count).sqlite")
      var limit = 20_000
      while limit < 1 << 30 {
        let stepper = try Stepper(Self.setup(at: path, leaps: Self.sizes, count: count))
        let stop = Work.$current.withValue(Self.work(of: limit)) { stepper.move(.toEnd) }
        if stepper.isAtEnd { return limit }
        guard case .failed = stop.reason else { break }
        limit *= 2
      }
      return limit
    }
    let (few, many) = (try steps(500), try steps(16_000))
    #expect(many <= 64 * few, "\(few) \(many)")
  }

  @Test("an object that cannot be migrated is found")
  func failure() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    var stops: [String] = []
    for leaps in [nil, Self.sizes] {
      let stepper = try Stepper(Self.setup(at: path, leaps: leaps, "$source.number + 1"))
      for _ in 0..<2 {
        let stop = stepper.move(.toEnd)
        guard case .failed(let diagnostic, _) = stop.reason else {
          Issue.record("\(stop.reason)")
          return
        }
        stops.append("\(stepper.position) \(diagnostic.what) \(stepper.lastEvents(10))")
        // Of 249 keys before it, 25 are missing.
        #expect(try stepper.destinationObjects().reader.count(of: "Person") == 224)
      }
    }
    #expect(Set(stops).count == 1, "\(stops)")
  }

  @Test("a query of the new store does not find a table of the old one")
  func attachedTables() throws {
    let folder = try TemporaryFolder()
    let stepper = try Stepper(Self.setup(at: folder.path("t.sqlite"), leaps: Self.sizes))
    _ = stepper.move(.unit(.pass, count: 1))
    for (query, table) in [
      ("SELECT count(*) FROM ZGONE", "ZGONE"), ("SELECT ZNAME FROM ZGONE", "ZGONE"),
      ("SELECT ZNAME FROM source.ZTEAM", "ZTEAM"), ("SELECT count(*) FROM source.ZTEAM", "ZTEAM"),
    ] {
      #expect(throws: StoreError.badQuery("no such table: \(table)")) {
        try stepper.query(.destination, query) { _ in true }
      }
      #expect(try stepper.query(.destination, "SELECT ZNAME FROM ZTEAM") { _ in true } == ["ZNAME"])
      #expect(try stepper.query(.destination, "SELECT 1 FROM ZTEAM") { _ in true } == ["1"])
    }
    #expect(try stepper.query(.source, "SELECT ZNAME FROM ZGONE") { _ in true } == ["ZNAME"])
  }

  /// A command that is stopped after so many steps of SQLite.
  private static func work(of limit: Int) -> Work {
    var budgets = Budgets()
    budgets[.replay] = limit
    return Work(within: Work(budgets, isReplay: true))
  }

  @Test(
    "a statement that is stopped midway leaves the state before its step", arguments: [true, false])
  func stoppedStatements(isInPlace: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    func stepper(_ leaps: LeapSizes?) throws -> Stepper {
      try Stepper(Self.setup(at: path, leaps: leaps, isInferred: isInPlace))
    }
    let straight = try StraightRun(
      Self.setup(at: path, leaps: nil, isInferred: isInPlace), .none
    ) { isInPlace || $0 % 7 == 0 }
    let last = try #require(straight.positions.last)
    var stops: Set<StepPosition> = []
    for limit in stride(from: 0, to: 120_000, by: isInPlace ? 1000 : 3000) {
      for leaps in isInPlace ? [nil] : [nil, Self.sizes] {
        let stepper = try stepper(leaps)
        // SQLite ends the transaction of a statement that writes.
        let stop = Work.$current.withValue(Self.work(of: limit)) { stepper.move(.toEnd) }
        if case .failed = stop.reason { stops.insert(stepper.position) }
        #expect(straight.positions.contains(stepper.position))
        if let wanted = straight.states[stepper.position] {
          let state = try StopState(stepper).withoutOrder
          #expect(state == wanted.withoutOrder, "\(limit): \(state.difference(from: wanted))")
        }
        _ = stepper.move(.toEnd)
        #expect(stepper.position == last && stepper.isAtEnd)
        if leaps == nil, let wanted = straight.states[last] {
          #expect(try StopState(stepper) == wanted)
        }
      }
    }
    #expect(stops.count > 2, "\(stops)")
  }

  @Test("after going to an event, a breakpoint has the hits before it")
  func hitsBeforeEvents() throws {
    let folder = try TemporaryFolder()
    let stepper = try Stepper(Self.setup(at: folder.path("t.sqlite"), leaps: Self.sizes))
    stepper.add(
      Breakpoint(
        .entityMapping(Self.people), when: try Predicate(parsing: "$source.number > 49"),
        ignoring: 1000))
    _ = stepper.move(.unit(.pass, count: 1))
    let all = try #require(stepper.breakpoints.first?.hits)
    let last = stepper.mark
    var counts: [Int] = []
    for mark in stride(from: last, to: 0, by: -7) {
      #expect(try stepper.go(toMark: mark) == nil)
      counts.append(try #require(stepper.breakpoints.first?.hits))
    }
    // Half of the people have such a number: they come in runs of fifty.
    #expect(counts.first == all && counts.last == 0 && all > 150, "\(all)")
    #expect(zip(counts, counts.dropFirst()).allSatisfy { (0...7).contains($0 - $1) }, "\(counts)")
  }

  @Test("a movement to an event that is stopped is at the place that it reached")
  func stoppedGoing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    let straight = try StraightRun(Self.setup(at: path, leaps: nil), .none) { $0 % 7 == 0 }
    var places: Set<StepPosition> = []
    for limit in stride(from: 1000, to: 90_000, by: 4000) {
      let stepper = try Stepper(Self.setup(at: path, leaps: limit % 3 == 0 ? nil : Self.sizes))
      stepper.add(
        Breakpoint(
          .entityMapping("IEM_Copy_Team"), when: try Predicate(parsing: "$source.name == '9'")))
      do {
        _ = try Work.$current.withValue(Self.work(of: limit)) {
          try stepper.go(toMark: straight.mark)
        }
      } catch {
        guard case .failed = stepper.stopped(by: error).reason else {
          Issue.record("\(error)")
          return
        }
        places.insert(stepper.position)
      }
      if let wanted = straight.states[stepper.position]?.withoutOrder {
        let state = try StopState(stepper).withoutOrder
        #expect(state == wanted, "\(limit): \(state.difference(from: wanted))")
      }
      let stop = stepper.move(.toEnd)
      guard case .end = stop.reason else {
        Issue.record("\(limit): \(stop.reason)")
        return
      }
      #expect(stepper.position == straight.positions.last)
    }
    #expect(places.count > 3, "\(places)")
  }

  @Test("statements that are traced after a leap, and its counts, equal those object by object")
  func statements() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    let traced = try [nil, Self.sizes].map { leaps in
      let stepper = try Stepper(Self.setup(at: path, leaps: leaps))
      var events: [TraceEvent] = []
      for key in [200, 300] as [Int64] {
        stepper.detail = .none
        let point = stepper.add(Breakpoint(.object(ObjectRef(entity: "Person", key: key))))
        _ = stepper.move(.toEnd)
        stepper.remove(point.number)
        (stepper.detail, stepper.reportsOwn) = (.rows, true)
        _ = stepper.move(.unit(.pass, count: 1)) { events.append($0.untimed) }
      }
      return events
    }
    #expect(traced[0] == traced[1])
    #expect(traced[0].contains { $0.kind.statement?.rowCount ?? 0 >= 300 })
  }
}
