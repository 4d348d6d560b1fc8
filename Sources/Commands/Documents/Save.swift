internal import ArgumentParser
internal import Foundation
internal import StrataArchives
internal import StrataDiagnostics
internal import StrataNotebook
internal import StrataRendering

/// `save FILE`
struct Save: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Writes the session down as a script, with every answer.",
    discussion: """
      A .strata file is a script, an .md file a notebook; `replay` compares either with what the \
      commands answer now. Commands that could not be done are left out unless --all is given; paths \
      become relative to the file.
      """)
  static let effect = CommandEffect.writesFiles
  static let examples = [
    CommandExample(
      "a notebook of what was asked", "load sample:Topics", "diff Model1 Model2",
      "save topics.md")
  ]

  @Argument(
    help: ArgumentHelp("The file to write: .strata or .md.", valueName: "file"), completion: .file()
  )
  var file: String
  @Flag(help: "Failed commands too.") var all = false
  @Flag(help: "Replace a file that is there.") var force = false
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    guard let form = SessionForm.form(forPath: file) else {
      throw Diagnostic(
        id: "command.unknownForm", what: "\(file) is neither a script nor a notebook",
        mend: "end its name in .strata or .md")
    }
    let path = try session.newPath(file, force: force)
    let commands = session.history.filter { all || $0.status < .failed }
    let folder = URL(fileURLWithPath: session.typedPaths[file] ?? path)
      .deletingLastPathComponent().path
    let entries = commands.map { command in
      SessionEntry(
        command: CommandLineLexer.line(
          of: command.words.map { session.relative($0, to: folder) }),
        recorded: RecordedOutput(text: command.output, status: command.status.rawValue))
    }
    let document = try SessionDocument(entries: entries, form: form)
    let text = form == .script ? "#!/usr/bin/env -S strata run\n" + document.text : document.text
    var update = FolderUpdate()
    update.write(Array(text.utf8), to: path)
    try update.commit()
    let left = session.history.count - commands.count
    return Outcome(
      .line(
        StyledText("saved \(Words.count(commands.count, "command", "commands")) to \(file)")
          + StyledText(left == 0 ? "" : ", \(left) that failed left out", .faint)),
      payload: SavePayload(file: file, commands: commands.count, leftOut: left))
  }
}

extension Session {
  /// A word of a command with the path in it, if there is one, made relative to a folder.
  fileprivate func relative(_ word: String, to folder: String) -> String {
    let fitting = typedPaths.filter { word.hasPrefix($0.key) }
    guard let typed = fitting.keys.max(by: { $0.count < $1.count }), let path = fitting[typed]
    else {
      return word
    }
    // What means the same there stays as it was typed, since answers name it so.
    guard ["/", "~"].contains(typed.first) || self.folder != folder else { return word }
    let rest = word.dropFirst(typed.count)
    guard rest.isEmpty || rest.first == "/" || rest.first == "." else { return word }
    return Self.relativePath(of: path, from: folder) + rest
  }

  private static func relativePath(of path: String, from folder: String) -> String {
    let target = path.split(separator: "/")
    let base = folder.split(separator: "/")
    let shared = zip(target, base).prefix { $0 == $1 }.count
    let steps =
      Array(repeating: "..", count: base.count - shared) + target[shared...].map(String.init)
    return steps.first == ".." ? steps.joined(separator: "/") : "./" + steps.joined(separator: "/")
  }
}

/// The JSON shape of `save`.
struct SavePayload: Encodable, Sendable {
  var file: String
  var commands: Int
  var leftOut: Int
}
