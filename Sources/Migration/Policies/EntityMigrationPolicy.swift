public import StrataExpressions
public import StrataMapping
public import StrataStore

/// What a team does otherwise for the objects of an entity mapping: the seven calls of
/// `NSEntityMigrationPolicy`.
///
/// Each has a default that does what Core Data does without a policy; a policy calls it by the
/// manager's helper of the same name, before or after its own work, or not at all.
///
/// ```swift
/// struct ChefToChef: EntityMigrationPolicy {
///   func createDestinationInstances(
///     for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
///   ) throws {
///     guard let chef = try manager.createDestinationInstance(for: source, in: mapping) else { return }
///     let words = try source.text("name")?.split(separator: " ", maxSplits: 1) ?? []
///     try chef.set("firstName", to: words.first.map { .text(String($0)) } ?? .null)
///   }
/// }
/// ```
///
/// A policy is made anew for each of the three passes and let go after it; what must last stands in
/// ``MigrationManager/userInfo``. It is a value, so that a run can be gone back in.
///
/// Source: facts on the migration process, section 1.
public protocol EntityMigrationPolicy: SendableMetatype {
  /// What mapping models call it: the name of the type, unless it says otherwise.
  static var policyName: String { get }

  init()

  // MARK: Pass 1
  mutating func begin(_ mapping: EntityMapping, manager: MigrationManager) throws
  mutating func createDestinationInstances(
    for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager) throws
  mutating func endInstanceCreation(for mapping: EntityMapping, manager: MigrationManager) throws

  // MARK: Pass 2
  mutating func createRelationships(
    for destination: DestinationObject, in mapping: EntityMapping, manager: MigrationManager) throws
  mutating func endRelationshipCreation(
    for mapping: EntityMapping, manager: MigrationManager) throws

  // MARK: Pass 3
  mutating func performCustomValidation(
    for mapping: EntityMapping, manager: MigrationManager) throws
  mutating func end(_ mapping: EntityMapping, manager: MigrationManager) throws

  // MARK: Methods of its own
  /// The selectors by which value expressions may call it: `FUNCTION($entityPolicy, "selector:", …)`.
  var methods: Set<String> { get }
  /// What one of these methods gives. It is asked of a copy: it changes nothing of the policy.
  func value(
    ofMethod selector: String, arguments: [ExpressionValue], manager: MigrationManager
  ) throws -> ExpressionValue
}

extension EntityMigrationPolicy {
  public static var policyName: String { String(describing: Self.self) }

  public mutating func begin(_ mapping: EntityMapping, manager: MigrationManager) throws {}

  public mutating func createDestinationInstances(
    for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.createDestinationInstance(for: source, in: mapping)
  }

  public mutating func endInstanceCreation(
    for mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  public mutating func createRelationships(
    for destination: DestinationObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.createRelationships(for: destination, in: mapping)
  }

  public mutating func endRelationshipCreation(
    for mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  public mutating func performCustomValidation(
    for mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  public mutating func end(_ mapping: EntityMapping, manager: MigrationManager) throws {}

  public var methods: Set<String> { [] }

  public func value(
    ofMethod selector: String, arguments: [ExpressionValue], manager: MigrationManager
  ) throws -> ExpressionValue {
    throw ExpressionError(.unknownFunction(selector, near: nil))
  }
}

/// An object of the store that is migrated. Nothing of it can be changed.
public typealias SourceObject = BrowsedObject

/// What is done where a mapping model names no policy.
struct DefaultPolicy: EntityMigrationPolicy {}
