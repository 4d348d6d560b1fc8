import StrataKit

StrataKit.main(policies: [ChefToChef.self, RecipeToCuisine.self])
