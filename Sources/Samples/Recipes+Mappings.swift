extension Sample {
  /// The mapping model of Recipes: a policy splits a name, and each distinct cuisine becomes an object
  /// related to its recipes.
  ///
  /// Source: `Docs/Facts/samples.md`, section 3.
  static let recipesMappings = [
    SampleMapping(
      name: "Recipes1ToRecipes2",
      text: """
        mapping from sample:Recipes/Recipes1 to sample:Recipes/Recipes2

        # The policy splits the name at the space.
        ChefToChef: Chef -> Chef
          policy ChefToChef

        RecipeToRecipe: Recipe -> Recipe

        IngredientToIngredient: Ingredient -> Ingredient
          recipe <- $source.recipes through RecipeToRecipe

        # The policy creates one cuisine for each distinct value.
        RecipeToCuisine: Recipe -> Cuisine
          policy RecipeToCuisine
          name = $source.cuisine
          recipes <- $source through RecipeToRecipe

        """)
  ]

  /// The policies: the name is split at the first space; each distinct cuisine becomes an object.
  static let recipesPolicies = """
    policy ChefToChef
      split $source.name at ' ' into firstName, lastName

    policy RecipeToCuisine
      skip when $source.cuisine == nil
      one destination for each $source.cuisine

    """
}
