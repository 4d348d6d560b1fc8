extension ValidationRule {
  /// The advice in a message.
  var fix: String {
    switch self {
    case .missing: "set it, or make it optional in the model"
    case .unset: "none needed until the app changes the object; then set a value"
    case .wrongType: "set a value of the attribute's type"
    case .rule: "set a value that the model allows, or change the rule in the model"
    case .unmatched: "simplify the pattern in the model: nested repetitions such as (a*)* are slow"
    case .tooFew: "connect more objects, or lower the minimum count in the model"
    case .tooMany: "connect fewer objects, or raise the maximum count in the model"
    case .deleteDenied: "delete these objects first, or remove them from the relationship"
    case .dangling: "connect another object, or clear the relationship"
    case .danglingOneWay:
      "clear the relationship; if it had an inverse, Core Data would clear it"
    case .ownerMissing:
      "connect it to another owner; if the relationship had an inverse, Core Data would clear the key"
    case .brokenInverse: "set the relationship again: Core Data then sets both ends"
    case .lostData: "copy the hidden folder .NAME_SUPPORT together with the store"
    case .notUnique: "change the values of one of the objects, or delete it"
    case .wrongEntityNumber: "set the relationship again: Core Data then records the entity number"
    case .noOrderKey, .repeatedOrderKey: "set the relationship again, in the correct order"
    case .noVersion:
      "restore a backup, or migrate to another version with --output, which counts from 1"
    case .joinRowsWithoutObjects, .joinRowsWithoutKeys: "delete the rows with sqlite3"
    case .repeatedJoinRows: "delete the rows with sqlite3; keep one of each pair"
    case .highestKey, .noEntityRow, .wrongParent:
      "restore a backup, or migrate to another version with --output, which rewrites Z_PRIMARYKEY"
    case .documentHighestKey, .trailingBytes:
      "restore a backup, or migrate into a new store: `migrate <store> --to <model> --output <file>`"
    case .rowOfNoEntity: "none needed: Core Data ignores the row"
    case .unknownEntity:
      "restore a backup, or delete the rows; Core Data does not read them, and only a migration in place keeps them"
    case .keysOutOfRange: "restore a backup, or delete the rows"
    }
  }
}
