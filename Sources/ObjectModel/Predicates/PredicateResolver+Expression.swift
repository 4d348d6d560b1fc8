internal import StrataBase
internal import StrataExpressions

extension PredicateResolver {
  /// The resolved expression for evaluation in a store, and the kind of its value.
  func resolve(
    _ expression: Expression
  ) throws(ExpressionError) -> (expression: Expression, kind: ValueKind) {
    switch expression {
    case .constant(let value): return (expression, ValueKind(value))
    case .evaluatedObject: return (expression, object)
    case .variable(let name):
      guard let kind = variables[name] else {
        throw ExpressionError(.unknownVariable(name, known: variables.keys.sorted()))
      }
      return (expression, kind)
    case .keyPath(of: let operand, let keys):
      let start = try operand.map { (operand) throws(ExpressionError) in try resolve(operand) }
      let (stored, kind) = try walk(keys[...], from: start?.kind ?? object)
      return (.keyPath(of: start?.expression, stored), kind)
    case .function(let name, on: let target, let arguments):
      return try function(name, on: target, arguments)
    case .collection(let elements):
      var kinds: Set<ValueKind> = []
      var resolved: [Expression] = []
      for element in elements {
        let (expression, kind) = try resolve(element)
        resolved.append(expression)
        if kind != .nothing { kinds.insert(kind) }
      }
      return (.collection(resolved), .many(kinds.count == 1 ? kinds.first ?? .unknown : .unknown))
    case .subquery(let collection, let variable, let predicate):
      let (resolved, kind) = try resolve(collection)
      guard kind.depth == 1 || kind == .unknown else {
        throw ExpressionError(
          .wrongOperand(operator: "SUBQUERY", wanted: "a collection", found: kind.description))
      }
      var inner = self
      inner.variables[variable] = kind.element
      return (.subquery(resolved, variable: variable, try inner.resolve(predicate)), kind)
    case .conditional(let predicate, let first, let second):
      let (one, kind) = try resolve(first)
      let (other, otherKind) = try resolve(second)
      let either: ValueKind =
        kind == otherKind || otherKind == .nothing ? kind : kind == .nothing ? otherKind : .unknown
      return (.conditional(try resolve(predicate), one, other), either)
    case .fetch: throw ExpressionError(.notPossible("FETCH is only supported in mapping models"))
    }
  }

  private func function(
    _ name: String, on target: Expression?, _ arguments: [Expression]
  ) throws(ExpressionError) -> (expression: Expression, kind: ValueKind) {
    var resolved: [Expression] = []
    var kinds: [ValueKind] = []
    for argument in arguments {
      let (expression, kind) = try resolve(argument)
      kinds.append(kind)
      resolved.append(expression)
    }
    let wrong = kinds.first { ![.number, .date, .unknown, .nothing].contains($0) }
    if target == nil, ExpressionFunction.isArithmetic(name), let wrong {
      throw ExpressionError(
        .wrongOperand(
          operator: ExpressionFunction.symbol(of: name), wanted: "numbers",
          found: wrong.description))
    }
    guard let target else {
      _ = try ExpressionFunction.called(name, with: arguments)
      return (
        .function(name, on: nil, arguments: resolved), Self.kind(of: name, resolved, kinds)
      )
    }
    let (object, kind) = try resolve(target)
    // What an object of Core Data answers is not known here.
    if kind.element != .unknown, name.hasSuffix(":"), !ExpressionFunction.methods.contains(name) {
      throw ExpressionError(
        .unknownFunction(name, near: NearestName.of(name, in: ExpressionFunction.methods)))
    }
    let called = Expression.function(name, on: object, arguments: resolved)
    guard kind.element.isObject, let keys = Self.keys(of: name, arguments) else {
      return (called, .unknown)
    }
    return (called, try resolve(.keyPath(of: target, keys)).kind)
  }

  /// The keys of a call of `valueForKey:` or `valueForKeyPath:` with a constant.
  private static func keys(of function: String, _ arguments: [Expression]) -> [String]? {
    guard arguments.count == 1, case .constant(.text(let path)) = arguments[0] else { return nil }
    return switch function {
    case "valueForKey:": [path]
    case "valueForKeyPath:": path.split(separator: ".").map(String.init)
    default: nil
    }
  }

  /// The kind of value that a function returns.
  private static func kind(
    of function: String, _ arguments: [Expression], _ kinds: [ValueKind]
  ) -> ValueKind {
    let first = kinds.first ?? .unknown
    switch function {
    case "count:", "size:", "sum:", "average:", "length:": return .number
    case "uppercase:", "lowercase:", "canonical:": return .text
    case "now:", "now": return .date
    case "noindex:": return first
    case "first:", "last:", "min:", "max:", "objectFrom:withIndex:":
      if case .many(let element) = first { return element }
      return .unknown
    case "union:with:", "intersect:with:", "minus:with:":
      return kinds.allSatisfy { $0 == first } ? first : .unknown
    case "castObject:toType:":
      guard arguments.count == 2, case .constant(.text(let type)) = arguments[1] else {
        return .unknown
      }
      return castKinds[type] ?? .unknown
    default: return ExpressionFunction.isArithmetic(function) ? .number : .unknown
    }
  }

