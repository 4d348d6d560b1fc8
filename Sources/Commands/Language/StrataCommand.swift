package import ArgumentParser
internal import StrataBase
package import StrataRendering

/// A command of Strata, for the shell, the prompt, scripts and notebooks.
///
/// ArgumentParser parses the words; ``run(in:)`` does the work and returns the outcome. A command does not
/// print.
package protocol StrataCommand: ParsableCommand, Sendable {
  /// Whether it can write a file or change a store.
  static var changesFiles: Bool { get }
  /// Example sessions, shown by help and run by the tests.
  static var examples: [CommandExample] { get }
  /// Whether the answer is printed as JSON.
  var output: OutputOptions { get }
  /// Whether `save` records the command; commands for help and for documents are not recorded.
  var isRecorded: Bool { get }

  /// Whether its answers contain values of stores, directly or from commands that it runs. Reports of replays
  /// omit such answers.
  static var showsValues: Bool { get }

  /// Whether this answer contains values of a store; by default as all answers of the command.
  var answersWithValues: Bool { get }

  /// Whether several words are one text, as they were typed: quotes inside it belong to it.
  static var takesTypedText: Bool { get }

  /// The command with these arguments, if it is not parsed by ArgumentParser.
  static func plain(_ arguments: ArraySlice<String>) -> (any StrataCommand)?

  /// The completions after these arguments; `nil` to complete by the kind of the argument.
  static func candidates(after arguments: [String], in session: Session) -> [String]?

  /// The store and entity that these arguments name.
  static func objectReference(in arguments: [String]) -> (store: String, entity: String)?

  /// The entities of a condition after these arguments.
  static func conditionScope(after arguments: [String], in session: Session) -> ConditionScope?

  mutating func run(in session: Session) throws -> Outcome
}

extension StrataCommand {
  package var isRecorded: Bool { true }

  package static var changesFiles: Bool { false }
  package static var showsValues: Bool { false }

  package var answersWithValues: Bool { Self.showsValues }

  package static var takesTypedText: Bool { false }

  package static func plain(_ arguments: ArraySlice<String>) -> (any StrataCommand)? { nil }

  package static func candidates(after arguments: [String], in session: Session) -> [String]? {
    nil
  }

  package static func objectReference(in arguments: [String]) -> (store: String, entity: String)? {
    arguments.count >= 2 ? (arguments[0], arguments[1]) : nil
  }

  package static func conditionScope(after arguments: [String], in session: Session)
    -> ConditionScope?
  {
    guard let (store, entity) = objectReference(in: arguments),
      let model = session.storeModel(store)
    else { return nil }
    return ConditionScope(object: .init(name: entity, model: model))
  }
}

/// Command lines with a description.
package struct CommandExample: Sendable {
  package var lines: [String]
  package var shows: String

  package init(_ shows: String, _ lines: String...) {
    self.shows = shows
    self.lines = lines
  }

  /// An example in the stepper, with a store of the sample Topics.
  static func stepping(_ shows: String, _ lines: String...) -> CommandExample {
    var example = CommandExample(
      shows, "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "debug lists.sqlite --to sample:Topics/Model2")
    example.lines += lines
    return example
  }
}

/// Options of every command.
package struct OutputOptions: ParsableArguments, Sendable {
  @Flag(help: "Print the answer as JSON.")
  package var json = false
  /// `sql=5000000000`: see ``Budgets/choose(_:)``. `help budgets` explains them for all commands.
  @Option(name: .customLong("budget"), help: .hidden)
  var chosenBudgets: [String] = []

  package init() {}

  /// - Throws: ``Diagnostic`` if there is no such budget.
  var budgets: Budgets {
    get throws(Diagnostic) {
      var budgets = Budgets()
      for choice in chosenBudgets { try budgets.choose(choice) }
      return budgets
    }
  }
}
