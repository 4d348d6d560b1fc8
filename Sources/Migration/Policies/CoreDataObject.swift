internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// A Core Data object that is the value of a variable in value expressions, with the parts that are known
/// without the app: ``MappingObject`` lists its keys and functions.
struct CoreDataObject: CallableObject {
  /// The represented object.
  enum Subject {
    case manager
    case entityMapping(EntityMapping)
    case propertyMapping(PropertyMapping)
    case entityPolicy
    case mappingModel(MappingModel)
    case model(NamedModel)
    case entity(Entity, NamedModel)
    case userInfo([String: AttributeValue])
  }

  let subject: Subject
  unowned let manager: PassManager

  init(_ subject: Subject, _ manager: PassManager) {
    (self.subject, self.manager) = (subject, manager)
  }

  var identity: ObjectIdentity { ObjectIdentity(rootEntity: kind.rawValue, key: 0) }

  private var kind: MappingObject {
    switch subject {
    case .manager: .manager
    case .entityMapping: .entityMapping
    case .propertyMapping: .propertyMapping
    case .entityPolicy: .entityPolicy
    case .mappingModel: .mappingModel
    case .model: .model
    case .entity: .entity
    case .userInfo: .userInfo
    }
  }

  private func object(_ subject: Subject) -> ExpressionValue {
    .object(CoreDataObject(subject, manager))
  }

  private func objects(_ subjects: [Subject]) -> ExpressionValue {
    .collection(subjects.map(object), isOrdered: true)
  }

  private func text(_ text: String?) -> ExpressionValue { .value(text.map { .text($0) } ?? .null) }

  private func hash(_ hash: VersionHash?) -> ExpressionValue {
    .value(hash.map { .bytes(Array($0.bytes)) } ?? .null)
  }

  // MARK: Keys

  func value(forKey key: String) throws -> ExpressionValue {
    switch subject {
    case .entityPolicy: return try manager.callPolicy(key, [])
    case .userInfo(let entries): return .value(entries[key] ?? .null)
    default: break
    }
    guard let value = known(key) else {
      if case .unavailable(let why)? = kind.keys[key] {
        throw ExpressionError(.notPossible("\(key) cannot be evaluated: \(why)"))
      }
      throw ExpressionError(
        .unknownKey(key, of: kind.rawValue, near: NearestName.of(key, in: Array(kind.keys.keys))))
    }
    return value
  }

  private func known(_ key: String) -> ExpressionValue? {
    switch subject {
    case .manager:
      switch key {
      case "sourceModel": object(.model(manager.sourceModel))
      case "destinationModel": object(.model(manager.destinationModel))
      case "mappingModel": object(.mappingModel(manager.mapping))
      case "currentEntityMapping":
        manager.currentEntityMapping.map { object(.entityMapping($0)) } ?? .null
      case "userInfo": object(.userInfo(manager.userInfo.compactMapValues(Self.value)))
      default: nil
      }
    case .entityMapping(let mapping): known(key, of: mapping)
    case .propertyMapping(let mapping):
      switch key {
      case "name": text(mapping.name)
      case "userInfo": userInfo(mapping.userInfo)
      default: nil
      }
    case .mappingModel(let mapping):
      key == "entityMappings" ? objects(mapping.entityMappings.map { .entityMapping($0) }) : nil
    case .model(let named):
      switch key {
      case "entities": objects(named.model.entities.map { .entity($0, named) })
      case "versionIdentifiers":
        .collection(
          named.model.document.versionIdentifiers.sorted().map { .value(.text($0)) },
          isOrdered: false)
      default: nil
      }
    case .entity(let entity, let named): known(key, of: entity, in: named)
    case .entityPolicy, .userInfo: nil
    }
  }

  private func known(_ key: String, of mapping: EntityMapping) -> ExpressionValue? {
    switch key {
    case "name": text(mapping.name)
    case "mappingType": .value(.integer(Int64(mapping.kind.rawValue)))
    case "sourceEntityName": text(mapping.sourceName)
    case "destinationEntityName": text(mapping.destinationName)
    case "sourceEntityVersionHash":
      hash(
        mapping.sourceHash
          ?? mapping.sourceName.flatMap { manager.sourceModel.model.versionHashes()[$0] })
    case "destinationEntityVersionHash":
      hash(
        mapping.destinationHash
          ?? mapping.destinationName.flatMap { manager.destinationModel.model.versionHashes()[$0] })
    case "entityMigrationPolicyClassName": text(mapping.policyName)
    case "userInfo": userInfo(mapping.userInfo)
    case "attributeMappings": objects(mapping.attributeMappings.map { .propertyMapping($0) })
    case "relationshipMappings": objects(mapping.relationshipMappings.map { .propertyMapping($0) })
    default: nil
    }
  }

  private func known(
    _ key: String, of entity: Entity, in named: NamedModel
  ) -> ExpressionValue? {
    switch key {
    case "name": text(entity.name)
    case "managedObjectClassName": text(entity.className ?? "NSManagedObject")
    case "abstract", "isAbstract": .value(.integer(entity.isAbstract ? 1 : 0))
    case "renamingIdentifier": text(entity.renamingIdentifier ?? entity.name)
    case "versionHash": hash(named.model.versionHashes()[entity.name])
    case "versionHashModifier": text(entity.versionHashModifier)
    case "userInfo": userInfo(entity.userInfo)
    default: nil
    }
  }

