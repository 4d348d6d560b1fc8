import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Every key path that the objects of Core Data answer, evaluated in one migration: it answers exactly what
/// `mapping lint` lets through.
@Suite("Variables of value expressions, evaluated")
struct MappingVariableTests {
  private struct Path {
    var text: String
    /// `nil` where it must be refused.
    var type: AttributeType?
  }

  /// Every path over objects, none of them twice.
  private static func paths(
    from text: String, _ object: MappingObject, _ seen: [MappingObject]
  ) -> [Path] {
    guard !seen.contains(object) else { return [] }
    var found: [Path] = []
    for (key, answer) in object.keys.sorted(by: { $0.key < $1.key }) {
      let path = "\(text).\(key)"
      switch answer {
      case .text: found.append(Path(text: path, type: .string))
      case .number: found.append(Path(text: path, type: .integer64))
      case .bytes: found.append(Path(text: path, type: .binary))
      case .texts, .objects: found.append(Path(text: path + ".@count", type: .integer64))
      case .instances: break
      case .object(.userInfo): found.append(Path(text: path + ".note", type: .string))
      case .object(let next): found += paths(from: path, next, seen + [object])
      case .unavailable: found.append(Path(text: path))
      }
    }
    if object != .entityPolicy { found.append(Path(text: "\(text).nonsense")) }
    return found
  }

  private static let functions = [
    Path(
      text: "FUNCTION($manager, 'sourceEntityForEntityMapping:', $entityMapping).name",
      type: .string),
    Path(
      text: "FUNCTION($manager, 'destinationEntityForEntityMapping:', $entityMapping).versionHash",
      type: .binary),
    Path(
      text:
        "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'First', $source).@count",
      type: .integer64),
    Path(
      text:
        "FUNCTION($manager, 'sourceInstancesForEntityMappingNamed:destinationInstances:', 'First', FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'First', $source)).@count",
      type: .integer64),
    Path(text: "FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'A', 'B')"),
    Path(text: "FUNCTION($manager, 'reset')"),
    Path(text: "FUNCTION($entityPolicy, 'twice:', $source.name)", type: .string),
    Path(text: "FUNCTION($entityPolicy, 'mapping')", type: .string),
    Path(text: "FUNCTION($entityPolicy, 'round')"),
    Path(text: "FUNCTION($entityPolicy, 'thrice:', $source.name)"),
  ]

  private static let policy = """
    policy P
      method twice:$a = FUNCTION($a, 'stringByAppendingString:', $a)
      method mapping = $entityMapping.name
    """

