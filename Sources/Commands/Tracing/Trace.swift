internal import ArgumentParser
internal import StrataRendering

/// `trace migration|sql LEVEL`
struct Trace: StrataCommand {
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case migration, sql

    /// The highest level.
    var limit: Int {
      switch self {
      case .migration: 3
      case .sql: 4
      }
    }
  }

  static let configuration = CommandConfiguration.command(
    "trace", abstract: "Sets the level of tracing for migrations or SQL statements.",
    discussion: """
      `trace migration`: 1 shows hops, passes and entity mappings, 2 also each object and each statement in \
      place, 3 also relationships and schema changes. The lines begin with CoreData: annotation: (migration), \
      as in Core Data's log; the rest of each line is Strata's own wording, because no log of a successful \
      migration is public.

      `trace sql`, for every command that reads or writes a SQLite store: 1 shows each statement and its \
      execution time, 2 also the bound values and the number of rows, 3 also the rows, 4 also the query plan. \
      A line begins with CoreData: if Core Data runs a statement for the same purpose; the text of the \
      statement can differ. Strata's own statements, such as checks and counts, are shown only with --own and \
      begin with Strata:. Statements that a stepper command runs to show the current state are not traced.

      0 turns tracing off. `-com.apple.CoreData.MigrationDebug N` and `-com.apple.CoreData.SQLDebug N` on the command \
      line do the same.

      Times and values are shown only live: a saved session and the file of --trace-json contain zeros and \
      types instead, so that a replay gives the same text and no user data is saved; --reveal keeps the values \
      in both.
      """)
  static let examples = [
    CommandExample("the passes", "trace migration 1"),
    CommandExample(
      "the statements of a dry run", "create lists.sqlite --model sample:Topics/Model2 --rows 1",
      "trace sql 1", "migrate lists.sqlite --to sample:Topics/Model3 --dry-run"),
    CommandExample(
      "how objects are fetched", "create lists.sqlite --model sample:Topics/Model2 --rows 1",
      "trace sql 2", "count lists.sqlite Topic --where 'topicList != nil'"),
  ]

  @Argument(help: "The subject: migration or sql.") var subject: Subject
  @Argument(help: "0 to 3 for migration, 0 to 4 for sql.") var level: Int
  @Flag(help: "Show Strata's own statements too.") var own = false
  @Flag(help: "Keep the values of statements in saved answers.") var reveal = false
  @OptionGroup var output: OutputOptions

  static func candidates(after arguments: [String], in session: Session) -> [String]? {
    switch arguments.count {
    case 0: Subject.allCases.map(\.rawValue)
    case 1:
      arguments.first.flatMap(Subject.init(rawValue:)).map { (0...$0.limit).map(String.init) } ?? []
    default: []
    }
  }

  mutating func validate() throws {
    guard (0...subject.limit).contains(level) else {
      throw ValidationError("the level of \(subject.rawValue) must be 0 to \(subject.limit)")
    }
    guard !reveal || subject == .sql else {
      throw ValidationError("--reveal requires trace sql")
    }
    guard !own || subject == .sql else {
      throw ValidationError("--own requires trace sql")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    switch subject {
    case .migration: session.trace.migration = level
    case .sql:
      (session.trace.sql, session.trace.isRevealed, session.trace.reportsOwn) = (level, reveal, own)
    }
    let what = subject == .migration ? "migrations are" : "statements are"
    let whose = own ? ", Strata's own included" : ""
    return Outcome(
      .line(
        StyledText(level == 0 ? "\(what) not traced" : "\(what) traced at level \(level)\(whose)")),
      json: [subject.rawValue: level])
  }
}
