internal import ArgumentParser

/// All commands, in the order of `help`.
package enum CommandTable {
  package static let all: [any StrataCommand.Type] = general + learning + stepping

  /// The commands that work only in the stepper.
  package static let stepping: [any StrataCommand.Type] = [
    Step.self, Next.self, PassCommand.self, HopCommand.self, Continue.self, Finish.self, Back.self,
    Goto.self, MarkCommand.self, Restart.self, Break.self, Watch.self, Where.self, Explain.self,
    StateCommand.self,
    SourceCommand.self, DestinationCommand.self, AssociationsCommand.self, Eval.self,
    LogCommand.self, Abandon.self, Commit.self,
  ]

  /// The commands that work only in a lesson.
  static let learning: [any StrataCommand.Type] = [
    AnswerCommand.self, TaskCommand.self, HintCommand.self, AgainCommand.self, SkipCommand.self,
  ]

  static let general: [any StrataCommand.Type] = [
    Load.self, Loaded.self, Unload.self, Samples.self, Show.self, Hash.self, Diff.self, Try.self,
    Write.self,
    Metadata.self, Compare.self, Identify.self, Validate.self, Rows.self, Count.self,
    SQLCommand.self, Create.self, Insert.self, Delete.self, Infer.self, MappingCommand.self,
    CloudKit.self, ProjectCommand.self, Check.self, Lock.self, Plan.self, Migrate.self, Debug.self,
    Export.self, Doctor.self, Trace.self,
    Save.self, Forget.self, Open.self, Run.self, Replay.self, Expect.self,
    LessonCommand.self, History.self,
    SetCommand.self,
    Help.self, Quit.self,
  ]

  /// The command with this name.
  package static func named(_ name: String) -> (any StrataCommand.Type)? {
    all.first { $0._commandName == name || $0.configuration.aliases.contains(name) }
  }

  package static var names: [String] { all.map { $0._commandName } }
}