  @Test("expressions without findings have a value, and reported ones have none")
  func all() throws {
    let paths =
      MappingVariable.allCases.flatMap { variable in
        variable.object.map { Self.paths(from: "$\(variable.rawValue)", $0, []) } ?? []
      } + Self.functions
    var thing = Entity(name: "Thing")
    thing.attributes = [Attribute(name: "name", type: .string, isOptional: true)]
    let old = NamedModel(name: "old", model: try ObjectModel(ModelDocument(entities: [thing])))
    thing.attributes += paths.indices.map {
      Attribute(name: "a\($0)", type: paths[$0].type ?? .string, isOptional: true)
    }
    let new = NamedModel(name: "new", model: try ObjectModel(ModelDocument(entities: [thing])))
    let lines = paths.enumerated().map { "  a\($0) = \($1.text)" }.joined(separator: "\n")
    let mapping = try MappingScript(
      parsing: """
        First: Thing -> Thing
          where name == 'first'
        Second: Thing -> Thing
          info "note" = "here"
          policy P
        \(lines)
        """
    ).mapping(from: MatchableModel(old.model), to: MatchableModel(new.model))
    let policies = try PolicyRegistry.reading(Self.policy)
    let hop = MigrationPlan.Hop(
      from: old, to: new, parts: [NamedMappingModel(name: "M", mapping: mapping)], reason: "a test")
    let refused = Set(paths.indices.filter { paths[$0].type == nil }.map { "a\($0)" })
    #expect(refused.count > 20 && paths.count > 50)
    let found = Set(PassesRun.decisions(of: hop, policies).compactMap(\.property))
    #expect(found == refused)

    let folder = try TemporaryFolder()
    var store = try NewStore(path: folder.path("old.sqlite"), model: old.model, uuid: "A")
    _ = try store.insert("Thing", attributes: ["name": .text("first")])
    try store.finish()
    let (_, report) = try Passes.run(
      hop, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"), policies: policies)
    #expect(Set(report.problems.map(\.property)) == refused)
    #expect(report.problems.allSatisfy { $0.keys == [1] && $0.reason.contains("the policy P") })
  }

  @Test(
    "the values are those of the running migration",
    arguments: [PassesRun.Executor.objects, .fastest])
  func values(executor: PassesRun.Executor) throws {
    let expected: [(String, AttributeValue)] = [
      ("$entityMapping.name", .text("Second")), ("$propertyMapping.name", .text("a1")),
      ("$manager.sourceModel.entities.@count", .integer(1)),
      ("$manager.destinationModel.versionIdentifiers.@count", .integer(0)),
      ("$entityMapping.mappingType", .integer(1)),
      ("$entityMapping.userInfo.note", .text("here")), ("$entityMapping.userInfo.nothing", .null),
      (Self.functions[0].text, .text("Thing")), (Self.functions[2].text, .integer(1)),
      (Self.functions[3].text, .integer(1)),
      ("FUNCTION($entityPolicy, 'twice:', $source.name)", .text("firstfirst")),
      ("FUNCTION($entityPolicy, 'mapping')", .text("Second")),
    ]
    var thing = Entity(name: "Thing")
    thing.attributes = [Attribute(name: "name", type: .string, isOptional: true)]
    let old = NamedModel(name: "old", model: try ObjectModel(ModelDocument(entities: [thing])))
    thing.attributes += expected.indices.map { place in
      let isNumber = if case .integer = expected[place].1 { true } else { false }
      return Attribute(
        name: "a\(place)", type: isNumber ? .integer64 : .string, isOptional: true)
    }
    let new = NamedModel(name: "new", model: try ObjectModel(ModelDocument(entities: [thing])))
    let lines = expected.enumerated().map { "  a\($0) = \($1.0)" }.joined(separator: "\n")
    let mapping = try MappingScript(
      parsing: """
        First: Thing -> Thing
        Second: Thing -> Thing
          info "note" = "here"
          policy P
        \(lines)
        """
    ).mapping(from: MatchableModel(old.model), to: MatchableModel(new.model))
    let hop = MigrationPlan.Hop(
      from: old, to: new, parts: [NamedMappingModel(name: "M", mapping: mapping)], reason: "a test")
    let folder = try TemporaryFolder()
    var store = try NewStore(path: folder.path("old.sqlite"), model: old.model, uuid: "A")
    _ = try store.insert("Thing", attributes: ["name": .text("first")])
    try store.finish()
    let (_, report) = try Passes.run(
      hop, from: folder.path("old.sqlite"), into: folder.path("new.sqlite"),
      policies: PolicyRegistry.reading(Self.policy), executor: executor)
    #expect(report.problems.isEmpty)
    let reader = try StoreReader(SQLiteStore(reading: folder.path("new.sqlite")), model: new.model)
    let object = try #require(try reader.object(2, of: "Thing"))
    for (place, pair) in expected.enumerated() {
      #expect(object.attributes["a\(place)"] ?? .null == pair.1, "\(pair.0)")
    }
  }
}

extension PolicyRegistry {
  /// The policies of a text.
  static func reading(_ text: String) throws -> PolicyRegistry {
    var registry = PolicyRegistry()
    registry.add(try PolicyScript.policies(parsing: text))
    return registry
  }
}