  private static let castKinds: [String: ValueKind] = [
    "NSDate": .date, "NSNumber": .number, "NSString": .text, "NSData": .bytes, "NSUUID": .uuid,
  ]

  /// Resolves keys across entities; an element of a composite attribute becomes a single key, its path.
  private func walk(
    _ keys: ArraySlice<String>, from start: ValueKind
  ) throws(ExpressionError) -> (stored: [String], kind: ValueKind) {
    var stored: [String] = []
    var kind = start
    var rest = keys
    while let key = rest.popFirst() {
      if key.hasPrefix("@") {
        let (path, result) = try walkCollected(key, rest, kind)
        return (stored + [key] + path, result)
      }
      let depth = kind.depth
      guard case .object(let entity) = kind.element else {
        kind = try valueKey(key, of: kind.element).collected(depth)
        stored.append(key)
        continue
      }
      if let attribute = model.attribute(key, of: entity) {
        let leaf = try leaf(of: attribute.property, &rest)
        stored.append(leaf.name)
        kind = ValueKind(leaf.type)
      } else if let element = element(key, of: entity) {
        stored.append(key)
        kind = ValueKind(element.type)
      } else if let relationship = model.relationship(key, of: entity)?.property {
        guard !relationship.isTransient else {
          throw ExpressionError(.unstored(key, kind: "transient"))
        }
        stored.append(key)
        kind = .object(relationship.destinationName)
        if relationship.isToMany { kind = .many(kind) }
      } else if model[entity]?.fetchedProperties.contains(where: { $0.name == key }) == true {
        throw ExpressionError(.unstored(key, kind: "a fetched property"))
      } else {
        if let below = entityBelow(entity, having: key) {
          throw ExpressionError(.keyOfSubentity(key, of: entity, below: below))
        }
        let near = NearestName.of(key, in: model.propertyNames(of: entity))
        throw ExpressionError(.unknownKey(key, of: entity, near: near))
      }
      kind = kind.collected(depth)
    }
    return (stored, kind)
  }

  /// An element of a composite attribute, by its full key path in a resolved expression.
  private func element(_ path: String, of entity: String) -> Attribute? {
    guard path.contains(".") else { return nil }
    return model.allStoredAttributes(of: entity).first { $0.name == path }
  }

  private func entityBelow(_ entity: String, having key: String) -> String? {
    model.subentityNames(of: entity).lazy.compactMap { name in
      model[name]?.propertyNames.contains(key) == true ? name : entityBelow(name, having: key)
    }.first
  }

  /// The attribute itself, or the element of a composite attribute that the following keys name.
  private func leaf(
    of attribute: Attribute, _ rest: inout ArraySlice<String>
  ) throws(ExpressionError) -> Attribute {
    guard !attribute.isTransient else {
      throw ExpressionError(.unstored(attribute.name, kind: "transient"))
    }
    guard attribute.type == .composite else { return attribute }
    let elements = attribute.compositeName.flatMap(model.composite(named:))?.attributes ?? []
    let key = rest.popFirst() ?? ""
    guard let element = elements.first(where: { $0.name == key }) else {
      guard !key.isEmpty else {
        throw ExpressionError(
          .notPossible("\(attribute.name) is a composite: name one of its elements"))
      }
      throw ExpressionError(
        .unknownKey(
          key, of: attribute.name, near: NearestName.of(key, in: elements.map(\.name))))
    }
    var leaf = try leaf(of: element, &rest)
    leaf.name = "\(attribute.name).\(leaf.name)"
    return leaf
  }

  private func walkCollected(
    _ name: String, _ path: ArraySlice<String>, _ kind: ValueKind
  ) throws(ExpressionError) -> (stored: [String], kind: ValueKind) {
    let flattens = ["OfSets", "OfArrays"].contains(where: name.hasSuffix)
    guard kind.depth == 1 || kind.isMany && flattens || [.unknown, .nothing].contains(kind) else {
      throw ExpressionError(
        .wrongOperand(operator: name, wanted: "a collection", found: kind.description))
    }
    if name == "@count" { return (Array(path), .number) }
    let (stored, result) = try walk(path, from: kind.element)
    switch name {
    case "@sum", "@avg":
      guard [.number, .unknown].contains(result) else {
        throw ExpressionError(
          .wrongOperand(operator: name, wanted: "numbers", found: result.description))
      }
      return (stored, .number)
    case "@min", "@max": return (stored, result)
    default:
      guard ExpressionFunction.collectionOperators.contains(name) else {
        throw ExpressionError(
          .unknownFunction(
            name, near: NearestName.of(name, in: ExpressionFunction.collectionOperators)))
      }
      return (stored, .many(result.element))
    }
  }

  /// A key of a value, such as `length`.
  private func valueKey(_ key: String, of kind: ValueKind) throws(ExpressionError) -> ValueKind {
    if [.unknown, .nothing].contains(kind) { return .unknown }
    let sample: AttributeValue =
      switch kind {
      case .text: .text("")
      case .bytes, .uuid: .bytes([])
      default: .integer(0)
      }
    guard let value = ExpressionFunction.value(of: key, in: sample) else {
      throw ExpressionError(.keyOfValue(key, after: kind.description))
    }
    return ValueKind(value)
  }
}
