internal import ArgumentParser
internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// An expectation: its subjects and options.
struct Expectation {
  var subjects: [String]
  var predicates: [String]
  var model: String?
  /// The stages file of a migration.
  var stages: String?
  /// Whether values of the store are shown.
  var isRevealing = false

  func result(_ condition: ExpectedCondition, in session: Session) throws -> ExpectationResult {
    switch condition {
    case .compatible:
      var compare = try Compare.parse(["--"] + subjects)
      return yesOrNo(
        try compare.run(in: session), "\(subjects[0]) and \(subjects[1]) are", "compatible")
    case .inferable:
      var infer = try Infer.parse(["--"] + subjects)
      return yesOrNo(
        try infer.run(in: session), "\(subjects[0]) to \(subjects[1]) is", "inferable")
    case .valid:
      var validate = try Validate.parse(["--limit", String(Self.shownObjects), "--"] + subjects)
      return yesOrNo(try validate.run(in: session), "\(subjects[0]) is", "valid")
    case .migrates: return try migrates(in: session)
    case .reaches: return try reaches(in: session)
    case .losesNothing: return try losesNothing(in: session)
    case .fits: return try fits(in: session)
    case .safe: return try safe(in: session)
    case .hash: return try hash(in: session)
    case .count: return try count(in: session)
    case .value: return try value(in: session)
    case .all: return try all(in: session)
    case .guards: return try guards(in: session)
    }
  }

  /// The maximum number of shown objects that are not as expected.
  private static let shownObjects = 3

  /// The result of a command that answers yes or no.
  private func yesOrNo(_ answer: Outcome, _ subject: String, _ adjective: String)
    -> ExpectationResult
  {
    let isTrue = answer.status == .done
    return ExpectationResult(
      holds: isTrue, message: "\(subject) \(isTrue ? "" : "not ")\(adjective)", expected: adjective,
      details: answer.view)
  }

  // MARK: Hashes

  private func hash(in session: Session) throws -> ExpectationResult {
    let (reference, wanted) = (subjects[0], subjects[1])
    let known: [String]
    switch try session.resolve(reference) {
    case .entity(let entity, let model):
      known = model.model.versionHashes()[entity].map { [$0.hex] } ?? []
    case .property(let property, let entity, let model):
      known = model.model.propertyHashes(of: entity)[property].map { [$0.hex] } ?? []
    case .store(_, let path):
      known = Self.checksums(of: try session.open(path).metadata.versionHashes)
    case .model(let model): known = Self.checksums(of: model.model.versionHashes())
    case .mapping:
      throw Diagnostic(
        id: "reference.notAModel", what: "\(reference) is a mapping model, which has no hash",
        fix: "name an entity, a property, a model or a store")
    }
    guard let shown = known.first else {
      throw Diagnostic(
        id: "hash.none", what: "\(reference) is transient or fetched and has no hash",
        fix: "name an entity or a stored property")
    }
    let isChecksum = known.count > 1
    let letters = isChecksum ? wanted : wanted.lowercased().filter { !"<> ".contains($0) }
    guard letters.utf8.count >= 8, isChecksum || letters.allSatisfy(\.isHexDigit) else {
      throw Diagnostic(
        id: "command.usage", what: "\(wanted) is not a \(isChecksum ? "checksum" : "version hash")",
        fix: "write at least eight characters of it, as printed by `hash \(reference) --json`")
    }
    return ExpectationResult(
      holds: known.contains { $0.hasPrefix(letters) },
      message: "\(reference) has \(VersionHash(hex: shown)?.description ?? shown)", expected: wanted
    )
  }

  private static func checksums(of hashes: [String: VersionHash]) -> [String] {
    [hashes.versionChecksum, hashes.versionDigest]
  }

  // MARK: Objects

  private func objects(in session: Session) throws -> (objects: StoreObjects, query: StoreQuery) {
    let objects = try session.objects(of: subjects[0], model: model)
    return (
      objects,
      try StoreQuery(entity: subjects[1], predicates: predicates, in: objects)
    )
  }

  /// `12 objects of Topic`
  private func countText(_ count: Int) -> String {
    "\(Phrase.count(count, "object")) of \(subjects[1])"
      + (predicates.isEmpty ? "" : " where \(predicates.joined(separator: " AND "))")
  }

  private func count(in session: Session) throws -> ExpectationResult {
    let comparison = String(subjects[2].prefix { "<>=!".contains($0) })
    let digits = subjects[2].dropFirst(comparison.count).drop { $0 == " " }
    guard let number = Int(digits), number >= 0,
      let holds = Self.comparisons[comparison.isEmpty ? "==" : comparison]
    else {
      throw Diagnostic(
        id: "command.usage", what: "\(subjects[2]) is not a count",
        fix: "write a number, or a comparison: '>= 5'")
    }
    let (objects, query) = try objects(in: session)
    let count = try located { try objects.count(query) }
    try objects.checkUnchanged()
    return ExpectationResult(
      holds: holds(count, number), message: countText(count), expected: subjects[2])
  }

