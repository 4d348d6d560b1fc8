import StrataKit

/// Creates one cuisine for each name of a cuisine, and gives it all recipes with that name.
struct RecipeToCuisine: EntityMigrationPolicy {
  /// By name. It lasts for pass 1, like the policy itself.
  private var cuisines: [String: DestinationObject] = [:]

  init() {}

  mutating func createDestinationInstances(
    for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard let name = try source.text("cuisine") else { return }
    if let known = cuisines[name] {
      try manager.associate(source, with: known, for: mapping)
    } else {
      cuisines[name] = try manager.createDestinationInstance(for: source, in: mapping)
    }
  }

  func createRelationships(
    for cuisine: DestinationObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let recipes = try manager.sourceInstances(for: cuisine, in: mapping)
    try cuisine.relate(
      "recipes",
      to: manager.destinationInstances(forEntityMappingNamed: "RecipeToRecipe", sources: recipes))
  }
}
