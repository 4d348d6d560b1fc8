extension Sample {
  /// Two versions of a cookbook: changes that require a mapping model with policies.
  ///
  /// | version | what is new |
  /// |---|---|
  /// | `Recipes1` | `Chef`, `Recipe`, and `Ingredient` with its misspelled to-one `recipes` |
  /// | `Recipes2` | `Cuisine` is new, and each of the three entities has changed |
  ///
  /// - `Chef.name` is split into `firstName` and `lastName`, and `training` is removed.
  /// - `Recipe.cuisine` is no longer a string but a relationship to `Cuisine`; `Recipe.chef` is the to-many
  ///   `chefs`; `Recipe.rating` is new: Integer 16, required, default 0.
  /// - `Ingredient.recipes` is renamed to `recipe`.
  ///
  /// The two renamed relationships have their old names, `chef` and `recipes`, as renaming identifiers.
  /// Correcting the spelling alone changes the hashes of `Ingredient` and of `Recipe`, which has the inverse
  /// relationship, but not that of `Chef`.
  ///
  /// The policies split the name at the first space, and make each distinct cuisine an object related to its
  /// recipes.
  ///
  /// Source: `Docs/Facts/samples.md`, section 3; types, optionality and delete rules are this
  /// project's choice.
  package static let recipes = Sample(
    name: "Recipes",
    summary: "splits a name, turns a string into an entity",
    versions: [
      "Recipes1": "Recipes1.xml",
      "Recipes2": "Recipes2.xml",
    ],
    current: "Recipes2",
    mappings: ["Recipes1ToRecipes2"],
    policies: "Recipes.policy")
}
