/// The variables that Core Data documents for value expressions, by their names without the dollar sign.
///
/// Source: the constants of Apple's NSEntityMigrationPolicy reference, `NSMigrationManagerKey` and its kin.
package enum MappingVariable: String, CaseIterable, Sendable {
  case manager, source, destination, entityMapping, propertyMapping, entityPolicy

  /// The Core Data object that it represents; `nil` for objects of the two stores.
  package var object: MappingObject? {
    switch self {
    case .manager: .manager
    case .entityMapping: .entityMapping
    case .propertyMapping: .propertyMapping
    case .entityPolicy: .entityPolicy
    case .source, .destination: nil
    }
  }
}

/// A Core Data object in value expressions, with its supported keys and selectors.
///
/// Source: the properties and methods of Apple's reference pages of these classes.
package enum MappingObject: String, CaseIterable, Sendable, Hashable {
  case manager = "NSMigrationManager"
  case entityMapping = "NSEntityMapping"
  case propertyMapping = "NSPropertyMapping"
  case entityPolicy = "NSEntityMigrationPolicy"
  case mappingModel = "NSMappingModel"
  case model = "NSManagedObjectModel"
  case entity = "NSEntityDescription"
  /// The userInfo of a manager, a mapping or an entity; unknown keys return nil.
  case userInfo = "userInfo"

  package enum Answer: Sendable, Hashable {
    case text, number, bytes
    case texts
    case object(MappingObject)
    case objects(MappingObject)
    /// Objects of one of the two stores.
    case instances
    /// Documented, but only available in a running app; the reason.
    case unavailable(String)
  }

  private static let context = Answer.unavailable("a managed object context exists only in the app")
  private static let expression = Answer.unavailable("an expression is not a value")

  /// The documented keys and their results.
  package var keys: [String: Answer] {
    switch self {
    case .manager:
      [
        "sourceModel": .object(.model), "destinationModel": .object(.model),
        "mappingModel": .object(.mappingModel), "currentEntityMapping": .object(.entityMapping),
        "userInfo": .object(.userInfo), "sourceContext": Self.context,
        "destinationContext": Self.context,
        "migrationProgress": .unavailable("the progress of a migration is not available"),
        "usesStoreSpecificMigrationManager": .unavailable("it is a setting of the app"),
      ]
    case .entityMapping:
      [
        "name": .text, "mappingType": .number, "sourceEntityName": .text,
        "destinationEntityName": .text, "sourceEntityVersionHash": .bytes,
        "destinationEntityVersionHash": .bytes, "entityMigrationPolicyClassName": .text,
        "userInfo": .object(.userInfo), "attributeMappings": .objects(.propertyMapping),
        "relationshipMappings": .objects(.propertyMapping), "sourceExpression": Self.expression,
      ]
    case .propertyMapping:
      ["name": .text, "userInfo": .object(.userInfo), "valueExpression": Self.expression]
    case .entityPolicy, .userInfo: [:]
    case .mappingModel:
      [
        "entityMappings": .objects(.entityMapping),
        "entityMappingsByName": .unavailable("use entityMappings"),
      ]
    case .model:
      [
        "entities": .objects(.entity), "versionIdentifiers": .texts,
        "entitiesByName": .unavailable("use entities"),
        "configurations": .unavailable("configurations are not available"),
        "fetchRequestTemplatesByName": .unavailable("fetch requests are not available"),
        "localizationDictionary": .unavailable("it is in the app's bundle"),
      ]
    case .entity:
      [
        "name": .text, "managedObjectClassName": .text, "abstract": .number, "isAbstract": .number,
        "renamingIdentifier": .text, "versionHash": .bytes, "versionHashModifier": .text,
        "userInfo": .object(.userInfo),
      ]
    }
  }

  /// The documented methods for FUNCTION and their results, in addition to the keys and to a policy's own
  /// methods.
  package var functions: [String: Answer] {
    switch self {
    case .manager:
      [
        MappingFunction.throughMapping: .instances,
        MappingFunction.throughRelationship: .instances,
        MappingFunction.back: .instances,
        MappingFunction.sourceEntity: .object(.entity),
        MappingFunction.destinationEntity: .object(.entity),
        MappingFunction.fetchRequest: .unavailable("it is only supported in FETCH"),
        "associateSourceInstance:withDestinationInstance:forEntityMapping:": Self.change,
        "cancelMigrationWithError:": Self.change, "reset": Self.change,
      ]
    case .entityPolicy:
      Dictionary(uniqueKeysWithValues: Self.policyCalls.map { ($0, Self.change) })
    case .entityMapping, .propertyMapping, .mappingModel, .model, .entity, .userInfo: [:]
    }
  }

  private static let change = Answer.unavailable("a value expression must not have side effects")

  /// The seven methods of a policy that Core Data calls.
  private static let policyCalls = [
    "beginEntityMapping:manager:error:",
    "createDestinationInstancesForSourceInstance:entityMapping:manager:error:",
    "endInstanceCreationForEntityMapping:manager:error:",
    "createRelationshipsForDestinationInstance:entityMapping:manager:error:",
    "endRelationshipCreationForEntityMapping:manager:error:",
    "performCustomValidationForEntityMapping:manager:error:", "endEntityMapping:manager:error:",
  ]
}
