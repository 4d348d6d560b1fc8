/// A relationship of an entity to a destination entity.
package struct Relationship: Property {
  package enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
    case noAction = 0
    case nullify = 1
    case cascade = 2
    case deny = 3

    /// The value in a model's XML.
    package var name: String {
      switch self {
      case .noAction: "No Action"
      case .nullify: "Nullify"
      case .cascade: "Cascade"
      case .deny: "Deny"
      }
    }
  }

  package var name: String
  package var destinationName: String
  package var inverseName: String?
  package var inverseEntityName: String?
  package var isOptional: Bool
  package var isTransient = false
  /// The value of the `toMany` key in the model file; compiled models have no such key.
  package var isDeclaredToMany: Bool
  package var isOrdered = false
  package var minCount = 0
  /// The declared max count of a to-many relationship, if any. Without a limit it is 0 in model files, or -1
  /// for relationships created in code; the two are hashed differently.
  package var declaredMaxCount: Int?
  package var deleteRule = DeleteRule.nullify
  package var renamingIdentifier: String?
  package var versionHashModifier: String?
  package var userInfo: [UserInfoEntry] = []
  package var extras = ModelExtras()

  /// Whether the relationship is to-many: Core Data treats a relationship with the max count 1 as to-one,
  /// regardless of other keys in the model file.
  ///
  /// Source: the documentation of `NSRelationshipDescription.isToMany`, and compiled models, in which only the
  /// max count 1 marks a to-one relationship.
  package var isToMany: Bool {
    get { isDeclaredToMany && declaredMaxCount != 1 }
    set { isDeclaredToMany = newValue }
  }

  /// The valid declared counts: no limit, or a limit that fits the hashed int32.
  static let maxCounts = -1...Int(Int32.max)

  /// The hashed count: 1 for a to-one relationship, 0 or -1 for no limit.
  package var maxCount: Int { isToMany ? declaredMaxCount ?? 0 : 1 }

  /// The declared count of a to-many relationship in an archive, in which 0 means none.
  static func declaredMaxCount(archived count: Int64) -> Int? {
    count == 0 ? nil : min(max(Int(clamping: count), maxCounts.lowerBound), maxCounts.upperBound)
  }

  package init(
    name: String, destinationName: String, isOptional: Bool = false, isToMany: Bool = false
  ) {
    self.name = name
    self.destinationName = destinationName
    self.isOptional = isOptional
    isDeclaredToMany = isToMany
  }
}
