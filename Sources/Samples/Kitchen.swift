internal import StrataBase

extension SampleStore {
  /// The recipes of five chefs, as the app with `Recipes1` saved them.
  ///
  /// In a migration to `Recipes2`, the policy of RecipeToCuisine creates a cuisine from p1 (Indian), p3 (French) and
  /// p7 (Italian), joins p4 and p8 to one of them, and skips p5 and p9, which have no cuisine. The
  /// chef p5 has a single name and no recipes, and the ingredient p16 is in no recipe.
  static let kitchen = SampleStore(
    name: "Kitchen",
    summary: "7 recipes of 5 chefs, two without a cuisine",
    sample: .recipes, version: "Recipes1",
    objects: [
      chef(1, "Julia Child", "Le Cordon Bleu"),
      chef(2, "Madhur Jaffrey", "Royal Academy of Dramatic Art"),
      chef(4, "Marcella Hazan", nil),
      chef(5, "Taillevent", "the royal kitchens"),
      chef(7, "Edna Lewis", nil),
      recipe(
        1, "Dal makhani", "Indian", by: 2, "Soak the lentils overnight. Simmer for three hours."),
      recipe(3, "Coq au vin", "French", by: 1, "Marinate, brown, braise."),
      recipe(4, "Bouillabaisse", "French", by: 1, "Serve the broth before the fish."),
      recipe(5, "Toast", nil, by: nil, nil),
      recipe(7, "Risotto alla milanese", "Italian", by: 4, "Stir, add broth, repeat."),
      recipe(8, "Rogan josh", "Indian", by: 2, "Brown the lamb in small batches."),
      recipe(9, "Porridge", nil, by: 7, nil),
    ]
      + [
        (1, "black lentils", "200 g", 1), (2, "butter", "100 g", 1), (4, "chicken", "1", 3),
        (5, "red wine", "1 bottle", 3), (6, "saffron", "1 pinch", 4), (7, "monkfish", "1 kg", 4),
        (9, "bread", "2 slices", 5), (10, "arborio rice", "320 g", 7), (11, "saffron", "0.2 g", 7),
        (12, "lamb shoulder", "1 kg", 8), (15, "oats", "50 g", 9), (16, "vanilla", nil, nil),
      ].map(ingredient),
    highestKeys: ["Recipe": 11])

  private static func chef(_ key: Int64, _ name: String, _ training: String?) -> Object {
    Object("Chef", key, ["name": .text(name), "training": training.map { .text($0) }])
  }

  private static func recipe(
    _ key: Int64, _ name: String, _ cuisine: String?, by chef: Int64?, _ directions: String?
  ) -> Object {
    Object(
      "Recipe", key,
      [
        "name": .text(name), "cuisine": cuisine.map { .text($0) },
        "chef": chef.map { .integer($0) }, "directions": directions.map { .text($0) },
      ])
  }

  private static func ingredient(
    _ key: Int64, _ name: String, _ amount: String?, _ recipe: Int64?
  ) -> Object {
    Object(
      "Ingredient", key,
      [
        "name": .text(name), "amount": amount.map { .text($0) },
        "recipes": recipe.map { .integer($0) },
      ])
  }
}
