internal import ArgumentParser
internal import StrataRendering

/// `trace migration|sql LEVEL`
struct Trace: StrataCommand {
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case migration, sql

    /// The highest level there is.
    var limit: Int {
      switch self {
      case .migration: 3
      case .sql: 4
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Sets how much is shown of migrations and of SQL statements.",
    discussion: """
      `trace migration`: 1 shows hops, passes and entity mappings, 2 also each object and each statement in \
      place, 3 also relationships and changes of the schema. The lines begin with CoreData: annotation: \
      (migration), as Core Data's do; what follows is in Strata's words, since no log of a migration that \
      succeeds is public.

      `trace sql`, in every command that reads or writes a SQLite store: 1 shows each statement when it begins \
      and its time when it has ended, 2 also the bound values and the number of rows, 3 also the rows, 4 also \
      the query plan. The lines begin with CoreData: where the statement stands for one that Core Data runs \
      for the same work; the text of the statement may differ. Strata's own statements, such as checks and \
      counts, are shown with --own only, and begin with Strata:. What a command of the stepper reads to show \
      it at a stop is not traced.

      0 is silent. `-com.apple.CoreData.MigrationDebug N` and `-com.apple.CoreData.SQLDebug N` on the command \
      line do the same.

      Times and values are for those who look on: a session that is saved has zeros and kinds in their \
      place, so that it repeats, and shows nobody's data, and so has the file of --trace-json; --reveal keeps \
      the values in both.
      """)
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample("the passes", "trace migration 1"),
    CommandExample(
      "the statements of a rehearsal", "create lists.sqlite --model sample:Topics/Model2 --rows 1",
      "trace sql 1", "migrate lists.sqlite --to sample:Topics/Model3 --dry-run"),
    CommandExample(
      "how objects are fetched", "create lists.sqlite --model sample:Topics/Model2 --rows 1",
      "trace sql 2", "count lists.sqlite Topic --where 'topicList != nil'"),
  ]

  @Argument(help: "What to trace: migration or sql.") var subject: Subject
  @Argument(help: "0 to 3 for migration, 0 to 4 for sql.") var level: Int
  @Flag(help: "Show Strata's own statements too.") var own = false
  @Flag(help: "Keep the values of statements in answers that are saved.") var reveal = false
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
      throw ValidationError("the level of \(subject.rawValue) is 0 to \(subject.limit)")
    }
    guard !reveal || subject == .sql else {
      throw ValidationError("--reveal is for the values of statements: trace sql")
    }
    guard !own || subject == .sql else {
      throw ValidationError("--own is for statements: trace sql")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    switch subject {
    case .migration: session.trace.migration = level
    case .sql:
      (session.trace.sql, session.trace.isRevealed, session.trace.tellsOwn) = (level, reveal, own)
    }
    let what = subject == .migration ? "migrations are" : "statements are"
    let whose = own ? ", Strata's own included" : ""
    return Outcome(
      .line(
        StyledText(level == 0 ? "\(what) not traced" : "\(what) traced at level \(level)\(whose)")),
      payload: [subject.rawValue: level])
  }
}
