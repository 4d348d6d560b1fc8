internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel

/// Checks the names in a statement of a policy or stage, before a row is read.
struct StatementNames {
  /// An object that a statement reads.
  struct Subject: Equatable {
    var version: NamedModel
    var entity: String
  }

  /// The object whose keys are read and set; `nil` if there is none.
  var object: Subject?
  /// The object of `$source`; `nil` if its keys are not checked.
  var source: Subject?
  /// The version of the objects that are found and created.
  var version: NamedModel
  /// The known variables.
  var variables: Set<String>
  /// The check of calls on objects of Core Data.
  var calls = VariableCheck(isRelationship: true)
  var position: LinePart

  func check(_ verb: PolicyScript.Verb) throws(LineError) {
    for value in verb.values { try checkAttribute(value.attribute) }
    switch verb {
    case .relate(let name, let search):
      try checkRelationship(name)
      try check(search)
    case .keepFirst(let name?, let keys, _):
      try checkRelationship(name)
      try checkKeys(keys, of: name)
    case .make(let search): try check(search)
    case .set, .split, .join, .skip, .oneDestination, .keepFirst, .require, .delete: break
    }
    for expression in verb.expressions {
      if case .make = verb, expression.refersToObject {
        throw position.problem(
          "\(expression.text) reads an object, but this statement runs once, for none",
          fix: "use constants, or create it for a relationship of each object")
      }
      try check(expression, in: verb)
    }
    switch verb {
    case .set(let attribute, let value):
      if let object { try checkKind(of: value, givenTo: attribute, of: object.entity) }
    case .relate(_, let search), .make(let search):
      for given in search.values {
        try checkKind(of: given.value, givenTo: given.attribute, of: search.entity)
      }
      // A text that is compared with a date or a UUID stands for it.
      if let key = search.key {
        try checkKind(
          of: key.value, givenTo: key.attribute, of: search.entity, isCompared: !search.creates)
      }
    case .split, .join, .skip, .oneDestination, .keepFirst, .require, .delete: break
    }
  }

  func checkEntity(_ name: String) throws(LineError) {
    guard version.model[name] == nil else { return }
    throw unknown(
      "\(version.versionName) has no entity \(name)", name, among: version.model.entityNames)
  }

  private func check(_ search: PolicyScript.Search) throws(LineError) {
    try checkEntity(search.entity)
    for given in search.allValues { try checkAttribute(given.attribute, of: search.entity) }
  }

  // MARK: Properties

  private func checkAttribute(_ name: String) throws(LineError) {
    if let object { try checkAttribute(name, of: object.entity) }
  }

  private func checkAttribute(_ name: String, of owner: String) throws(LineError) {
    let model = version.model
    // A stage changes the rows of the store.
    let isOfStage = object != nil && object == source
    let isTransient = model.attribute(name, of: owner)?.property.isTransient == true
    guard model.storedType(of: name, in: owner) == nil || isOfStage && isTransient else { return }
    if let relationship = model.relationship(name, of: owner) {
      throw position.occurrence(of: name).problem(
        "\(owner).\(name) is a relationship, not an attribute",
        fix: "set \(name) = find \(relationship.property.destinationName) where …, or create one")
    }
    if let attribute = model.attribute(name, of: owner) {
      let elements = model.storedNames(of: attribute.property)
      throw position.occurrence(of: name).problem(
        isTransient
          ? "\(owner).\(name) is transient and not stored"
          : "\(owner).\(name) is a composite, whose elements are set one by one",
        fix: isTransient ? nil : elements.first.map { "set \($0) = EXPRESSION" })
    }
    throw unknown(
      "\(owner) of \(version.versionName) has no stored attribute \(name)", name,
      among: model.allAttributes(of: owner).map(\.property.name))
  }

  private func checkRelationship(_ name: String) throws(LineError) {
    guard let object, version.model.relationship(name, of: object.entity) == nil else { return }
    guard version.model.storedType(of: name, in: object.entity) == nil else {
      throw position.occurrence(of: name).problem(
        "\(object.entity).\(name) is an attribute, not a relationship",
        fix: "set \(name) = EXPRESSION")
    }
    throw unknown(
      "\(object.entity) of \(version.versionName) has no relationship \(name)", name,
      among: version.model.allRelationships(of: object.entity).map(\.property.name))
  }

  /// Checks the keys by which the objects of a relationship are sorted.
  private func checkKeys(_ keys: [String], of relationship: String) throws(LineError) {
    guard let object,
      let owner = version.model.relationship(relationship, of: object.entity)?.property
        .destinationName
    else { return }
    try check(.keyPath(of: nil, keys), in: nil, of: owner, source: nil, at: version)
  }

