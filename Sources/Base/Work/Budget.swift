/// A limit on the work of a command, which otherwise ends with status 2.
///
/// Every budget but ``time`` is counted in work, not in seconds: the same command on the same files ends at the
/// same point with the same message, on every machine. Such an answer may be recorded.
///
/// ```swift
/// Budget.sql.standard  // 600_000_000
/// Budget.sql.option    // "--budget sql="
/// ```
package enum Budget: String, Sendable, CaseIterable {
  /// Steps of SQLite's virtual machine for one query that a user has written.
  case sql
  /// Steps of SQLite's virtual machine for all other statements on one store in one command.
  case reading
  /// Elements of collections that the expressions of one command visit.
  case predicate
  /// Objects and links that one comparison of two stores visits.
  case comparison
  /// Steps of a regular expression, or of LIKE, on one text.
  case pattern
  /// Work of all commands of one document, in steps of SQLite.
  case replay
  /// Seconds of one command, including the commands that it runs.
  ///
  /// An answer that this limit ends depends on the machine, and is never recorded.
  case time

  /// The default limit; `nil` for no limit.
  ///
  /// About ten seconds for `sql`, `reading`, `predicate` and `comparison`, a quarter of a second for `pattern` and a
  /// hundred seconds for `replay`, measured on two cores.
  package var standard: Int? {
    switch self {
    case .sql, .reading: 600_000_000
    case .predicate: 60_000_000
    case .comparison: 100_000_000
    case .pattern: 25_000_000
    case .replay: 6_000_000_000
    case .time: nil
    }
  }

  /// The unit, in the plural.
  package var unit: String {
    switch self {
    case .sql, .reading: "steps of SQLite"
    case .predicate, .comparison: "visits"
    case .pattern, .replay: "steps"
    case .time: "seconds"
    }
  }

  /// A count with its unit: `1 visit`, `5 steps of SQLite`.
  package func amount(_ count: Int) -> String {
    guard count == 1 else { return "\(count) \(unit)" }
    return switch self {
    case .sql, .reading: "1 step of SQLite"
    case .predicate, .comparison: "1 visit"
    case .pattern, .replay: "1 step"
    case .time: "1 second"
    }
  }

  /// The additional budget for each byte of a store, each evaluation or each object, so that no budget ends work
  /// that is only proportional to its data.
  package var allowance: Int {
    switch self {
    case .reading: 50
    case .predicate: 1000
    case .comparison: 100
    case .sql, .pattern, .replay, .time: 0
    }
  }

  /// The SQLite steps that take about as long as one unit, by which a unit counts in a replay.
  var weight: Int {
    switch self {
    case .sql, .reading: 1
    case .predicate: 20
    case .comparison: 12
    case .pattern: 1
    case .replay, .time: 0
    }
  }

  /// The work that the budget limits, as the subject of a sentence.
  package var subject: String {
    switch self {
    case .sql: "the query"
    case .reading: "reading the store"
    case .predicate: "evaluating the expressions"
    case .comparison: "comparing the stores"
    case .pattern: "the pattern"
    case .replay: "the replay"
    case .time: "the command"
    }
  }

  /// The description in `help budgets`.
  package var summary: String {
    switch self {
    case .sql:
      "one `sql` query; a step counts once for each 250 bytes of the longest value, a function of text by the work it does"
    case .reading:
      "all other statements on a store in one command; \(allowance) more for each byte of the store"
    case .predicate:
      "collection elements that SUBQUERY, ANY, ALL, aggregates and key paths of one command visit, counted 40 times in a nested SUBQUERY; \(allowance) more for each evaluation"
    case .comparison:
      "objects and links visited by `compare --rows`; \(allowance) more for each object"
    case .pattern: "one regular expression or LIKE pattern, matched against one text"
    case .replay:
      "all commands of one document together; a visit counts as \(Budget.predicate.weight) steps in an expression, as \(Budget.comparison.weight) in a comparison"
    case .time: "one command; the result depends on the machine, so it is never recorded"
    }
  }

  /// The option that sets it, without its value.
  package var option: String { "--budget \(rawValue)=" }
}
