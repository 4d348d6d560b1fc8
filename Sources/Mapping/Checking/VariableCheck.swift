internal import StrataBase
package import StrataExpressions
internal import StrataObjectModel

/// Checks a value expression for parts that only a running app can evaluate, before a row is read.
///
/// ```swift
/// try VariableCheck(isRelationship: false).answer(of: Expression(parsing: "$manager.sourceContext"))
/// // throws: sourceContext cannot be evaluated: a managed object context exists only in the app
/// ```
package struct VariableCheck {
  /// The reason why an expression cannot be evaluated, and the advice.
  package struct Problem: Error, Hashable {
    package var what: String
    package var fix: String
  }

  /// Whether the expression is of a relationship mapping, for which the destination object is complete.
  var isRelationship: Bool
  /// The class of the entity mapping's policy.
  var policyName: String?
  /// The selectors of the policy's methods; `nil` if unknown.
  var policyMethods: Set<String>?

  package init(
    isRelationship: Bool, policyName: String? = nil, policyMethods: Set<String>? = nil
  ) {
    self.isRelationship = isRelationship
    self.policyName = policyName
    self.policyMethods = policyMethods
  }

  /// The kind of result of an expression on an object of Core Data; `nil` for expressions on objects of the
  /// stores and for unknown results.
  package func answer(
    of expression: Expression
  ) throws(Problem) -> MappingObject.Answer? {
    switch expression {
    case .constant, .evaluatedObject: return nil
    case .variable(let name): return try variable(name)
    case .keyPath(of: let operand, let keys):
      guard let operand, let start = try answer(of: operand) else { return nil }
      return try walk(keys[...], from: start)
    case .function(let selector, on: let target, let arguments):
      for argument in arguments { _ = try answer(of: argument) }
      guard let target, let start = try answer(of: target) else { return nil }
      return try call(selector, on: start, arguments)
    case .collection(let elements):
      for element in elements { _ = try answer(of: element) }
      return nil
    case .subquery(let collection, _, let predicate):
      let answer = try answer(of: collection)
      try check(predicate)
      return answer
    case .conditional(let predicate, let first, let second):
      try check(predicate)
      let (one, other) = (try answer(of: first), try answer(of: second))
      return one == other ? one : nil
    // Not supported at all.
    case .fetch: return nil
    }
  }

  private func check(_ predicate: Predicate) throws(Problem) {
    for operand in predicate.operands { _ = try answer(of: operand) }
  }

  private func variable(_ name: String) throws(Problem) -> MappingObject.Answer? {
    guard let variable = MappingVariable(rawValue: name) else { return nil }
    guard variable != .destination || isRelationship else {
      throw Problem(
        what: "the destination object is not complete while its attributes are evaluated",
        fix: "use $source, or set the attribute in a policy")
    }
    return variable.object.map { .object($0) }
  }

  // MARK: Keys

  private func walk(
    _ keys: ArraySlice<String>, from start: MappingObject.Answer
  ) throws(Problem) -> MappingObject.Answer? {
    var answer = start
    var rest = keys
    while let key = rest.popFirst() {
      switch answer {
      case .object(.userInfo), .instances, .unavailable: return nil
      case .object(let object):
        guard let next = try self.key(key, of: object) else { return nil }
        answer = next
      case .objects(let object):
        if key == "@count" { return .number }
        guard !key.hasPrefix("@") else {
          _ = try walk(rest, from: .object(object))
          return nil
        }
        guard let next = try self.key(key, of: object) else { return nil }
        answer = next == .text ? .texts : .unavailable("")
      case .texts: return key == "@count" ? .number : nil
      case .text, .number, .bytes:
        let sample: AttributeValue =
          answer == .text ? .text("") : answer == .number ? .integer(0) : .bytes([])
        guard let value = ExpressionFunction.value(of: key, in: sample) else {
          throw Problem(
            what: "\(ValueKind(sample).description) has no \(key)",
            fix: "`help expressions` lists what an expression may contain")
        }
        answer = .init(ValueKind(value))
      }
    }
    if case .unavailable = answer { return nil }
    return answer
  }

  private func key(
    _ key: String, of object: MappingObject
  ) throws(Problem) -> MappingObject.Answer? {
    if object == .userInfo { return nil }
    if object == .entityPolicy { return try method(key) }
    return try known(key, object.keys[key], of: object, near: object.knownKeys)
  }

  private func known(
    _ name: String, _ answer: MappingObject.Answer?, of object: MappingObject, near: [String]
  ) throws(Problem) -> MappingObject.Answer {
    guard let answer else {
      throw Problem(
        what: "\(object.rawValue) has no documented property or method \(name)",
        fix: NearestName.of(name, in: near).map(NearestName.question)
          ?? "use one of \(near.sorted().joined(separator: ", "))")
    }
    if case .unavailable(let why) = answer {
      throw Problem(
        what: "\(name) cannot be evaluated: \(why)",
        fix: "use another expression, or set the property in a policy")
    }
    return answer
  }

  // MARK: Functions

  private func call(
    _ selector: String, on target: MappingObject.Answer, _ arguments: [Expression]
  ) throws(Problem) -> MappingObject.Answer? {
    if ["valueForKey:", "valueForKeyPath:"].contains(selector), arguments.count == 1 {
      guard case .constant(.text(let path)) = arguments[0] else { return nil }
      return try walk(path.split(separator: ".").map(String.init)[...], from: target)
    }
    guard case .object(let object) = target, object != .userInfo else {
      return selector.hasSuffix(":") ? nil : try walk([selector], from: target)
    }
    let count = selector.count { $0 == ":" }
    guard count == arguments.count else {
      throw Problem(
        what: "\(selector) takes \(Phrase.count(count, "argument"))",
        fix: "FUNCTION(object, \"selector:\", an argument for each colon)")
    }
    if object == .entityPolicy { return try method(selector) }
    let all = object.functions.merging(object.keys) { function, _ in function }
    return try known(
      selector, all[selector], of: object,
      near: all.filter { $0.value.isKnown }.map(\.key))
  }

  /// The result of a policy method is unknown.
  private func method(_ selector: String) throws(Problem) -> MappingObject.Answer? {
    if MappingObject.entityPolicy.functions[selector] != nil {
      _ = try known(
        selector, MappingObject.entityPolicy.functions[selector], of: .entityPolicy, near: [])
    }
    guard let policyName else {
      throw Problem(
        what: "the entity mapping has no policy with a method \(selector)",
        fix: "name the policy that has it, or use another expression")
    }
    guard let policyMethods, !policyMethods.contains(selector) else { return nil }
    throw Problem(
      what: "the policy \(policyName) has no method \(selector)",
      fix: NearestName.of(selector, in: Array(policyMethods)).map(NearestName.question)
        ?? "add `method \(Self.form(of: selector)) = EXPRESSION` to its file, or the method in Swift"
    )
  }

  /// The text form of a selector: `join:$a with:$b` for `join:with:`.
  package static func form(of selector: String) -> String {
    let parts = selector.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return selector }
    let names = "abcdefghijklmnopqrstuvwxyz"
    return zip(parts.dropLast(), names).map { "\($0):$\($1)" }.joined(separator: " ")
  }
}

extension MappingObject {
  /// The keys that can be evaluated.
  fileprivate var knownKeys: [String] { keys.filter { $0.value.isKnown }.map(\.key) }
}

extension MappingObject.Answer {
  fileprivate var isKnown: Bool {
    if case .unavailable = self { false } else { true }
  }

  fileprivate init(_ kind: ValueKind) {
    switch kind {
    case .number: self = .number
    case .bytes: self = .bytes
    default: self = .text
    }
  }

  /// The name in messages of expression checks.
  var kind: ValueKind {
    switch self {
    case .text: .text
    case .number: .number
    case .bytes: .bytes
    case .texts: .many(.text)
    case .object(.userInfo), .unavailable: .unknown
    case .object(let object): .object(object.rawValue)
    case .objects(let object): .many(.object(object.rawValue))
    case .instances: .many(.unknown)
    }
  }
}
