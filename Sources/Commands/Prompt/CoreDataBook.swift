internal import StrataBase
internal import StrataRendering

/// Core Data's error codes, calls and options, and what they are in Strata: `help 134100`, `help NSMigrationManager`.
///
/// Source: Apple's documentation of the calls and options; the numbers are those of its public headers.
enum CoreDataBook {
  /// An error of `NSCocoaErrorDomain`.
  struct ErrorPage {
    var code: Int
    var name: String
    var meaning: String
    /// What to do, with the command that helps.
    var fix: String
  }

  /// A call, class or option of Core Data, and the command that does the same.
  struct CallPage {
    var name: String
    var meaning: String
    var command: String
  }

  static func error(_ word: String) -> ErrorPage? {
    errors.first { String($0.code) == word || $0.name.lowercased() == word.lowercased() }
  }

  /// - Parameter word: The name, with or without its arguments, in capitals or not.
  static func call(_ word: String) -> CallPage? {
    func name(_ text: String) -> String {
      String(text.prefix { $0 != "(" && $0 != ":" }).lowercased()
    }
    return calls.first { name($0.name) == name(word) }
  }

  static func outcome(_ page: ErrorPage) -> Outcome {
    Outcome(
      .lines([
        StyledText(String(page.code), .heading) + StyledText("  \(page.name)"),
        StyledText("  \(page.meaning)"),
        StyledText("  fix: ", .faint) + StyledText(page.fix),
      ]),
      payload: [
        "code": String(page.code), "name": page.name, "meaning": page.meaning, "fix": page.fix,
      ])
  }

  static func outcome(_ page: CallPage) -> Outcome {
    Outcome(
      .lines([
        StyledText(page.name, .heading) + StyledText("  \(page.meaning)"),
        StyledText("  in Strata: ", .faint) + StyledText(page.command),
      ]),
      payload: ["name": page.name, "meaning": page.meaning, "command": page.command])
  }

