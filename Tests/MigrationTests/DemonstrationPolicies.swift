import StrataPolicy

/// The policy of Topics 4 to 5: one member for each presenter, and no topic without one.
struct TopicToTopic: EntityMigrationPolicy {
  func createRelationships(
    for topic: DestinationObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.createRelationships(for: topic, in: mapping)
    guard let source = try manager.sourceInstances(for: topic, in: mapping).first,
      let name = try source.text("presenterName")
    else { return }
    let known = try manager.destinationObjects(of: "Member", where: "firstName", is: .text(name))
    let member =
      try known.first
      ?? manager.insert(
        "Member",
        ["firstName": .text(name), "email": try source.attributeValue("presenterEmail")])
    try topic.relate("presenter", to: [member])
  }

  func performCustomValidation(for mapping: EntityMapping, manager: MigrationManager) throws {
    for topic in try manager.destinationObjects(of: "Topic") {
      guard try topic.destinations("presenter").isEmpty else { continue }
      throw PolicyError(
        "no presenter for \(try topic.text("title") ?? "a topic")",
        fix: "give every topic a presenter")
    }
  }
}

/// The policy of Recipes 1 to 2 that splits a chef's name at the first space.
struct ChefToChef: EntityMigrationPolicy {
  func createDestinationInstances(
    for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard let chef = try manager.createDestinationInstance(for: source, in: mapping) else { return }
    let names = try source.text("name")?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
    try chef.set("firstName", to: names.first.map { .text($0) } ?? .null)
    try chef.set("lastName", to: names.count > 1 ? .text(names[1]) : .null)
  }
}

/// The policy of Recipes 1 to 2 that makes one cuisine for each distinct value.
struct RecipeToCuisine: EntityMigrationPolicy {
  /// By name: it lasts for pass 1, as long as the policy itself.
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

  /// All the recipes of a cuisine, and not only those of the first.
  func createRelationships(
    for cuisine: DestinationObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let recipes = try manager.sourceInstances(for: cuisine, in: mapping)
    try cuisine.relate(
      "recipes",
      to: try manager.destinationInstances(
        forEntityMappingNamed: "RecipeToRecipe", sources: recipes))
  }
}
