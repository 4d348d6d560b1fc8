internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

/// Generated objects to test filters: whether no filter accepts an object, and whether two filters accept the
/// same object.
///
/// Every result is a tested example, so there are no false positives; a missing example proves nothing.
struct FilterWitnesses {
  /// The key paths in the filters, by their text.
  private let paths: [String]
  /// The generated objects with the result of each filter.
  private var trials: [(values: [AttributeValue], answers: [Bool])] = []

  /// The maximum number of evaluations of a filter for an object.
  private static let limit = 40_000
  private static let constantLimit = 30
  private static let textLimit = 64

  /// The kind of value at the end of a key path.
  struct Holding {
    var kind: ValueKind
    /// The valid range, if it is an integer.
    var range: ClosedRange<Int64>?
    /// Whether it may have a fraction.
    var isFractional: Bool
    var mayBeNothing: Bool
  }

  init(of predicates: [Predicate], holding: (String) -> Holding) {
    var gatherer = Gatherer()
    for predicate in predicates { gatherer.visit(predicate) }
    // Keys of a value, such as the length of a string, follow from the value.
    let gathered = gatherer.paths
    paths = gathered.filter { path in !gathered.contains { path.hasPrefix($0 + ".") } }.sorted()
    guard !paths.isEmpty else {
      // Filters without key paths have the same result for every object.
      if let answers = try? Self.answers(of: predicates, [], []) { trials = [([], answers)] }
      return
    }
    let constants = gatherer.constants.filter { constant in
      if case .text(let text) = constant { text.utf8.count <= Self.textLimit } else { true }
    }
    // The candidate values of each key path: nil, the constants of the filters, their neighbors and what
    // is between them, and each letter.
    let plain = Self.candidates(Array(constants.prefix(Self.constantLimit)))
    let candidates = paths.map { path in
      let holding = holding(path)
      let values =
        switch holding.kind {
        case .text: plain.texts
        case .number, .date:
          plain.numbers.filter { value in
            guard case .integer(let number) = value else { return holding.isFractional }
            return holding.range?.contains(number) ?? true
          }
        case .unknown: plain.texts + plain.numbers
        default: [AttributeValue]()
        }
      return holding.mayBeNothing ? [.null] + values : values
    }
    var indices = Array(repeating: 0, count: paths.count)
    for _ in 0..<(Self.limit / max(1, predicates.count)) {
      let chosen = zip(candidates, indices).map { $0[$1] }
      do {
        if let answers = try Self.answers(of: predicates, paths, chosen) {
          trials.append((chosen, answers))
        }
      } catch {
        // A pattern that is too slow is not evaluated again.
        return
      }
      // The next combination, like a counter.
      var position = 0
      while position < indices.count {
        indices[position] += 1
        if indices[position] < candidates[position].count { break }
        indices[position] = 0
        position += 1
      }
      if position == indices.count { return }
    }
  }

  private static func candidates(
    _ constants: [AttributeValue]
  ) -> (texts: [AttributeValue], numbers: [AttributeValue]) {
    var numbers: Set<Int64> = [0, 1]
    var fractions: Set<Double> = []
    var texts: [AttributeValue] = []
    for constant in constants {
      switch constant {
      case .integer(let number):
        numbers.formUnion([number, number &- 1, number &+ 1])
      case .real(let number):
        fractions.insert(number)
        if let whole = Int64(exactly: number.rounded(.down)) {
          numbers.formUnion([whole, whole &- 1, whole &+ 1])
        }
      case .text: texts.append(constant)
      default: break
      }
    }
    let bounds = fractions.sorted()
    fractions.formUnion(zip(bounds, bounds.dropFirst()).map { $0 + ($1 - $0) / 2 })
    // Letters ordered by the readability of examples, then one outside of ASCII.
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !-.äж"
    return (
      texts + letters.map { .text(String($0)) } + [.text("")],
      numbers.sorted().map { .integer($0) } + fractions.sorted().map { .real($0) }
    )
  }

  /// The description of the first generated object with these filter results; `nil` if there is none.
  func example(where fits: ([Bool], [AttributeValue]) -> Bool) -> String? {
    trials.first { fits($0.answers, $0.values) }.map { trial in
      zip(paths, trial.values).map { path, value in
        value == .null ? "no \(path)" : "\(path) \(Expression.constant(value).text)"
      }.joined(separator: " and ")
    }
  }

  /// Up to two such objects: one with a missing value and one without.
  func examples(where fits: ([Bool]) -> Bool) -> [String] {
    [
      example { answers, values in fits(answers) && values.contains(.null) },
      example { answers, values in fits(answers) && !values.contains(.null) },
    ].compactMap { $0 }
  }

  /// Whether the first filter accepts an object whose value at a key path is nil.
  func mayHold(without path: String) -> Bool {
    guard let index = paths.firstIndex(of: path) else { return true }
    return trials.contains { $0.answers[0] && $0.values[index] == .null }
  }

  /// The result of each filter; `nil` if one cannot be evaluated for such a value.
  ///
  /// - Throws: ``ExpressionError/Problem/patternTooSlow(_:)``, ``BudgetSpent``.
  private static func answers(
    of predicates: [Predicate], _ paths: [String], _ chosen: [AttributeValue]
  ) throws -> [Bool]? {
    let object = ThoughtUpObject(
      prefix: [],
      values: Dictionary(zip(paths, chosen).map { ($0, $1) }, uniquingKeysWith: { $1 }))
    let context = EvaluationContext(object: object)
    var answers: [Bool] = []
    for predicate in predicates {
      do {
        answers.append(try context.holds(predicate))
      } catch let error as ExpressionError {
        if case .patternTooSlow = error.problem { throw error }
        return nil
      } catch let spent as BudgetSpent {
        throw spent
      } catch {
        return nil
      }
    }
    return answers
  }

  /// The key paths and constants in predicates.
  private struct Gatherer {
    var paths: Set<String> = []
    var constants: [AttributeValue] = []

    mutating func visit(_ predicate: Predicate) {
      switch predicate {
      case .constant: break
      case .not(let part): visit(part)
      case .and(let parts), .or(let parts): for part in parts { visit(part) }
      case .comparison(let comparison):
        visit(comparison.left)
        // A pattern is not a value that it matches.
        if ![.matches, .like].contains(comparison.operator) { visit(comparison.right) }
      }
    }

    mutating func visit(_ expression: Expression) {
      switch expression {
      case .constant(let value): constants.append(value)
      case .keyPath(of: nil, let keys): paths.insert(keys.joined(separator: "."))
      case .keyPath(of: let start?, _): visit(start)
      case .function(_, _, let arguments), .collection(let arguments):
        for argument in arguments { visit(argument) }
      default: break
      }
    }
  }
}

/// An object with given values of its key paths.
private struct ThoughtUpObject: EvaluatedObject {
  let prefix: [String]
  let values: [String: AttributeValue]

  var identity: ObjectIdentity {
    ObjectIdentity(rootEntity: prefix.joined(separator: "."), key: 1)
  }

  func value(forKey key: String) throws -> ExpressionValue {
    let path = (prefix + [key]).joined(separator: ".")
    if let value = values[path] { return .value(value) }
    guard values.keys.contains(where: { $0.hasPrefix(path + ".") }) else {
      throw ExpressionError(.notPossible(path))
    }
    return .object(ThoughtUpObject(prefix: prefix + [key], values: values))
  }
}
