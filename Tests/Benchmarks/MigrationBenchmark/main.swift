// Migrates a store of people with teams and tags: what `Scripts/benchmark migrations` measures against
// SQL by hand and against Python. What took how long is printed as JSON.

import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataPolicy
import StrataSQLite
import StrataStore

import struct StrataPolicy.EntityMapping

// As the program does.
SQLiteLibrary.stopCountingMemory()

let types: [(String, AttributeType)] = [
  ("active", .boolean), ("age", .integer16), ("amount", .integer64), ("born", .date),
  ("city", .string), ("code", .string), ("height", .float), ("ident", .uuid), ("mail", .string),
  ("price", .decimal), ("score", .double), ("size", .integer32),
]

/// People with twelve attributes, each in a team and with a tag.
func model(_ identifier: String, _ change: (inout Entity) -> Void = { _ in }) throws -> ObjectModel
{
  var person = Entity(name: "Person")
  person.attributes = types.map { Attribute(name: $0.0, type: $0.1, isOptional: true) }
  var team = Entity(name: "Team")
  team.attributes = [Attribute(name: "name", type: .string, isOptional: true)]
  var tag = Entity(name: "Tag")
  tag.attributes = team.attributes
  func relationship(_ name: String, _ to: String, _ inverse: String, isToMany: Bool) -> Relationship
  {
    var relationship = Relationship(
      name: name, destinationName: to, isOptional: true, isToMany: isToMany)
    relationship.inverseName = inverse
    return relationship
  }
  person.relationships = [
    relationship("tags", "Tag", "people", isToMany: true),
    relationship("team", "Team", "people", isToMany: false),
  ]
  team.relationships = [relationship("people", "Person", "team", isToMany: true)]
  tag.relationships = [relationship("people", "Person", "tags", isToMany: true)]
  change(&person)
  return try ObjectModel(
    ModelDocument(entities: [person, tag, team], versionIdentifiers: [identifier]))
}

let old = NamedModel(name: "old", model: try model("old"))
let withoutCode = NamedModel(
  name: "withoutCode",
  model: try model("withoutCode") { person in
    person.attributes.removeAll { $0.name == "code" }
    var bonus = Attribute(name: "bonus", type: .integer32)
    bonus.defaultValue = "5"
    person.attributes.append(bonus)
  })
let modified = NamedModel(
  name: "modified", model: try model("modified") { $0.versionHashModifier = "2" })

