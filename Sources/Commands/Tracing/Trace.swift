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
    commandName: "trace", abstract: "Sets how much migrations tell of what they do.",
    discussion: """
      Of migrations, 1 shows hops, passes and entity mappings, 2 each object and each statement in place \
      too, 3 relationships and changes of the schema; the lines wear Core Data's tag, their words are \
      Strata's own. Of sql, 1 shows the statements and their times, 2 what is bound to them, 3 the rows \
      that come, 4 the query plans. 0 is silent. `-com.apple.CoreData.MigrationDebug N` and \
      `-com.apple.CoreData.SQLDebug N` on the command line do the same.

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
  ]

  @Argument(help: "What to trace: migration or sql.") var subject: Subject
  @Argument(help: "0 to 3 for migration, 0 to 4 for sql.") var level: Int
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
  }

  mutating func run(in session: Session) throws -> Outcome {
    switch subject {
    case .migration: session.trace.migration = level
    case .sql: (session.trace.sql, session.trace.isRevealed) = (level, reveal)
    }
    let what = subject == .migration ? "migrations are" : "statements are"
    return Outcome(
      .line(StyledText(level == 0 ? "\(what) not traced" : "\(what) traced at level \(level)")),
      payload: [subject.rawValue: level])
  }
}
