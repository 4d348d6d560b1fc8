package import ArgumentParser
internal import StrataBase
package import StrataRendering

/// A command of Strata: one definition that serves the shell, the prompt, scripts and notebooks.
///
/// ArgumentParser parses the words; ``run(in:)`` does the work and returns what there is to say.
/// Nothing is printed by a command.
package protocol StrataCommand: ParsableCommand, Sendable {
  /// What the command may change: prompts, notebooks and replays decide by it.
  static var effect: CommandEffect { get }
  /// Sessions that the help shows and the tests run.
  static var examples: [CommandExample] { get }
  /// Whether the answer is wanted as JSON.
  var output: OutputOptions { get }
  /// Whether `save` writes the command down; what only asks for help or handles documents is not.
  var isRecorded: Bool { get }

  /// Whether its answers hold values out of stores, because it is asked for them or runs commands that are.
  /// Reports of replays leave such answers out.
  static var showsValues: Bool { get }

  /// What may follow these arguments, where that is more than the kind of the argument tells; `nil`
  /// elsewhere.
  static func candidates(after arguments: [String], in session: Session) -> [String]?

  /// The store and the entity whose objects these arguments ask about.
  static func askedObjects(of arguments: [String]) -> (store: String, entity: String)?

  mutating func run(in session: Session) throws -> Outcome
}

extension StrataCommand {
  package var isRecorded: Bool { true }

  package static var showsValues: Bool { false }

  package static func candidates(after arguments: [String], in session: Session) -> [String]? {
    nil
  }

  package static func askedObjects(of arguments: [String]) -> (store: String, entity: String)? {
    arguments.count >= 2 ? (arguments[0], arguments[1]) : nil
  }
}

/// What a command may change.
package enum CommandEffect: Sendable {
  /// Nothing outside the session.
  case reads
  /// A file that the user names, never one that is there.
  case writesFiles
  /// A store that is there already.
  case writesStore
}

/// Command lines with a word on what they show.
package struct CommandExample: Sendable {
  package var lines: [String]
  package var shows: String

  package init(_ shows: String, _ lines: String...) {
    self.shows = shows
    self.lines = lines
  }
}

/// Options of every command that answers.
package struct OutputOptions: ParsableArguments, Sendable {
  @Flag(help: "Print the answer as JSON.")
  package var json = false
  /// `sql=5000000000`: see ``Budgets/choose(_:)``. `help budgets` explains them for all commands.
  @Option(name: .customLong("budget"), help: .hidden)
  var chosenBudgets: [String] = []

  package init() {}

  /// - Throws: ``Diagnostic`` where there is no such budget.
  var budgets: Budgets {
    get throws(Diagnostic) {
      var budgets = Budgets()
      for choice in chosenBudgets { try budgets.choose(choice) }
      return budgets
    }
  }
}
