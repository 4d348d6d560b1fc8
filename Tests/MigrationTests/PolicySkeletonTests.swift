import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

@Suite("Skeletons of policies")
struct PolicySkeletonTests {
  private static func model(_ types: [(String, AttributeType, Bool, String?)]) throws -> ObjectModel
  {
    var thing = Entity(name: "Thing")
    thing.attributes = types.map {
      Attribute(name: $0.0, type: $0.1, isOptional: $0.2, defaultValue: $0.3)
    }
    var others = Relationship(
      name: "others", destinationName: "Thing", isOptional: true, isToMany: true)
    others.inverseName = "others"
    thing.relationships = [others]
    return try ObjectModel(ModelDocument(entities: [thing]))
  }

  /// Attributes of many kinds: converted, renamed, required with and without a default.
  private static let mappings = [
    """
    Things: Thing -> Thing
      policy P
      title = $source.name
      number = $source.number * 2
      whole = $source.real
      needed = $source.name
      fixed = 'x'
      others <- $source.others through Things
    """,
    """
    Small: Thing -> Thing
      where number < 5
      policy "The Module.P"
      title = uppercase:($source.name)
    Large: Thing -> Thing
      where number >= 5
      policy "The Module.P"
      title = lowercase:($source.name)
      real = $source.real
    """,
    """
    Things: Thing -> Thing
      policy P
    Nothing: -> Thing
      policy P
    """,
  ]

  @Test(
    "a migration with the unedited skeleton equals one without policies", arguments: mappings,
    [PassesRun.Executor.objects, .fastest])
  func unedited(text: String, executor: PassesRun.Executor) throws {
    let old = NamedModel(
      name: "A/V 1",
      model: try Self.model([
        ("name", .string, true, nil), ("number", .integer32, true, nil),
        ("real", .double, true, nil),
      ]))
    let new = NamedModel(
      name: "A/V 2",
      model: try Self.model([
        ("title", .string, true, nil), ("number", .integer64, true, nil),
        ("whole", .integer16, true, nil), ("needed", .string, false, "none"),
        ("fixed", .string, true, nil), ("real", .double, true, nil),
      ]))
    let mapping = try MappingScript(parsing: text).mapping(
      from: MatchableModel(old.model), to: MatchableModel(new.model))
    let skeleton = PolicySkeleton(
      of: mapping, named: "V 1ToV 2", from: old.model, to: new.model)
    let folder = try TemporaryFolder()
    var store = try NewStore(path: folder.path("old.sqlite"), model: old.model, uuid: "A")
    for number in 0..<20 {
      _ = try store.insert(
        "Thing",
        attributes: [
          "name": number % 4 == 0 ? .null : .text("Name \(number)"),
          "number": .integer(Int64(number)), "real": .real(Double(number) * 1.5),
        ])
    }
    try store.finish()
    func run(_ mapping: MappingModel, _ name: String, _ policies: PolicyRegistry) throws -> String {
      let hop = MigrationPlan.Hop(
        from: old, to: new, parts: [NamedMappingModel(name: "V 1ToV 2", mapping: mapping)],
        reason: "a test")
      let report = try Passes.run(
        hop, from: folder.path("old.sqlite"), into: folder.path(name), policies: policies,
        executor: executor
      ).report
      #expect(report.problems.isEmpty, "\(report.problems)")
      return folder.path(name)
    }
    var plain = mapping
    for place in plain.entityMappings.indices { plain.entityMappings[place].policyName = nil }
    let first = try run(plain, "plain.sqlite", PolicyRegistry())
    let second = try run(mapping, "made.sqlite", .reading(skeleton.text))
    let difference = try StoreDifference(
      between: StoreReader(SQLiteStore(reading: first), model: new.model),
      and: StoreReader(SQLiteStore(reading: second), model: new.model))
    #expect(difference.isEmpty, "\(skeleton.text)\n\(difference)")
  }

  @Test("a skeleton contains everything that its entity mapping does")
  func text() throws {
    let source = try SampleStore.model("Recipes", "Recipes1")
    let destination = try SampleStore.model("Recipes", "Recipes2")
    let mapping = try MappingScript(
      parsing: """
        ChefToChef: Chef -> Chef
          policy ChefToChef
          firstName = $source.name
          lastName = $source.recipes
          recipes <- $source.recipes through RecipeToRecipe
        RecipeToRecipe: Recipe -> Recipe
          policy App.Recipes
          directions = FUNCTION($entityPolicy, "directionsOf:in:", $source.directions, $manager)
        """
    ).mapping(from: MatchableModel(source), to: MatchableModel(destination))
    let text = PolicySkeleton(of: mapping, named: "A", from: source, to: destination).text
    #expect(
      text == """
        policy ChefToChef in A
          # creates Chef from Chef
          set firstName = $source.name
          # set lastName = $source.recipes    gets a collection, but requires text; the policy ChefToChef decides
          # recipes <- $source.recipes through RecipeToRecipe, by default

        policy App.Recipes in A
          # creates Recipe from Recipe
          # set directions = FUNCTION($entityPolicy, "directionsOf:in:", $source.directions, $manager), by default
          set name = $source.name
          # set rating = EXPRESSION
          # chefs <- $source.chef through ChefToChef, by default
          # set cuisine = find or create ENTITY where NAME == EXPRESSION
          # ingredients <- $source.ingredients through relationship ingredients, by default
          method directionsOf:$a in:$b = nil

        """)
    #expect(try PolicyScript.policies(parsing: text).count == 2)
  }
}
