internal import ArgumentParser
internal import StrataBase
internal import StrataRendering

/// The command `set [NAME VALUE]`.
struct SetCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "set", abstract: "Shows or changes the settings of the prompt.",
    discussion: """
      editing emacs|vi   the editing keys; ~/.editrc may bind others
      pager on|off       whether long answers go through $STRATA_PAGER, $PAGER or less
      timer on|off       whether the duration of each command is shown

      A start-up file with such lines, ~/.config/strata/startup.strata, is run before the first prompt; \
      `strata --no-startup` skips it.
      """)
  static let examples = [
    CommandExample("the settings", "set"), CommandExample("keys as in vi", "set editing vi"),
  ]

  @Argument(help: "editing, pager or timer.", completion: .list(Setting.all.map(\.name))) var name:
    String?
  @Argument(help: "The value.") var value: String?
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  static func candidates(after arguments: [String], in session: Session) -> [String]? {
    switch arguments.count {
    case 0: Setting.all.map(\.name)
    case 1: Setting.named(arguments[0])?.values ?? []
    default: []
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    guard let name else { return Self.answer(Setting.all, in: session) }
    guard let setting = Setting.named(name) else {
      throw Diagnostic(
        id: "command.unknownSetting", what: "there is no setting \(name)",
        fix: NearestName.of(name, in: Setting.all.map(\.name)).map(NearestName.question)
          ?? "`set` lists them")
    }
    if let value, !setting.set(&session.settings, value) {
      throw Diagnostic(
        id: "command.badSetting", what: "\(value) is not a value of \(name)",
        fix: "use one of \(setting.values.joined(separator: ", "))")
    }
    var answer = Self.answer([setting], in: session)
    if value != nil {
      answer.view = .stack([
        answer.view,
        .line(StyledText("for this session only; `help set` shows how to keep it", .faint)),
      ])
    }
    return answer
  }

  private static func answer(_ settings: [Setting], in session: Session) -> Outcome {
    let rows = settings.map { ($0.name, $0.get(session.settings)) }
    return Outcome(
      .table(rows: rows.map { [StyledText($0.0, .name), StyledText($0.1)] }),
      json: .object(.init(rows)))
  }
}

/// A setting with its name and possible values.
private struct Setting: Sendable {
  var name: String
  var values: [String]
  var get: @Sendable (Settings) -> String
  /// Sets the value; returns `false` if the text is not a valid value.
  var set: @Sendable (inout Settings, String) -> Bool

  static let all = [
    Setting("editing", \.editing), Setting("pager", \.pager), Setting("timer", \.timer),
  ]

  static func named(_ name: String) -> Setting? { all.first { $0.name == name } }

  init<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Settings, Value> & Sendable
  ) {
    self.name = name
    values = Value.allCases.map(\.rawValue)
    get = { $0[keyPath: path].rawValue }
    set = { settings, text in
      guard let value = Value(rawValue: text) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }
}
