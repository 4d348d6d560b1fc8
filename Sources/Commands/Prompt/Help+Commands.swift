internal import ArgumentParser
internal import StrataRendering

/// The lists of commands.
extension Help {
  /// The names of the commands on one screen, and what to try next.
  static func overview(_ groups: [CommandTable.Group], in session: Session) -> Outcome {
    Outcome(
      .sections([
        .table(
          rows: groups.map { group in
            [
              StyledText(group.title, .faint),
              StyledText(group.commands.map { $0._commandName }.joined(separator: ", "), .name),
            ]
          }),
        .lines([
          StyledText(
            "`help COMMAND` shows its options and examples, `help commands` what each does. `help WORD` explains a "
              + "term, a rule, an error code or a call of Core Data; `help --search TEXT` finds pages."
          ),
          StyledText("Topics: " + topics.joined(separator: ", ")),
        ]),
        session.suggestion("try next"),
      ]),
      json: ["commands": CommandTable.all.json { $0.json }, "topics": topics])
  }

  private static let promptForms: [(form: String, meaning: String)] = [
    ("Tab", "completes commands, options, names, keys and operators of conditions, and files"),
    ("Up, Down", "find earlier lines that begin as this one; Ctrl-R searches all"),
    ("Ctrl-C", "ends the command, or discards the line"),
    ("Ctrl-D", "leaves the stepper, then the program"),
    ("ro", "a unique beginning of a command"),
    ("> FILE, >> FILE", "write or append the answer; a store or a notebook is never replaced"),
    ("| COMMAND", "passes the answer to a command of the shell"),
    ("!COMMAND", "runs a command of the shell; nothing of it is saved"),
    ("_", "the objects that were shown last: show _, --where 'SELF IN _', topicList == _"),
    (
      "edit, edit LINE", "takes the last line, or this one, into your editor; so does Ctrl-X Ctrl-E"
    ),
    ("Alt-.", "inserts the last word of the previous line; Ctrl-_ undoes a change"),
    ("pasted lines", "run when you end the last, up to the first that fails; Ctrl-C drops them"),
    ("Enter", "in the stepper, repeats the last movement; in a lesson, continues"),
  ]

  static var prompt: Outcome {
    Outcome(
      .sections([
        .table(rows: promptForms.map { [StyledText($0.form, .name), StyledText($0.meaning)] }),
        .line(
          "Only at a terminal: in scripts and notebooks, >, |, ! and _ are words. `set` has the settings."
        ),
      ]), json: promptForms.json { ["form": $0.form, "meaning": $0.meaning] })
  }

  static var commands: Outcome { list(CommandTable.general, notes: []) }

  static var stepping: Outcome {
    list(
      CommandTable.stepping,
      notes: [
        "`debug <store> --to <model>` starts the stepper. It migrates in a private folder; the store is only read.",
        "`sql source 'SELECT …'` and `sql destination 'SELECT …'` query the current tables of the two stores.",
        "`trace migration 2` and `trace sql 2` show more of each step; `save` saves the session.",
        "A script that ends in the stepper abandons the migration. All other commands work too: `help <command>`.",
      ])
  }

  private static func list(
    _ types: [any StrataCommand.Type], notes: [StyledText]
  ) -> Outcome {
    Outcome(
      .sections([
        .table(
          rows: types.map {
            [StyledText($0._commandName, .name), StyledText($0.configuration.abstract)]
          }),
        .lines(notes),
      ]),
      json: ["commands": types.json { $0.json }, "topics": topics])
  }
}
