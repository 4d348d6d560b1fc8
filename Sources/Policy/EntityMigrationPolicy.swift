/// A custom migration of the objects of one entity mapping: the seven calls of Core Data's
/// `NSEntityMigrationPolicy`.
///
/// Each call has a default implementation that does what Core Data does without a policy. A policy that
/// implements ``createDestinationInstances(for:in:manager:)`` or ``createRelationships(for:in:manager:)``
/// gets the default work from the manager's method of a similar name.
///
/// ```swift
/// struct ChefToChef: EntityMigrationPolicy {
///   func createDestinationInstances(
///     for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
///   ) throws {
///     guard let chef = try manager.createDestinationInstance(for: source, in: mapping) else { return }
///     try chef.set("firstName", to: source.attributeValue("name"))
///   }
/// }
/// ```
///
/// A new policy is created for each entity mapping in each of the three passes. Values that must outlive a
/// pass belong in ``MigrationManager/userInfo``. A policy should be a value type: the stepper copies it to
/// go back.
///
/// Source: Apple's reference of `NSEntityMigrationPolicy`.
public protocol EntityMigrationPolicy: SendableMetatype {
  /// The class name that mapping models use for the policy, without a module name. By default the name of
  /// the type.
  static var policyName: String { get }

  /// Creates the policy for one entity mapping in one pass.
  init()

  // MARK: Pass 1

  /// Called once before the source objects of the entity mapping. Does nothing by default.
  mutating func begin(_ mapping: EntityMapping, manager: MigrationManager) throws

  /// Called for each source object, in the order of keys. By default creates one destination object.
  ///
  /// A source object for which no destination object is created or associated counts as lost.
  mutating func createDestinationInstances(
    for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager) throws

  /// Called once after the last source object. Does nothing by default.
  mutating func endInstanceCreation(for mapping: EntityMapping, manager: MigrationManager) throws

  // MARK: Pass 2

  /// Called for each destination object of the entity mapping, when all entity mappings have created their
  /// objects. By default sets the relationships of the mapping model.
  mutating func createRelationships(
    for destination: DestinationObject, in mapping: EntityMapping, manager: MigrationManager) throws

  /// Called once after the last destination object. Does nothing by default.
  mutating func endRelationshipCreation(
    for mapping: EntityMapping, manager: MigrationManager) throws

  // MARK: Pass 3

  /// Called once when all relationships are set. Does nothing by default; a policy that finds something
  /// wrong throws, and the migration stops.
  mutating func performCustomValidation(
    for mapping: EntityMapping, manager: MigrationManager) throws

  /// Called once at the end of the entity mapping. Does nothing by default.
  mutating func end(_ mapping: EntityMapping, manager: MigrationManager) throws

  // MARK: Methods

  /// The selectors that value expressions may call: `FUNCTION($entityPolicy, "join:with:", …)`. None by
  /// default.
  var methods: Set<String> { get }

  /// The result of a method, one of ``methods``, that a value expression calls. It is called on a copy of
  /// the policy.
  func value(
    ofMethod selector: String, arguments: [MethodValue], manager: MigrationManager
  ) throws -> MethodValue
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
    ofMethod selector: String, arguments: [MethodValue], manager: MigrationManager
  ) throws -> MethodValue {
    throw PolicyError("the policy \(Self.policyName) has no method \(selector)")
  }
}