  private func userInfo(_ entries: [UserInfoEntry]) -> ExpressionValue {
    object(
      .userInfo(
        Dictionary(entries.map { ($0.key, .text($0.value)) }, uniquingKeysWith: { $1 })))
  }

  /// A value that a Swift policy stored in the manager's userInfo; `nil` for types that expressions do not
  /// support.
  private static func value(_ value: any Sendable) -> AttributeValue? {
    switch value {
    case let value as AttributeValue: value
    case let text as String: .text(text)
    case let flag as Bool: .integer(flag ? 1 : 0)
    case let number as any BinaryInteger: Int64(exactly: number).map { .integer($0) }
    case let number as Double: .real(number)
    default: nil
    }
  }

  // MARK: Functions

  func call(_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue {
    switch subject {
    case .entityPolicy: return try manager.callPolicy(selector, arguments)
    case .manager: return try callManager(selector, arguments)
    default:
      guard arguments.isEmpty else {
        throw ExpressionError(
          .unknownFunction(selector, near: NearestName.of(selector, in: Array(kind.keys.keys))))
      }
      return try value(forKey: selector)
    }
  }

  private func callManager(
    _ selector: String, _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue {
    switch (selector, arguments.count) {
    case (MappingFunction.throughMapping, 2):
      return try instances(through: Self.name(arguments[0]), of: arguments[1])
    case (MappingFunction.throughRelationship, 2): return try instances(of: arguments[1])
    case (MappingFunction.back, 2):
      let name = Self.name(arguments[0])
      let found = try arguments[1].objects.compactMap { $0 as? NewObject }.flatMap {
        destination in
        try manager.mapping.entityMappings.filter { name == nil || $0.name == name }.flatMap {
          try manager.sourceInstances(for: destination, in: $0)
        }
      }
      return .collection(found.map { .object($0) }, isOrdered: true)
    case (MappingFunction.sourceEntity, 1):
      return entity(of: arguments[0], in: manager.sourceModel, \.sourceName)
    case (MappingFunction.destinationEntity, 1):
      return entity(of: arguments[0], in: manager.destinationModel, \.destinationName)
    case (_, 0): return try value(forKey: selector)
    default:
      if case .unavailable(let why)? = kind.functions[selector] {
        throw ExpressionError(.notPossible("\(selector) cannot be evaluated: \(why)"))
      }
      throw ExpressionError(
        .unknownFunction(selector, near: NearestName.of(selector, in: Array(kind.functions.keys))))
    }
  }

  private static func name(_ value: ExpressionValue) -> String? {
    if case .value(.text(let name)) = value, !name.isEmpty { name } else { nil }
  }

  private func instances(
    through name: String? = nil, of sources: ExpressionValue
  ) throws -> ExpressionValue {
    let found = try sources.objects.flatMap {
      try manager.destinationInstances(forEntityMappingNamed: name, source: $0.identity)
    }
    return .collection(found.map { .object($0) }, isOrdered: true)
  }

  private func entity(
    of value: ExpressionValue, in named: NamedModel, _ name: KeyPath<EntityMapping, String?>
  ) -> ExpressionValue {
    guard case .object(let object as CoreDataObject) = value,
      case .entityMapping(let mapping) = object.subject,
      let entity = mapping[keyPath: name].flatMap({ named.model[$0] })
    else { return .null }
    return self.object(.entity(entity, named))
  }
}

extension ExpressionValue {
  /// The objects in the value.
  var objects: [any EvaluatedObject] {
    switch self {
    case .object(let object): [object]
    case .collection(let elements, _): elements.flatMap(\.objects)
    case .value: []
    }
  }
}

extension PassManager {
  /// The values of the variables that are constant for an entity mapping.
  func variables(of mapping: EntityMapping) -> [String: ExpressionValue] {
    func object(_ subject: CoreDataObject.Subject) -> ExpressionValue {
      .object(CoreDataObject(subject, self))
    }
    return [
      MappingVariable.manager.rawValue: object(.manager),
      MappingVariable.entityMapping.rawValue: object(.entityMapping(mapping)),
      MappingVariable.entityPolicy.rawValue: object(.entityPolicy),
    ]
  }

  /// The value of `$propertyMapping`.
  func variable(of property: PropertyMapping) -> ExpressionValue {
    .object(CoreDataObject(.propertyMapping(property), self))
  }

  /// The result of a method of the running entity mapping's policy.
  func callPolicy(
    _ selector: String, _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue {
    guard let name = currentEntityMapping?.policyName else {
      throw ExpressionError(
        .notPossible("the entity mapping has no policy with a method \(selector)"))
    }
    guard let policy = running.policy, policy.methods.contains(selector) else {
      throw ExpressionError(.notPossible("the policy \(name) has no method \(selector)"))
    }
    guard methodDepth < Self.methodDepthLimit else {
      throw ExpressionError(.tooDeep(limit: Self.methodDepthLimit))
    }
    methodDepth += 1
    defer { methodDepth -= 1 }
    return try policy.value(ofMethod: selector, arguments: arguments, self)
  }

  /// The maximum depth of nested method calls.
  private static let methodDepthLimit = 32
}

extension EntityMapping {
  /// Whether an expression can call a method of its policy.
  var callsPolicy: Bool {
    (attributeMappings + relationshipMappings).contains {
      $0.expression?.variables.contains(MappingVariable.entityPolicy.rawValue) == true
    }
  }
}
