package import StrataBase
internal import StrataExpressions

/// A broken rule of an object or a table: a rule of the model or of Core Data's storage format.
///
/// Source: `Docs/Facts/inference.md`, section 6; `Docs/Facts/sqlite-schema.md`, sections 2 to 9.
package enum ValidationRule: FindingRule {
  /// A required attribute or relationship without a value.
  case missing
  /// A required attribute that is `NULL` in a store, but may have been saved so by Core Data: it has a default
  /// value, or it is a number that may be NaN.
  case unset
  /// A value of the wrong type for its attribute.
  case wrongType(wanted: String)
  case rule(ValueRule)
  /// A pattern that is not evaluated, since that takes too long.
  case unmatched(String)
  case tooFew(count: Int, minimum: Int)
  case tooMany(count: Int, maximum: Int)
  /// An object to be deleted whose relationship has the delete rule Deny and still these objects.
  case deleteDenied(by: [Int64])
  /// A key of an object that does not exist.
  case dangling(key: Int64)
  /// A key of a missing object in a relationship without an inverse: Core Data does not clear it when the
  /// object is deleted.
  case danglingOneWay(key: Int64)
  /// An object of a to-many relationship without an inverse whose owner does not exist; the owner's key.
  case ownerMissing(key: Int64)
  /// A one-to-one relationship whose other end does not point back.
  case brokenInverse(key: Int64)
  /// A missing file of external binary data; its name.
  case lostData(file: String)
  /// Another object has the same unique values; its key.
  case notUnique(with: Int64)
  /// The entity number that belongs to a key (`Z3_OWNER`) is not that of the object with the key.
  case wrongEntityNumber(recorded: Int64?, key: Int64, actual: Int64)
  /// An object of an ordered relationship without a position (`Z_FOK_…`).
  case noOrderKey(of: Int64)
  /// Two objects of an ordered relationship at the same position.
  case repeatedOrderKey(of: Int64, and: Int64)
  /// An object without a version (`Z_OPT`).
  case noVersion
  /// Rows of a join table whose two objects do not exist.
  case joinRowsWithoutObjects(count: Int)
  /// Rows of a join table with `NULL` for one of their objects.
  case joinRowsWithoutKeys(count: Int)
  /// Rows of a join table with the two objects of an earlier row.
  case repeatedJoinRows(count: Int)
  /// `Z_MAX` is lower than a key in use; `nil` if it is missing.
  case highestKey(recorded: Int64?, actual: Int64)
  /// The header of a binary store has a highest key that is lower than one in use.
  case documentHighestKey(recorded: Int64, actual: Int64)
  /// Bytes after the metadata of a binary store.
  case trailingBytes(Int)
  /// An entity without a row in `Z_PRIMARYKEY`.
  case noEntityRow
  /// `Z_SUPER` is not the number of the parent entity; 0 for none.
  case wrongParent(recorded: Int64?, actual: Int64)
  /// A row of `Z_PRIMARYKEY` whose number no entity of the model has.
  case rowOfNoEntity(number: Int64, name: String?)
  /// Rows with an entity number that the model does not have.
  case unknownEntity(number: Int64?, rows: Int)
  /// Rows with primary keys that Core Data does not assign; the first of the keys.
  case keysOutOfRange([Int64], rows: Int)

  package static let domain = "validation"

  /// An error if Core Data would not save or cannot read the object; a note if Core Data may have saved it so, or if that
  /// is not known.
  package var severity: Diagnostic.Severity {
    switch self {
    case .unset, .unmatched, .danglingOneWay, .ownerMissing, .rowOfNoEntity, .trailingBytes: .note
    default: .error
    }
  }

  /// The error code of Core Data; `nil` if unknown.
  package var code: CoreDataError? {
    switch self {
    case .missing, .unset: .validationMissingMandatoryProperty
    case .wrongType: .managedObjectValidation
    case .rule(let rule): rule.code
    case .tooFew: .validationRelationshipLacksMinimumCount
    case .tooMany: .validationRelationshipExceedsMaximumCount
    case .deleteDenied: .validationRelationshipDeniedDelete
    case .dangling, .danglingOneWay, .ownerMissing, .brokenInverse:
      .managedObjectReferentialIntegrity
    case .lostData: .fileNoSuchFile
    case .notUnique: .managedObjectConstraintMerge
    case .unmatched, .wrongEntityNumber, .noOrderKey, .repeatedOrderKey, .noVersion,
      .joinRowsWithoutObjects,
      .joinRowsWithoutKeys, .repeatedJoinRows, .highestKey, .documentHighestKey, .trailingBytes,
      .noEntityRow, .wrongParent, .rowOfNoEntity,
      .unknownEntity, .keysOutOfRange:
      nil
    }
  }

  /// The message without the object: `is a required value`.
  package var reason: String {
    switch self {
    case .missing: "is a required value"
    case .unset: "is required and NULL; Core Data refuses it only when the object is changed"
    case .wrongType(let wanted): "is not a valid \(wanted)"
    case .rule(.minimum(let bound)): "is smaller than \(bound.text)"
    case .rule(.maximum(let bound)): "is larger than \(bound.text)"
    case .rule(.earliest(let bound)): "is earlier than \(Self.date(bound))"
    case .rule(.latest(let bound)): "is later than \(Self.date(bound))"
    case .rule(.minimumLength(let bound)): "is shorter than \(bound)"
    case .rule(.maximumLength(let bound)): "is longer than \(bound)"
    case .rule(.pattern(let pattern)): "does not match \(pattern)"
    case .unmatched(let pattern): "is not checked: matching \(pattern) takes too long"
    case .tooFew(let count, let minimum): "has \(count), at least \(minimum) needed"
    case .tooMany(let count, let maximum): "has \(count), at most \(maximum) allowed"
    case .deleteDenied(let keys):
      "has \(Phrase.list(keys.map { "p\($0)" })) and the delete rule Deny"
    case .dangling(let key): "points to p\(key), which does not exist"
    case .danglingOneWay(let key):
      "points to p\(key), which does not exist; without an inverse, Core Data does not clear it"
    case .ownerMissing(let key):
      "belongs to p\(key), which does not exist; without an inverse, Core Data does not clear it"
    case .brokenInverse(let key): "points to p\(key), which does not point back"
    case .lostData(let file): "is in the external file \(file), which is missing"
    case .notUnique(let key): "equals that of p\(key), and must be unique"
    case .wrongEntityNumber(let recorded, let key, let actual):
      "records the entity number \(recorded.map(String.init) ?? "NULL") for p\(key), whose entity number is \(actual)"
    case .noOrderKey(let key): "has no order key for p\(key)"
    case .repeatedOrderKey(let first, let second):
      "has the same order key for p\(first) and p\(second)"
    case .noVersion: "is NULL: Core Data counts the changes of an object from 1"
    case .joinRowsWithoutObjects(let count):
      "has \(Phrase.count(count, "row")) in its join table whose objects do not exist"
    case .joinRowsWithoutKeys(let count):
      "has \(Phrase.count(count, "row")) in its join table with NULL instead of a key"
    case .repeatedJoinRows(let count):
      "has \(Phrase.count(count, "row")) in its join table with the same two keys as an earlier row"
    case .highestKey(nil, let actual):
      "is missing in Z_PRIMARYKEY; the highest key in use is \(actual)"
    case .highestKey(let recorded?, let actual):
      "is \(recorded), lower than the highest key in use, \(actual): Core Data would use a key twice"
    case .documentHighestKey(let recorded, let actual):
      "the highest key in the header is \(recorded), lower than the highest key in use, \(actual): Core Data may use a key twice (not verified)"
    case .trailingBytes(let count):
      "\(Phrase.count(count, "byte follows", "bytes follow")) the metadata; how Core Data reads such a store is not verified"
    case .noEntityRow: "has no row in Z_PRIMARYKEY"
    case .wrongParent(let recorded, let actual):
      "is \(recorded.map(String.init) ?? "NULL") in Z_PRIMARYKEY, and must be \(actual)"
        + (actual == 0 ? ": the entity has no parent" : ", the number of the parent entity")
    case .rowOfNoEntity(let number, let name):
      "is \(number)\(name.map { " (\($0))" } ?? "") in 1 row, which is not an entity number of the model"
    case .unknownEntity(let number, let rows):
      "is \(number.map(String.init) ?? "NULL") in \(Phrase.count(rows, "row")), an entity number that no concrete entity has there"
    case .keysOutOfRange(let keys, let rows):
      "is \(Self.list(keys, of: rows)) in \(Phrase.count(rows, "row")): Core Data does not assign such keys, and Strata does not migrate the store"
    }
  }

  /// The first of several keys: `-2, -1, …`
  package static func list(_ keys: [Int64], of count: Int) -> String {
    (keys.map(String.init) + (keys.count < count ? ["…"] : [])).joined(separator: ", ")
  }

  private static func date(_ seconds: NumberBound) -> String {
    TextualValue.text(ofDate: seconds.real) ?? seconds.text
  }
}

extension Finding {
  /// A finding about an object, or about an entity or table if there is no key.
  package init(_ rule: ValidationRule, entity: String, key: Int64?, property: String) {
    self.init(
      rule, at: FindingLocation(entity: entity, property: property, object: key),
      fixes: [Fix(rule.fix)])
  }

  /// A finding about a store.
  package init(_ rule: ValidationRule, store: String) {
    self.init(rule, at: FindingLocation(store: store), fixes: [Fix(rule.fix)])
  }

  /// The validation rule of the finding; `nil` if it has another rule.
  package var validationRule: ValidationRule? { rule as? ValidationRule }
}