  static let errors: [ErrorPage] = [
    ErrorPage(
      code: 4, name: "NSFileNoSuchFileError",
      meaning: "A file does not exist; during a migration, one that holds external binary data.",
      fix:
        "`validate STORE` lists the objects whose files are missing; copy the store with its folder .NAME_SUPPORT"
    ),
    ErrorPage(
      code: 256, name: "NSFileReadUnknownError",
      meaning: "A file cannot be read; often it is no store, or damaged.",
      fix: "`doctor STORE` shows what is wrong with the file"),
    ErrorPage(
      code: 257, name: "NSFileReadNoPermissionError",
      meaning: "A file cannot be read: its permissions do not allow it.",
      fix: "change the permissions of the file and of its folder, then `doctor STORE`"),
    ErrorPage(
      code: 259, name: "NSFileReadCorruptFileError",
      meaning: "A file is damaged, or is not of the expected type.",
      fix: "`doctor STORE` shows what is damaged"),
    ErrorPage(
      code: 260, name: "NSFileReadNoSuchFileError",
      meaning: "The file does not exist.",
      fix: "name an existing file; `project FOLDER` lists the models and stores of a folder"),
    ErrorPage(
      code: 1550, name: "NSManagedObjectValidationError",
      meaning: "An object breaks a validation predicate of its attribute.",
      fix: "`validate STORE` lists the objects and the predicates"),
    ErrorPage(
      code: 1551, name: "NSManagedObjectConstraintValidationError",
      meaning: "Objects violate a uniqueness constraint before they are saved.",
      fix: "`validate STORE` lists the objects that share a value"),
    ErrorPage(
      code: 1560, name: "NSValidationMultipleErrorsError",
      meaning: "An object breaks several rules; the errors are in NSDetailedErrors.",
      fix: "`validate STORE` lists each of them"),
    ErrorPage(
      code: 1570, name: "NSValidationMissingMandatoryPropertyError",
      meaning: "A required attribute or relationship of an object has no value.",
      fix:
        "`validate STORE` lists the objects; give the attribute a default value or make it optional"
    ),
    ErrorPage(
      code: 1580, name: "NSValidationRelationshipLacksMinimumCountError",
      meaning: "A to-many relationship of an object has fewer objects than its minimum count.",
      fix: "`validate STORE` lists the objects and the counts"),
    ErrorPage(
      code: 1590, name: "NSValidationRelationshipExceedsMaximumCountError",
      meaning: "A to-many relationship of an object has more objects than its maximum count.",
      fix: "`validate STORE` lists the objects and the counts"),
    ErrorPage(
      code: 1600, name: "NSValidationRelationshipDeniedDeleteError",
      meaning: "An object cannot be deleted: a relationship with the delete rule Deny has objects.",
      fix:
        "delete the related objects first, or change the delete rule (it is not hashed: no migration)"
    ),
    ErrorPage(
      code: 1610, name: "NSValidationNumberTooLargeError",
      meaning: "A number is greater than the maximum of its attribute.",
      fix:
        "`validate STORE` lists the objects"
    ),
    ErrorPage(
      code: 1620, name: "NSValidationNumberTooSmallError",
      meaning: "A number is less than the minimum of its attribute.",
      fix: "`validate STORE` lists the objects"),
    ErrorPage(
      code: 1630, name: "NSValidationDateTooLateError",
      meaning: "A date is later than the maximum of its attribute.",
      fix: "`validate STORE` lists the objects"),
    ErrorPage(
      code: 1640, name: "NSValidationDateTooSoonError",
      meaning: "A date is earlier than the minimum of its attribute.",
      fix: "`validate STORE` lists the objects"),
    ErrorPage(
      code: 1650, name: "NSValidationInvalidDateError",
      meaning: "A date is not valid.", fix: "`validate STORE` lists the objects"),
    ErrorPage(
      code: 1660, name: "NSValidationStringTooLongError",
      meaning: "A text is longer than the maximum length of its attribute.",
      fix: "`validate STORE` lists the objects and the lengths"),
    ErrorPage(
      code: 1670, name: "NSValidationStringTooShortError",
      meaning: "A text is shorter than the minimum length of its attribute.",
      fix: "`validate STORE` lists the objects and the lengths"),
    ErrorPage(
      code: 1680, name: "NSValidationStringPatternMatchingError",
      meaning: "A text does not match the regular expression of its attribute.",
      fix: "`validate STORE` lists the objects"),
    ErrorPage(
      code: 132000, name: "NSManagedObjectContextLockingError",
      meaning: "A managed object context cannot be locked.",
      fix: "no store is involved: look at the threads of the app"),
    ErrorPage(
      code: 132010, name: "NSPersistentStoreCoordinatorLockingError",
      meaning: "A store coordinator cannot be locked.",
      fix: "no store is involved: look at the threads of the app"),
    ErrorPage(
      code: 133000, name: "NSManagedObjectReferentialIntegrityError",
      meaning: "A fault cannot be fulfilled: the object is not in the store any more.",
      fix: "`validate STORE` lists relationships whose objects are missing"),
    ErrorPage(
      code: 133010, name: "NSManagedObjectExternalRelationshipError",
      meaning: "An object has a relationship to an object of another store.",
      fix:
        "`validate STORE` lists dangling links; keep both objects in one store, or use a fetched property"
    ),
    ErrorPage(
      code: 133020, name: "NSManagedObjectMergeError",
      meaning: "A save conflicts with a newer version of the same object.",
      fix: "set a merge policy in the app; the store itself is intact"),
    ErrorPage(
      code: 133021, name: "NSManagedObjectConstraintMergeError",
      meaning: "Two objects have the same values for a uniqueness constraint.",
      fix:
        "`validate STORE` lists the objects; a new constraint needs unique values before the migration"
    ),
    ErrorPage(
      code: 134000, name: "NSPersistentStoreInvalidTypeError",
      meaning: "The store type is not known, or does not fit the file.",
      fix: "`metadata STORE` shows the type of the file"),
    ErrorPage(
      code: 134010, name: "NSPersistentStoreTypeMismatchError",
      meaning: "The store has another type than the one it was opened with.",
      fix: "`metadata STORE` shows the type of the file"),
    ErrorPage(
      code: 134020, name: "NSPersistentStoreIncompatibleSchemaError",
      meaning: "The store's tables do not fit the model, or the configuration is another one.",
      fix: "`doctor STORE` compares the tables with the model that wrote them"),
    ErrorPage(
      code: 134030, name: "NSPersistentStoreSaveError",
      meaning: "A store could not be saved.",
      fix: "check the permissions and the room on the disk; `doctor STORE`"),
    ErrorPage(
      code: 134040, name: "NSPersistentStoreIncompleteSaveError",
      meaning: "Not all stores of a coordinator could be saved.",
      fix: "`doctor STORE` for each store"),
    ErrorPage(
      code: 134050, name: "NSPersistentStoreSaveConflictsError",
      meaning: "Another context has saved other values of the same objects.",
      fix: "set a merge policy in the app; the store is intact"),
    ErrorPage(
      code: 134060, name: "NSCoreDataError",
      meaning:
        "A Core Data error without a code of its own, such as a model that CloudKit refuses.",
      fix: "`cloudkit MODEL` lists what prevents mirroring to CloudKit"),
    ErrorPage(
      code: 134070, name: "NSPersistentStoreOperationError",
      meaning: "An operation on a store failed, such as a request that its type does not support.",
      fix: "`doctor STORE` shows whether the store is damaged"),
    ErrorPage(
      code: 134080, name: "NSPersistentStoreOpenError",
      meaning: "A store could not be opened.", fix: "`doctor STORE` names the cause"),
    ErrorPage(
      code: 134090, name: "NSPersistentStoreTimeoutError",
      meaning: "A store did not answer in time: it is locked.",
      fix: "`doctor STORE` lists the programs that use it"),
    ErrorPage(
      code: 134091, name: "NSPersistentStoreUnsupportedRequestTypeError",
      meaning: "The type of the store does not support the request.",
      fix: "`metadata STORE` shows the type; batch requests need a SQLite store"),
    ErrorPage(
      code: 134100, name: "NSPersistentStoreIncompatibleVersionHashError",
      meaning:
        "The model used to open the store has other version hashes than the model that created it.",
      fix:
        "`identify STORE MODEL` finds the version of a bundle that wrote it, `compare STORE MODEL` lists the properties that differ, and `plan STORE --to MODEL` shows the migration"
    ),
    ErrorPage(
      code: 134110, name: "NSMigrationError",
      meaning:
        "A migration failed, most often because of a new required attribute without a default value.",
      fix:
        "`migrate STORE --to MODEL --dry-run` lists the objects, and `infer A B` lists the properties"
    ),
    ErrorPage(
      code: 134111, name: "NSMigrationConstraintViolationError",
      meaning:
        "Migrated objects have the same values for a uniqueness constraint of the new model.",
      fix:
        "`migrate STORE --to MODEL --dry-run` names the objects; make the values unique in a custom stage or policy"
    ),
    ErrorPage(
      code: 134120, name: "NSMigrationCancelledError",
      meaning: "The app ended the migration with cancelMigrationWithError.",
      fix: "none: the source store is unchanged"),
    ErrorPage(
      code: 134130, name: "NSMigrationMissingSourceModelError",
      meaning: "No model of the app has the version hashes of the store.",
      fix:
        "`identify STORE MODEL` compares all versions of a bundle and names the nearest one; a shipped version was edited or removed"
    ),
    ErrorPage(
      code: 134140, name: "NSMigrationMissingMappingModelError",
      meaning: "There is no mapping model for the two versions, and none can be inferred.",
      fix: "`infer A B` lists every reason with its fix; `infer A B --write` begins a mapping model"
    ),
    ErrorPage(
      code: 134150, name: "NSMigrationManagerSourceStoreError",
      meaning: "The migration manager cannot open the source store.",
      fix: "`doctor STORE` names the cause"),
    ErrorPage(
      code: 134160, name: "NSMigrationManagerDestinationStoreError",
      meaning: "The migration manager cannot write the destination store.",
      fix: "check the permissions and the room on the disk"),
    ErrorPage(
      code: 134170, name: "NSEntityMigrationPolicyError",
      meaning: "A migration policy returned an error.",
      fix: "`debug STORE --to MODEL` stops at the object and shows the statement; `help policies`"),
    ErrorPage(
      code: 134180, name: "NSSQLiteError",
      meaning: "SQLite returned an error; its code is in NSSQLiteErrorDomain.",
      fix: "`doctor STORE` checks the file; `trace sql 1` shows the statements"),
    ErrorPage(
      code: 134190, name: "NSInferredMappingModelError",
      meaning: "No mapping model can be inferred; the first reason is in the user info.",
      fix: "`infer A B` lists every reason with its fix"),
    ErrorPage(
      code: 134301, name: "NSPersistentHistoryTokenExpiredError",
      meaning: "A persistent history token is older than the history.",
      fix:
        "read the whole store again; a migration in three passes drops the history (`migrate --strict=extras` refuses)"
    ),
    ErrorPage(
      code: 134504, name: "NSManagedObjectModelReferenceNotFoundError",
      meaning: "The store's model is not among the models of the staged migration.",
      fix:
        "`plan STORE --stages FILE --to MODEL` names the checksum that is missing; `hash MODEL` shows a model's checksum"
    ),
    ErrorPage(
      code: 134505, name: "NSStagedMigrationFrameworkVersionMismatchError",
      meaning:
        "The store was written before staged migration existed: its metadata lack the checksum.",
      fix: "migrate it once without stages"),
    ErrorPage(
      code: 134506, name: "NSStagedMigrationBackwardMigrationError",
      meaning: "A staged migration would lead back to an older version.",
      fix: "`plan STORE --stages FILE --to MODEL` shows the order of the stages"),
  ]

