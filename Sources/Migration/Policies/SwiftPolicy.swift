internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataPolicy
internal import StrataStore

/// Runs a Swift policy.
struct SwiftPolicy: RunningPolicy {
  private var policy: any EntityMigrationPolicy
  /// The running entity mapping, for the policy.
  private var seen: StrataPolicy.EntityMapping?

  init(_ type: any EntityMigrationPolicy.Type) { policy = type.init() }

  mutating func createInstances(
    from source: BrowsedObject, in mapping: StrataMapping.EntityMapping, _ manager: PassManager
  ) throws {
    try policy.createDestinationInstances(
      for: SourceObject(source), in: facts(of: mapping), manager: MigrationManager(manager))
  }

  mutating func createRelationships(
    of object: NewObject, in mapping: StrataMapping.EntityMapping, _ manager: PassManager
  ) throws {
    try policy.createRelationships(
      for: DestinationObject(object), in: facts(of: mapping), manager: MigrationManager(manager))
  }

  mutating func perform(
    _ call: PolicyScript.Statement.Call, _ mapping: StrataMapping.EntityMapping,
    _ manager: PassManager
  ) throws {
    let (mapping, manager) = (facts(of: mapping), MigrationManager(manager))
    switch call {
    case .begin: try policy.begin(mapping, manager: manager)
    case .endOfCreation: try policy.endInstanceCreation(for: mapping, manager: manager)
    case .endOfRelationships: try policy.endRelationshipCreation(for: mapping, manager: manager)
    case .validation: try policy.performCustomValidation(for: mapping, manager: manager)
    case .end: try policy.end(mapping, manager: manager)
    case .creation, .relationships: break
    }
  }

  private mutating func facts(
    of mapping: StrataMapping.EntityMapping
  ) -> StrataPolicy.EntityMapping {
    if let seen, seen.name == mapping.name { return seen }
    let facts = StrataPolicy.EntityMapping(
      name: mapping.name, sourceEntityName: mapping.sourceName,
      destinationEntityName: mapping.destinationName,
      userInfo: Dictionary(
        mapping.userInfo.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
    seen = facts
    return facts
  }

  var methods: Set<String> { policy.methods }

  func value(
    ofMethod selector: String, arguments: [ExpressionValue], _ manager: PassManager
  ) throws -> ExpressionValue {
    try ExpressionValue(
      policy.value(
        ofMethod: selector, arguments: arguments.map(MethodValue.init),
        manager: MigrationManager(manager)),
      in: manager)
  }
}

extension MethodValue {
  fileprivate init(_ value: ExpressionValue) {
    switch value {
    case .value(let value): self = .value(value)
    case .object(let object as BrowsedObject): self = .source(SourceObject(object))
    case .object(let object as NewObject): self = .destination(DestinationObject(object))
    case .object(let object): self = .unavailable(object.identity.rootEntity)
    case .collection(let elements, let isOrdered):
      self = .collection(elements.map(MethodValue.init), isOrdered: isOrdered)
    }
  }
}

extension ExpressionValue {
  fileprivate init(_ value: MethodValue, in manager: PassManager) throws {
    switch value {
    case .value(let value): self = .value(value)
    case .source(let object): self = .object(try manager.browsed(object.record))
    case .destination(let object): self = .object(try manager.newObject(object.record))
    case .collection(let elements, let isOrdered):
      self = .collection(
        try elements.map { try ExpressionValue($0, in: manager) }, isOrdered: isOrdered)
    case .unavailable(let name): throw PolicyError("a method of a policy cannot return \(name)")
    }
  }
}
