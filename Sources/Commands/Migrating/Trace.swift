internal import ArgumentParser
internal import StrataRendering

/// `trace migration LEVEL`
struct Trace: StrataCommand {
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case migration
  }

  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Sets how much a migration tells of what it does.",
    discussion: """
      1 shows hops, passes and entity mappings, 2 each object too, 3 each object's relationships; 0 is \
      silent. `-com.apple.CoreData.MigrationDebug N` on the command line does the same. The lines wear \
      Core Data's tag; their words are Strata's own.
      """)
  static let effect = CommandEffect.reads
  static let examples = [CommandExample("the passes", "trace migration 1")]

  @Argument(help: "What to trace: migration.") var subject: Subject
  @Argument(help: "0 to 3.") var level: Int
  @OptionGroup var output: OutputOptions

  static func candidates(after arguments: [String], in session: Session) -> [String]? {
    switch arguments.count {
    case 0: Subject.allCases.map(\.rawValue)
    case 1: (0...3).map(String.init)
    default: []
    }
  }

  mutating func validate() throws {
    guard (0...3).contains(level) else { throw ValidationError("the level is 0, 1, 2 or 3") }
  }

  mutating func run(in session: Session) throws -> Outcome {
    session.trace.migration = level
    return Outcome(
      .line(
        StyledText(
          level == 0 ? "migrations are not traced" : "migrations are traced at level \(level)")),
      payload: ["migration": level])
  }
}
