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
  /// Source: `Docs/Facts/samples.md`, section 3; types, optionality and delete rules are this
  /// project's choice.
  package static let recipes = Sample(
    name: "Recipes",
    summary: "splits a name, turns a string into an entity",
    versions: [
      "Recipes1": recipes1,
      "Recipes2": recipes2,
    ],
    current: "Recipes2",
    mappings: recipesMappings, policies: recipesPolicies)

  private static let recipes1 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Recipes1">
        <entity name="Chef" representedClassName="Chef" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="training" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="recipes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Recipe" inverseName="chef" inverseEntity="Recipe" syncable="YES"/>
        </entity>
        <entity name="Ingredient" representedClassName="Ingredient" syncable="YES">
            <attribute name="amount" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="name" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="recipes" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Recipe" inverseName="ingredients" inverseEntity="Recipe" syncable="YES"/>
        </entity>
        <entity name="Recipe" representedClassName="Recipe" syncable="YES">
            <attribute name="cuisine" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="directions" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="name" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="chef" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Chef" inverseName="recipes" inverseEntity="Chef" syncable="YES"/>
            <relationship name="ingredients" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Ingredient" inverseName="recipes" inverseEntity="Ingredient" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let recipes2 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Recipes2">
        <entity name="Chef" representedClassName="Chef" syncable="YES">
            <attribute name="firstName" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="lastName" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="recipes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Recipe" inverseName="chefs" inverseEntity="Recipe" syncable="YES"/>
        </entity>
        <entity name="Cuisine" representedClassName="Cuisine" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="recipes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Recipe" inverseName="cuisine" inverseEntity="Recipe" syncable="YES"/>
        </entity>
        <entity name="Ingredient" representedClassName="Ingredient" syncable="YES">
            <attribute name="amount" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="name" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="recipe" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Recipe" inverseName="ingredients" inverseEntity="Recipe" elementID="recipes" syncable="YES"/>
        </entity>
        <entity name="Recipe" representedClassName="Recipe" syncable="YES">
            <attribute name="directions" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="name" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="rating" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES" syncable="YES"/>
            <relationship name="chefs" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Chef" inverseName="recipes" inverseEntity="Chef" elementID="chef" syncable="YES"/>
            <relationship name="cuisine" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Cuisine" inverseName="recipes" inverseEntity="Cuisine" syncable="YES"/>
            <relationship name="ingredients" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Ingredient" inverseName="recipe" inverseEntity="Ingredient" syncable="YES"/>
        </entity>
    </model>
    """#
}
