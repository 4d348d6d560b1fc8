/// A relationship of an entity to a destination entity.
package struct Relationship: Property {
  package enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
    case noAction = 0
    case nullify = 1
    case cascade = 2
    case deny = 3

    /// The word of a model's XML.
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
  package var isTransient: Bool
  /// What the model's file says: Xcode writes it, and compiled models have no such key.
  package var isDeclaredToMany: Bool
  package var isOrdered: Bool
  package var minCount: Int
  /// The count that the model declares for a to-many relationship, if any: a bound, or -1, which
  /// relationships made in code have, for no bound. A file without it means 0, no bound either; the two
  /// hash differently.
  package var declaredMaxCount: Int?
  package var deleteRule: DeleteRule
  package var renamingIdentifier: String?
  package var versionHashModifier: String?
  package var userInfo: [UserInfoEntry]
  package var extras: ModelExtras

  /// Whether it leads to several objects: Core Data takes a relationship whose max count is 1 for to-one, whatever
  /// a model's file says besides.
  ///
  /// Source: the documentation of `NSRelationshipDescription.isToMany`, and compiled models, where a to-one
  /// relationship has the max count 1 and nothing else that says so.
  package var isToMany: Bool {
    get { isDeclaredToMany && declaredMaxCount != 1 }
    set { isDeclaredToMany = newValue }
  }

  /// The declared counts that there are: no bound, or a bound as the int32 that is hashed.
  static let maxCounts = -1...Int(Int32.max)

  /// The count that is hashed: 1 for a to-one relationship, 0 or -1 for no bound.
  package var maxCount: Int { isToMany ? declaredMaxCount ?? 0 : 1 }

  /// The declared count of a to-many relationship in an archive, where 0 stands for none.
  static func declaredMaxCount(archived count: Int64) -> Int? {
    count == 0 ? nil : min(max(Int(clamping: count), maxCounts.lowerBound), maxCounts.upperBound)
  }

  package init(
    name: String, destinationName: String, isOptional: Bool = false, isToMany: Bool = false
  ) {
    self.name = name
    self.destinationName = destinationName
    self.isOptional = isOptional
    isTransient = false
    isDeclaredToMany = isToMany
    isOrdered = false
    minCount = 0
    deleteRule = .nullify
    userInfo = []
    extras = ModelExtras()
  }
}
