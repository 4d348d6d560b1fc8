internal import ArgumentParser

/// All commands, in the order of `help`.
package enum CommandTable {
  package static let all: [any StrataCommand.Type] = general + learning + stepping

  /// The commands for the same things.
  typealias Group = (title: String, commands: [any StrataCommand.Type])

  /// The commands that work everywhere.
  static let groups: [Group] = [
    (
      "models",
      [
        Load.self, Loaded.self, Unload.self, Samples.self, Show.self, Hash.self, Diff.self,
        Try.self, Write.self, CloudKit.self,
      ]
    ),
    (
      "stores",
      [
        Metadata.self, Compare.self, Identify.self, Validate.self, Rows.self, Count.self,
        SQLCommand.self, Create.self, Insert.self, Delete.self, Doctor.self,
      ]
    ),
    ("mappings", [Infer.self, MappingCommand.self]),
    ("migrations", [Plan.self, Migrate.self, Debug.self, Trace.self, Export.self]),
    ("projects", [ProjectCommand.self, Check.self, Lock.self]),
    (
      "documents",
      [
        Save.self, Forget.self, Open.self, Run.self, Replay.self, Expect.self, History.self,
        Edit.self,
      ]
    ),
    ("others", [LessonCommand.self, SetCommand.self, Help.self, Quit.self]),
  ]

  /// The commands that work only in the stepper.
  static let steppingGroups: [Group] = [
    (
      "move",
      [
        Step.self, Next.self, PassCommand.self, HopCommand.self, Continue.self, Finish.self,
        Back.self, Goto.self, MarkCommand.self, Restart.self,
      ]
    ),
    ("stop at", [Break.self, Watch.self]),
    (
      "look",
      [
        Where.self, Explain.self, StateCommand.self, SourceCommand.self, DestinationCommand.self,
        AssociationsCommand.self, Eval.self, LogCommand.self,
      ]
    ),
    ("end", [Abandon.self, Commit.self]),
  ]

  static let general = groups.flatMap(\.commands)
  package static let stepping = steppingGroups.flatMap(\.commands)

  /// The commands that work only in a lesson.
  static let learning: [any StrataCommand.Type] = [
    AnswerCommand.self, TaskCommand.self, HintCommand.self, AgainCommand.self, SkipCommand.self,
  ]

  /// The command with this name.
  package static func named(_ name: String) -> (any StrataCommand.Type)? {
    all.first { $0._commandName == name || $0.configuration.aliases.contains(name) }
  }

  /// A command as it is typed in a shell; `nil` if it needs what only a session keeps.
  ///
  /// A shell keeps no edited copy of a model, so that an edit is written to its file, unless it is in the program.
  @Sendable
  package static func shellForm(of command: String) -> String? {
    let words = command.split(separator: " ")
    guard let name = words.first, let type = named(String(name)),
      general.contains(where: { $0 == type }), !ofSession.contains(where: { $0 == type })
    else { return nil }
    let isEdit =
      type == Try.self && words.count > 2 && !command.contains("--")
      && !words[1].trimmingPrefix("'").hasPrefix("sample:")
    return "strata \(command)\(isEdit ? " --write" : "")"
  }

  /// The general commands that change what only a session keeps.
  private static let ofSession: [any StrataCommand.Type] = [
    Load.self, Loaded.self, Unload.self, Debug.self, Trace.self, Save.self, Forget.self,
    History.self, Edit.self, SetCommand.self, Quit.self,
  ]

  package static var names: [String] { all.map { $0._commandName } }
}