  private static let comparisons: [String: @Sendable (Int, Int) -> Bool] = [
    "==": { $0 == $1 }, "=": { $0 == $1 }, "!=": { $0 != $1 }, "<": { $0 < $1 },
    "<=": { $0 <= $1 }, ">": { $0 > $1 }, ">=": { $0 >= $1 },
  ]

  /// The key of one object, in place of an expression: `value STORE Entity.attribute p1 VALUE`.
  private var oneKey: (entity: String, attribute: String, key: Int64)? {
    let names = subjects[1].split(separator: ".", maxSplits: 1).map(String.init)
    guard names.count == 2, subjects[2].hasPrefix("p"), let key = Int64(subjects[2].dropFirst())
    else { return nil }
    return (names[0], names[1], key)
  }

  private func value(in session: Session) throws -> ExpectationResult {
    if let (entity, attribute, key) = oneKey {
      var other = self
      other.subjects = [subjects[0], entity, attribute, subjects[3]]
      return try other.value(ofObject: key, in: session)
    }
    return try value(ofObject: nil, in: session)
  }

  /// - Parameter key: The key of the only object to look at; `nil` for all.
  private func value(ofObject key: Int64?, in session: Session) throws -> ExpectationResult {
    let (text, wanted) = (subjects[2], subjects[3])
    let (objects, query) = try objects(in: session)
    let expression: Expression
    do throws(ExpressionError) {
      expression = try objects.model.resolved(Expression(parsing: text), for: subjects[1])
    } catch {
      throw error.located(in: text)
    }
    let choice = ArithmeticChoice(object: .init(model: objects.model, entity: subjects[1]))
    var context = EvaluationContext(now: query.now, arithmetic: choice.arithmetic(of: expression))
    let attribute = objects.model.attribute(at: expression, of: subjects[1])
    var (count, others) = (0, 0)
    var rows: [[StyledText]] = []
    try located {
      try objects.forEach(query) { object in
        guard key == nil || object.key == key else { return true }
        context.object = object
        let value = try context.value(of: expression)
        let shown = try Self.shown(value, of: attribute, text)
        count += 1
        guard shown.text != wanted else { return true }
        others += 1
        if rows.count < Self.shownObjects {
          rows.append([
            StyledText("p\(object.key)", .name), isRevealing ? shown : Self.kind(of: value, shown),
          ])
        }
        return true
      }
    }
    try objects.checkUnchanged()
    return ExpectationResult(
      holds: count > 0 && others == 0,
      message: count == 0
        ? "there is no object \(key.map { "\(subjects[1])/p\($0)" } ?? "of \(subjects[1])")"
        : others == 0
          ? "\(text) is \(wanted) in \(countText(count))"
          : "\(text) differs in \(others) of \(countText(count))",
      expected: wanted, details: rows.isEmpty ? .nothing : .table(rows: rows))
  }

  /// A description of a value without its data; the keys of objects are shown.
  private static func kind(of value: ExpressionValue, _ shown: StyledText) -> StyledText {
    guard case .value(let plain) = value, plain != .null else { return shown }
    return StyledText("(\(plain.summary))", .faint)
  }

  /// A value as `rows` shows it.
  private static func shown(
    _ value: ExpressionValue, of attribute: Attribute?, _ text: String
  ) throws(Diagnostic) -> StyledText {
    switch value {
    case .value(let value):
      return attribute.map { ShownValue(value, of: $0).text } ?? ShownValue(value).text
    case .object(let object): return StyledText("p\(object.identity.key)")
    case .collection:
      throw Diagnostic(
        id: "expect.severalValues", what: "\(text) has several values",
        fix: "compare their number, as in topics.@count, or use a predicate: `expect all`")
    }
  }

  private func all(in session: Session) throws -> ExpectationResult {
    let (objects, query) = try objects(in: session)
    let wanted = try StoreQuery(
      entity: subjects[1], predicates: [subjects[2]], in: objects)
    guard let predicate = wanted.predicate else { preconditionFailure("it was just given") }
    var others = query
    others.predicate = query.predicate.map { .and([$0, .not(predicate)]) } ?? .not(predicate)
    others.limit = Self.shownObjects
    let view = ObjectView(entity: subjects[1], objects: objects)
    var rows: [[StyledText]] = []
    let (count, left) = try located {
      try objects.forEach(others) { object in
        let row = try view.row(object, isFull: false)
        rows.append(isRevealing ? row : Array(row.prefix(1)))
        return true
      }
      return (try objects.count(query), try objects.count(others))
    }
    try objects.checkUnchanged()
    return ExpectationResult(
      holds: count > 0 && left == 0,
      message: count == 0
        ? "there is no object of \(subjects[1])"
        : left == 0
          ? "\(subjects[2]) is true of \(countText(count))"
          : "\(subjects[2]) is not true of \(left) of \(countText(count))",
      expected: "true of all",
      details: rows.isEmpty
        ? .nothing
        : .table(columns: isRevealing ? view.columns : [.init("")], rows: rows))
  }

  /// Adds the typed text to evaluation errors.
  private func located<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as ExpressionError {
      throw error.located(in: (subjects.dropFirst(2) + predicates).joined(separator: " AND "))
    }
  }
}