  static let calls: [CallPage] = [
    CallPage(
      name: "isConfiguration(withName:compatibleWithStoreMetadata:)",
      meaning: "Whether a store fits a model.", command: "compare STORE MODEL"),
    CallPage(
      name: "metadataForPersistentStore(ofType:at:options:)",
      meaning: "Reads the metadata of a store without opening it.", command: "metadata STORE"),
    CallPage(
      name: "entityVersionHashesByName", meaning: "The version hash of each entity of a model.",
      command: "hash MODEL"),
    CallPage(
      name: "versionHash",
      meaning: "The version hash of an entity or property: 32 bytes of SHA-256.",
      command: "hash MODEL --explain ENTITY"),
    CallPage(
      name: "versionHashModifier",
      meaning:
        "A text that is hashed with an entity or property, to make a version that only differs in it.",
      command: "try MODEL; hash MODEL --explain ENTITY"),
    CallPage(
      name: "versionChecksum",
      meaning: "The checksum of a whole model, which staged migration uses.", command: "hash MODEL"),
    CallPage(
      name: "renamingIdentifier",
      meaning: "The former name of an entity or property, by which inference finds it.",
      command: "infer A B; diff A B"),
    CallPage(
      name: "inferredMappingModel(forSourceModel:destinationModel:)",
      meaning: "Infers a mapping model, or returns error 134190.", command: "infer A B"),
    CallPage(
      name: "NSMappingModel", meaning: "How the entities of one version become those of another.",
      command: "mapping show FILE; infer A B --write FILE"),
    CallPage(
      name: "NSEntityMapping",
      meaning: "How one entity of the source becomes one of the destination.",
      command: "mapping show FILE"),
    CallPage(
      name: "NSPropertyMapping",
      meaning: "The value expression of one property of an entity mapping.",
      command: "mapping show FILE; help expressions"),
    CallPage(
      name: "NSMigrationManager", meaning: "Runs a migration by a mapping model in three passes.",
      command: "migrate STORE --to MODEL --strategy custom; debug STORE --to MODEL"),
    CallPage(
      name: "migrateStore(from:type:options:mapping:to:type:options:)",
      meaning: "Migrates a store by a mapping model into a new store.",
      command: "migrate STORE --to MODEL --strategy custom --output NEW"),
    CallPage(
      name: "associateSourceInstance(_:withDestinationInstance:for:)",
      meaning: "Records which destination object an entity mapping created from a source object.",
      command: "debug STORE --to MODEL; associations"),
    CallPage(
      name: "destinationInstances(forEntityMappingName:sourceInstances:)",
      meaning: "Looks up the association table of an entity mapping.",
      command: "debug STORE --to MODEL; associations"),
    CallPage(
      name: "cancelMigrationWithError(_:)",
      meaning: "Ends a migration; the source store is unchanged.",
      command: "abandon (in the stepper)"),
    CallPage(
      name: "NSEntityMigrationPolicy",
      meaning: "Code of the app that takes over parts of an entity mapping.",
      command: "help policies"),
    CallPage(
      name: "beginEntityMapping(_:with:)",
      meaning: "Called before the first pass of an entity mapping.", command: "help policies"),
    CallPage(
      name: "createDestinationInstances(forSource:in:manager:)",
      meaning: "Pass 1: creates the destination objects of one source object.",
      command: "help policies; debug STORE --to MODEL"),
    CallPage(
      name: "endInstanceCreation(forEntityMapping:manager:)",
      meaning: "Called at the end of pass 1.", command: "help policies"),
    CallPage(
      name: "createRelationships(forDestination:in:manager:)",
      meaning: "Pass 2: sets the relationships of one destination object.",
      command: "help policies; debug STORE --to MODEL"),
    CallPage(
      name: "endRelationshipCreation(forEntityMapping:manager:)",
      meaning: "Called at the end of pass 2.", command: "help policies"),
    CallPage(
      name: "performCustomValidation(forMapping:manager:)",
      meaning: "Called in pass 3, before the destination objects are validated.",
      command: "help policies"),
    CallPage(
      name: "endEntityMapping(_:manager:)",
      meaning: "Called after the last pass of an entity mapping.", command: "help policies"),
    CallPage(
      name: "NSMigratePersistentStoresAutomaticallyOption",
      meaning: "Migrates a store when it is opened.", command: "migrate STORE --to MODEL"),
    CallPage(
      name: "shouldMigrateStoreAutomatically", meaning: "Migrates a store when it is opened.",
      command: "migrate STORE --to MODEL"),
    CallPage(
      name: "NSInferMappingModelAutomaticallyOption",
      meaning: "Infers the mapping model where there is none.",
      command: "infer A B; migrate STORE --to MODEL --strategy lightweight"),
    CallPage(
      name: "shouldInferMappingModelAutomatically",
      meaning: "Infers the mapping model where there is none.",
      command: "infer A B; migrate STORE --to MODEL --strategy lightweight"),
    CallPage(
      name: "NSPersistentStoreStagedMigrationManagerOptionKey",
      meaning: "Migrates a store by the stages of a staged migration manager.",
      command: "migrate STORE --to MODEL --stages FILE"),
    CallPage(
      name: "NSStagedMigrationManager", meaning: "Runs a staged migration.",
      command: "migrate STORE --to MODEL --stages FILE; help stages"),
    CallPage(
      name: "NSLightweightMigrationStage", meaning: "A stage of inferred migrations.",
      command: "help stages"),
    CallPage(
      name: "NSCustomMigrationStage",
      meaning: "A stage of one inferred migration with code before and after it.",
      command: "help stages"),
    CallPage(
      name: "NSManagedObjectModelReference", meaning: "A model by name and checksum.",
      command: "hash MODEL"),
    CallPage(
      name: "NSPersistentStoreDeferredLightweightMigrationOptionKey",
      meaning: "Defers parts of a lightweight migration to a later time.",
      command: "doctor STORE names a store with deferred work"),
    CallPage(
      name: "NSIgnorePersistentStoreVersioningOption",
      meaning: "Opens a store without comparing version hashes.",
      command: "compare STORE MODEL shows what it would ignore"),
    CallPage(
      name: "NSSQLitePragmasOption",
      meaning: "SQLite pragmas for the connection, such as the journal mode.",
      command: "doctor STORE names files of the journal that are left"),
    CallPage(
      name: "NSPersistentHistoryTrackingKey",
      meaning: "Records changes of a store in history tables.",
      command: "doctor STORE; migrate --strict=extras refuses to drop them"),
    CallPage(
      name: "NSPersistentContainer",
      meaning:
        "Loads a model by its name and opens its store, with automatic migration by inference or a mapping model.",
      command: "compare STORE MODEL; plan STORE --to MODEL"),
    CallPage(
      name: "loadPersistentStores(completionHandler:)",
      meaning:
        "Opens the stores of a container, and migrates them first if their hashes differ from the model's.",
      command: "migrate STORE --to MODEL --dry-run"),
    CallPage(
      name: "NSManagedObjectModel",
      meaning: "A version of a model: entities with their properties.",
      command: "show MODEL; hash MODEL"),
    CallPage(
      name: "NSStoreModelVersionHashes",
      meaning: "The key of a store's metadata for the version hashes of its entities.",
      command: "metadata STORE"),
    CallPage(
      name: "NSPersistentCloudKitContainer",
      meaning: "Mirrors a store to CloudKit, which accepts only some models.",
      command: "cloudkit MODEL"),
    CallPage(
      name: "initializeCloudKitSchema(options:)",
      meaning: "Creates the CloudKit schema of a model.", command: "cloudkit MODEL"),
    CallPage(
      name: "com.apple.CoreData.MigrationDebug", meaning: "Prints the steps of a migration.",
      command: "trace migration 1"),
    CallPage(
      name: "com.apple.CoreData.SQLDebug", meaning: "Prints the SQL statements.",
      command: "trace sql 1"),
    CallPage(
      name: "momc", meaning: "Xcode's compiler of models (.xcdatamodeld to .momd).",
      command: "load reads both forms; write writes .xcdatamodel"),
    CallPage(
      name: "mapc", meaning: "Xcode's compiler of mapping models (.xcmappingmodel to .cdm).",
      command: "mapping show reads both forms; mapping write writes them"),
    CallPage(
      name: "executeFetchRequest", meaning: "Fetches objects of an entity by a predicate.",
      command: "rows STORE ENTITY --where PREDICATE"),
    CallPage(
      name: "NSPredicate", meaning: "A condition on objects, as text.",
      command: "help expressions; rows STORE ENTITY --where PREDICATE"),
    CallPage(
      name: "NSExpression", meaning: "A value computed from objects, as text.",
      command: "help expressions"),
  ]
}