func make(_ path: String, _ count: Int) throws {
  var store = try NewStore(
    path: path, model: old.model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
  for number in 1...1000 {
    _ = try store.insert("Team", attributes: ["name": .text("team \(number)")])
  }
  for number in 1...100 {
    _ = try store.insert("Tag", attributes: ["name": .text("tag \(number)")])
  }
  guard let shape = store.shape(of: "Person"), let team = shape.index(of: "team"),
    let tags = old.model.relationship("tags", of: "Person")
  else { return }
  for number in 0..<count {
    let values = zip(shape.names, shape.contents).map { name, content -> AttributeValue in
      guard case .attribute(let attribute) = content else { return .null }
      return switch attribute.type {
      case .boolean: .integer(Int64(number & 1))
      case .integer16, .integer32, .integer64: .integer(Int64(number * 37 % 1000))
      case .string: .text("\(name) number \(number)")
      case .uuid: .bytes((0..<16).map { UInt8(truncatingIfNeeded: number + $0) })
      default: .real(Double(number) * 1.25)
      }
    }
    var row = ObjectRow(key: Int64(number + 1), values: values)
    row.values[team] = .integer(Int64(number % 1000 + 1))
    try store.insert(row, of: "Person")
    try store.insert(
      ObjectLink(own: Int64(number + 1), other: Int64(number % 100 + 1)), of: tags)
  }
  try store.finish()
}

/// Splits one text into two attributes: a policy that is called for each row.
struct PersonToPerson: EntityMigrationPolicy {
  func createDestinationInstances(
    for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard let person = try manager.createDestinationInstance(for: source, in: mapping),
      let mail = try source.text("mail"), let space = mail.utf8.firstIndex(of: UInt8(ascii: " "))
    else { return }
    try person.set("city", to: .text(String(mail[..<space])))
    try person.set("code", to: .text(String(mail[mail.utf8.index(after: space)...])))
  }
}

let policyFile = """
  policy PersonToPerson
    split $source.mail at ' ' into city, code
  """

/// Everything copied, two numbers computed; with a policy, the relationships of people left alone.
func hop(policy: String?) throws -> MigrationPlan.Hop {
  let computed =
    policy == nil ? "  amount = $source.amount * 60\n  score = $source.score + 1.5\n" : ""
  let text = """
    PersonToPerson: Person -> Person\(policy.map { _ in "\n  policy PersonToPerson" } ?? "")
    \(computed)\(policy == nil ? "" : "  omit team\n  omit tags\n")
    TagToTag: Tag -> Tag\(policy == nil ? "" : "\n  omit people")
    TeamToTeam: Team -> Team\(policy == nil ? "" : "\n  omit people")
    """
  let mapping = try MappingScript(parsing: text).mapping(
    from: MatchableModel(old.model), to: MatchableModel(modified.model))
  return MigrationPlan.Hop(
    from: old, to: modified, parts: [NamedMappingModel(name: "benchmark", mapping: mapping)],
    reason: "a benchmark says so")
}

/// Runs to the end; the seconds that each pass took.
func drive<Run: MigrationRun & ~Copyable>(_ run: inout Run) throws -> [String: Double] {
  var seconds: [String: Double] = [:]
  let clock = ContinuousClock()
  var place = "statements"
  while let step = run.pending {
    let start = clock.now
    if case .beginPass(let pass) = step { place = "pass \(pass.rawValue)" }
    if case .validate = step { place = "check" }
    if case .statement = step { place = "statements" }
    if case .endHop = step { place = "finish" }
    _ = try run.step()
    let time = start.duration(to: clock.now)
    seconds[place, default: 0] +=
      Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
  }
  guard run.report.problems.isEmpty else { throw MigrationError.notAsPlanned(["problems"]) }
  return seconds
}

func show(_ seconds: [String: Double]) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  print(String(decoding: try encoder.encode(seconds), as: UTF8.self))
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "make": try make(arguments[1], Int(arguments[2]) ?? 0)
case "in-place":
  let hop = try MigrationPlanner().plan(
    from: old, to: withoutCode
  ).hops[0]
  var run = try InPlaceRun(hop, number: 1, of: 1, path: arguments[1])
  if arguments.count > 2 {
    // The statements, for another program to run.
    let sql = run.plan.statements.filter { $0.values.isEmpty }.map { $0.sql + ";" }
    try sql.joined(separator: "\n").write(toFile: arguments[2], atomically: true, encoding: .utf8)
  } else {
    try show(drive(&run))
  }
case "passes":
  let policy = arguments.count > 3 ? arguments[3] : nil
  var policies = PolicyRegistry()
  if policy == "swift" { policies.add(PersonToPerson.self) }
  if policy == "file" { policies.add(try PolicyScript.policies(parsing: policyFile)) }
  let hop = try hop(policy: policy == "swift" || policy == "file" ? policy : nil)
  // Somebody who could listen, and does not.
  let log = policy == "listened" ? StatementLog(detail: .none) : nil
  let source = try StoreReader(SQLiteStore(reading: arguments[1]), model: old.model)
  source.store.setLog(log)
  var run = try PassesRun(
    hop, number: 1, of: 1,
    source: source,
    destination: NewStore(path: arguments[2], model: hop.to.model, uuid: "B", log: log),
    policies: policies,
    executor: policy == "objects" || policy == "listened" ? .objects : .fastest, batchSize: 1000,
    log: log)
  try show(drive(&run))
case "witness": try show(WitnessMeasurement(path: arguments[1]).seconds())
case "receipt": try show(ReceiptMeasurement(path: arguments[1]).seconds())
case "stepping":
  let isInPlace = arguments.count > 2 && arguments[2] == "statements"
  let hop =
    try isInPlace
    ? MigrationPlanner().plan(from: old, to: withoutCode).hops[0] : hop(policy: nil)
  let measurement = SteppingMeasurement(path: arguments[1], hop: hop)
  switch arguments.count > 2 ? arguments[2] : "" {
  case "statements": try show(measurement.statements())
  case "walk": try show(measurement.walk())
  case "breakpoint": try show(measurement.runs(withBreakpoint: true))
  default: try show(measurement.runs(withBreakpoint: false))
  }
default:
  print(
    "usage: migration-benchmark make PATH COUNT | in-place PATH [SQL] | passes OLD NEW [swift|file|objects|listened] | stepping OLD [breakpoint|walk|statements] | witness OLD | receipt OLD"
  )
}
