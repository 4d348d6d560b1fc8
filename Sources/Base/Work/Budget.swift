/// What work may use up before it ends with status 2.
///
/// Every budget but ``time`` is counted in work, not in seconds: the same command on the same files ends at the same
/// place with the same words, whatever else the machine does. Such an answer may be recorded.
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
  /// Seconds of one command, and of all that it runs.
  ///
  /// The outermost limit: an answer that it ends depends on the machine, and is never recorded.
  case time

  /// What work may use up where nothing is said; `nil` for no limit.
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

  /// What is counted.
  package var unit: String {
    switch self {
    case .sql, .reading: "steps of SQLite"
    case .predicate, .comparison: "visits"
    case .pattern, .replay: "steps"
    case .time: "seconds"
    }
  }

  /// So many units: `1 visit`, `5 steps of SQLite`.
  package func amount(_ count: Int) -> String {
    guard count == 1 else { return "\(count) \(unit)" }
    return switch self {
    case .sql, .reading: "1 step of SQLite"
    case .predicate, .comparison: "1 visit"
    case .pattern, .replay: "1 step"
    case .time: "1 second"
    }
  }

  /// What is given beyond the budget for the size of what is worked on, so that no budget ends work which grows with
  /// its data alone: by byte of a store, by evaluation, by object.
  package var allowance: Int {
    switch self {
    case .reading: 50
    case .predicate: 1000
    case .comparison: 100
    case .sql, .pattern, .replay, .time: 0
    }
  }

  /// Steps of SQLite that take about as long as one unit: what a unit counts in a replay.
  var weight: Int {
    switch self {
    case .sql, .reading: 1
    case .predicate: 20
    case .comparison: 12
    case .pattern: 1
    case .replay, .time: 0
    }
  }

  /// The work that the budget is for, as the subject of a sentence.
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

  /// What `help budgets` says of it.
  package var summary: String {
    switch self {
    case .sql: "one query of `sql`"
    case .reading:
      "all other statements on a store in one command; \(allowance) more for each byte of the store"
    case .predicate:
      "elements of collections that SUBQUERY, ANY, ALL, aggregates and key paths of one command visit, times 40 in a SUBQUERY within a SUBQUERY; \(allowance) more for each evaluation"
    case .comparison:
      "objects and links visited by `compare --rows`; \(allowance) more for each object"
    case .pattern: "a regular expression, or a pattern of LIKE, on one text"
    case .replay:
      "all commands of one document together; a visit of an expression counts \(Budget.predicate.weight) steps, one of a comparison \(Budget.comparison.weight)"
    case .time: "one command; the answer depends on the machine, so that it is never recorded"
    }
  }

  /// The option that raises it, without its value.
  package var option: String { "--budget \(rawValue)=" }
}
