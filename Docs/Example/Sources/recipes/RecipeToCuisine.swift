import StrataKit

/// Makes one cuisine for each name that recipes have, with all of them.
struct RecipeToCuisine: EntityMigrationPolicy {
  /// It lasts for one pass, as the policy does.
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