  private func unknown(
    _ what: String, _ name: String, among known: [String]
  ) -> LineError {
    position.occurrence(of: name).problem(
      what, fix: Self.fix(NearestName.of(name, in: known), among: known))
  }

  private static func fix(_ near: String?, among known: [String]) -> String? {
    near.map(NearestName.question)
      ?? (known.isEmpty ? nil : "it has \(known.joined(separator: ", "))")
  }

  // MARK: Expressions

  /// Checks that an attribute takes the values of an expression, as far as their kind follows from the models.
  private func checkKind(
    of value: Expression, givenTo attribute: String, of owner: String, isCompared: Bool = false
  ) throws(LineError) {
    guard let type = version.model.storedType(of: attribute, in: owner) else { return }
    let wanted = ValueKind(type)
    let misfit =
      isCompared
      ? nil : source.flatMap { $0.version.model.misfit(of: value, from: $0.entity, in: type) }
    if let misfit {
      throw unfitting("\(owner).\(attribute)", misfit.gives, misfit.wants)
    }
    for model in [version.model, source?.version.model].compactMap(\.self) {
      func kind(_ subject: Subject?) -> ValueKind {
        subject.map { $0.version.model == model ? .object($0.entity) : .unknown } ?? .unknown
      }
      var variables = Dictionary(
        first: value.variables.union(variables).map { ($0, ValueKind.unknown) })
      variables["source"] = kind(source)
      variables["destination"] = kind(object)
      let wrong = value.outcomes.lazy.compactMap { outcome in
        try? model.resolved(outcome, object: kind(object), variables: variables).kind
      }.first { !$0.isAssignable(to: wanted) && (!isCompared || $0 != .text) }
      guard let wrong else { continue }
      throw unfitting("\(owner).\(attribute)", wrong.description, wanted.description)
    }
  }

  private func unfitting(_ attribute: String, _ gives: String, _ wants: String) -> LineError {
    position.problem(
      "\(attribute) gets \(gives), but requires \(wants)",
      fix: "convert it, such as by CAST(…, '…'), or set another attribute")
  }

  /// - Parameter verb: The statement; `nil` for the value of a method.
  func check(_ expression: Expression, in verb: PolicyScript.Verb? = nil) throws(LineError) {
    do {
      _ = try calls.answer(of: expression)
    } catch {
      throw position.problem(error.what, fix: error.fix)
    }
    let isOne = object == source
    try check(
      expression, in: verb, of: object?.entity, source: isOne ? source?.entity : nil,
      at: object?.version ?? version)
    if let source, !isOne {
      try check(expression, in: verb, of: nil, source: source.entity, at: source.version)
    }
  }

  private func check(
    _ expression: Expression, in verb: PolicyScript.Verb?, of entity: String?, source: String?,
    at version: NamedModel
  ) throws(LineError) {
    var entities: [String: String?] = [:]
    for name in variables { entities.updateValue(nil, forKey: name) }
    if let source { entities["source"] = source }
    do {
      try version.model.check(expression, of: entity, variables: entities)
    } catch {
      guard let (what, fix) = Self.problem(error, at: version) else {
        // An error that depends on the objects hides those of the other operands.
        for part in expression.knownParts {
          try check(part, in: verb, of: entity, source: source, at: version)
        }
        return
      }
      // The name before the equals sign is that of the attribute.
      var place = position
      if case .set = verb, let (_, value) = position.parts(at: "=") { place = value }
      throw (error.culprit.map(place.occurrence) ?? place).problem(what, fix: fix)
    }
  }

  /// The problem of an unknown name or an operand of the wrong kind; `nil` for errors that depend on the objects.
  private static func problem(
    _ error: ExpressionError, at version: NamedModel
  ) -> (what: String, fix: String?)? {
    switch error.problem {
    case .unknownKey(let key, let owner, let near):
      (
        "\(owner) of \(version.versionName) has no property \(key)",
        fix(near, among: version.model.propertyNames(of: owner))
      )
    case .unquotedText(let word, let owner):
      (
        "\(owner) of \(version.versionName) has no property \(word)",
        "a text is written in quotes: '\(word)'"
      )
    case .unknownVariable, .unknownFunction, .wrongArgumentCount, .unstored, .wrongOperand,
      .keyOfValue, .manyValues, .unquotedDate, .badPattern:
      (error.diagnostic.what, error.diagnostic.fix)
    default: nil
    }
  }
}
