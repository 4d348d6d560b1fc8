internal import ArgumentParser
internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// `try REF KEY VALUE`, `try REF add|remove|rename|meaning …`, `try --reset`
struct Try: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "try", abstract: "Edits a copy of a model and shows the effect on stores.",
    discussion: """
      KEY is a key of the model's XML, or userInfo.<key>; '-' as VALUE removes it. Edits accumulate; \
      try:<model> is the copy in other commands. --write writes the copy into the file of the model; write \
      gives it another name.

        try MODEL add entity NAME [KEY=VALUE …]
        try MODEL.ENTITY add attribute|relationship NAME [KEY=VALUE …]
        try MODEL.ENTITY add constraint PROPERTY,PROPERTY
        try REF remove
        try REF rename NAME
        try REF meaning TEXT   a change of meaning or code, which no key of the model shows

      The result is incompatible (a hash changes, stores no longer open), compatible (Core Data sees the \
      change and opens them) or invisible (nothing that Core Data reads has changed). Exit status 1 \
      means incompatible.

      Keys of entities: \(ModelKeyNames.entity.map(\.name).joined(separator: " "))

      Keys of attributes: \(ModelKeyNames.attribute.map(\.name).joined(separator: " "))

      Keys of relationships: \(ModelKeyNames.relationship.map(\.name).joined(separator: " "))
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample("an incompatible change", "try sample:Topics/Model1.Topic.content optional NO"),
    CommandExample(
      "edits accumulate", "load sample:Topics",
      "try Model1.Topic add attribute rating attributeType='Integer 16' defaultValueString=0",
      "try Model1.Topic.content rename body", "diff Model1 try:Model1"),
    CommandExample(
      "a change that no model shows",
      "try sample:Topics/Model3.Topic.timeBudget meaning 'seconds, no longer minutes'"),
  ]

  @Argument(.element, "What to edit: a model, entity or property.") var reference: String?
  @Argument(
    help: ArgumentHelp("A key and its value, or add, remove, rename, meaning.", valueName: "edit"))
  var edit: [String] = []
  @Flag(help: "Discard all edits.") var reset = false
  @Flag(help: "Also write the edited copy into the file of the model.") var write = false
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    if reset {
      let count = session.trials.count
      session.trials = [:]
      session.running?.change = .forgotTrials
      return Outcome(
        .line(
          StyledText(
            count == 0
              ? "there were no edits"
              : "discarded the edits of \(Phrase.count(count, "model"))")),
        json: ["forgotten": count])
    }
    guard let reference else { throw Self.usage("name what to edit, and the edit") }
    let resolved = try session.resolve(session.trialReference(reference))
    guard let model = resolved.model else {
      throw Self.usage("\(reference) is a store; only models can be edited")
    }
    let name = session.trialName(
      of: model.name.hasPrefix(Session.trialPrefix)
        ? String(model.name.dropFirst(Session.trialPrefix.count)) : model.name)
    // A version in a bundle that is not loaded is known only by its path.
    let isLoaded = model.name.hasPrefix(Session.trialPrefix) || session.trials[name] != nil
    let original = isLoaded ? try session.model(name) : model
    session.running?.change = .tried
    if edit.first == "meaning" { return try meaning(original) }
    // Before the edit, so that one that cannot be written is none.
    let folder = try write ? Self.folder(of: reference, in: session) : nil

    let isFirst = session.trials[name] == nil
    if write { try session.checkOriginal(ofTrial: name) }
    var trial = session.trials[name] ?? ModelTrial(of: original.model.document)
    let edit = try parse(target(resolved))
    let edited: ObjectModel
    do {
      try trial.document.apply(edit)
      edited = try ObjectModel(trial.document)
    } catch var error as ModelError {
      // The copy is not in a file.
      error.line = 0
      throw error
    }
    var answer = Self.answer(
      edited, of: original, showsEditorKeys: ModelKeyNames.isForEditors(edit),
      isKept: session.keepsAnswers && folder == nil, file: folder)
    if let folder {
      var writer = ModelFolderWriter()
      try writer.write(trial.document, to: session.newPath(folder, as: .model, force: true))
      try writer.commit()
      session.trials[name] = nil
      session.running?.change = nil
      return answer
    }
    session.trials[name] = trial
    if !isFirst {
      let note = "earlier edits are included; `try --reset` discards them"
      answer.view = .stack([answer.view, .line(StyledText(note, .faint))])
    }
    return answer
  }

  /// The `.xcdatamodel` in which the edited element is: the longest beginning of the reference that names a file.
  private static func folder(
    of reference: String, in session: Session
  ) throws(Diagnostic) -> String {
    var name = reference[...]
    if name.hasPrefix(Session.trialPrefix) { name = name.dropFirst(Session.trialPrefix.count) }
    var file = session.reportedFile(String(name))
    while file == nil, let dot = name.lastIndex(of: ".") {
      name = name[..<dot]
      file = session.reportedFile(String(name))
    }
    let end = "/\(ModelFolderWriter.fileName)"
    guard let path = file?.path, path.hasSuffix(end) else {
      throw usage("\(reference) is in no .xcdatamodel that can be written")
    }
    return String(path.dropLast(end.count))
  }

  private func target(_ reference: Reference) -> ModelEdit.Target {
    switch reference {
    case .entity(let entity, _): .entity(entity)
    case .property(let property, let entity, _): .property(property, of: entity)
    default: .model
    }
  }

  private func parse(_ target: ModelEdit.Target) throws -> ModelEdit {
    switch (edit.first, edit.count) {
    case ("remove", 1): return .remove(target)
    case ("remove", 2):
      throw Self.usage(
        "the reference names the element to remove: try \(reference ?? "").\(edit[1]) remove")
    case ("rename", 2): return .rename(target, to: edit[1])
    case ("add", 2...):
      guard let kind = ModelEdit.NewElement(rawValue: edit[1]), edit.count > 2 else {
        throw Self.usage(
          "name the element to add: \(ModelEdit.NewElement.allCases.map(\.rawValue).joined(separator: ", "))"
        )
      }
      var keys: [String: String] = [:]
      for word in edit[3...] {
        guard let equals = word.firstIndex(of: "=") else {
          throw Self.usage("\(word) is not KEY=VALUE")
        }
        keys[String(word[..<equals])] = String(word[word.index(after: equals)...])
      }
      return .add(kind, named: edit[2], to: target, keys: keys)
    case ("name", 2) where target != .model:
      throw Diagnostic(
        id: "command.usage", what: "a name is not set as a key, since other elements refer to it",
        fix:
          "use rename: `\(CommandLineLexer.line(of: ["try", reference ?? "", "rename", edit[1]]))`")
    case (let key?, 2): return .set(target, key: key, value: edit[1] == "-" ? nil : edit[1])
    case (nil, _) where write:
      throw Diagnostic(
        id: "command.usage", what: "--write writes the copy with an edit, and none is named",
        fix: "name the edit; `write try:<model> <file> --force` writes the copy as it is")
    default: throw Self.usage("the edit is KEY VALUE, or add, remove, rename or meaning")
    }
  }

  private static func usage(_ what: String) -> Diagnostic {
    Diagnostic(id: "command.usage", what: what, fix: "`help try` shows every form")
  }

  /// The result of a change of code or of the meaning of values, which no key of the model shows.
  private func meaning(_ original: NamedModel) throws -> Outcome {
    guard edit.count == 2 else { throw Self.usage("meaning requires one text") }
    return Outcome(
      .lines([
        StyledText("invisible", .warning)
          + StyledText(
            ": no key and no hash of \(original.name) changes, every store still opens"),
        StyledText(
          "a hash modifier makes it visible: try \(reference ?? "") versionHashModifier <text>",
          .faint),
      ]),
      json: ["verdict": "invisible", "moved": JSONValue.array([]), "changes": JSONValue.array([])])
  }

  /// - Parameters:
  ///   - showsEditorKeys: Whether keys that only editors read are shown; always if nothing else changes.
  ///   - isKept: Whether later commands can use the copy.
  ///   - file: The file that the copy is written to; `nil` for none.
  private static func answer(
    _ edited: ObjectModel, of original: NamedModel, showsEditorKeys: Bool, isKept: Bool,
    file: String?
  ) -> Outcome {
    let difference = edited.difference(from: original.model)
    let readable = difference.withoutEditorKeys
    let shown = showsEditorKeys || readable.isEmpty ? difference : readable
    let moved = difference.entities.filter(\.movesHash)
    // Whether the stores that no longer open can be migrated without a mapping model.
    let inference = moved.isEmpty ? nil : Inference(from: original.model, to: edited)
    let verdict: String
    let line: StyledText
    if !moved.isEmpty {
      verdict = "incompatible"
      line =
        StyledText(verdict, .error)
        + StyledText(": stores of \(original.name) no longer open; \(Self.hashes(moved))")
    } else if difference.allChanges.contains(where: { $0.effect != .editor }) {
      verdict = "compatible"
      line =
        StyledText(verdict, .good)
        + StyledText(": no hash changes, stores of \(original.name) still open")
    } else {
      verdict = "invisible"
      line =
        StyledText(verdict, .warning)
        + StyledText(
          difference.isEmpty
            ? ": no difference from \(original.name)"
            : ": no hash changes, Core Data does not read the change")
    }
    return Outcome(
      .stack([
        .line(line), shown.isEmpty ? .nothing : shown.view,
        inference.map { verdictView(by: $0, from: original, isKept: isKept) } ?? .nothing,
        file.map { .line("wrote " + StyledText($0, .name)) } ?? .nothing,
      ]),
      json: .object(withoutNull: [
        "verdict": verdict, "moved": moved.map(\.name),
        "changes": difference.entities.flatMap { entity in
          entity.changes.map { $0.json(of: entity.name) }
        } + difference.modelChanges.map { $0.json() },
        "inferable": inference?.isInferable, "inference": inference?.shownVerdict.text,
        "file": file,
      ]),
      status: moved.isEmpty ? .done : .no)
  }

  private static func verdictView(
    by inference: Inference, from original: NamedModel, isKept: Bool
  ) -> View {
    guard isKept else { return .line(inference.shownVerdict) }
    let names = [original.name, Session.trialPrefix + original.name].map(CommandLineLexer.quoted)
    let details = "infer \(names[0]) \(names[1])"
    let line: StyledText =
      inference.shownVerdict
      + StyledText(
        inference.isInferable
          ? "; `\(details)` shows the mapping model"
          : "; `\(details)` lists the errors")
    return .line(line)
  }

  private static func hashes(_ moved: [EntityDifference]) -> String {
    "\(moved.count == 1 ? "the hash" : "the hashes") of \(Phrase.list(moved.map(\.name))) \(moved.count == 1 ? "changes" : "change")"
  }
}

extension Session {
  /// The reference to the edited copy, if there is one: edits accumulate.
  func trialReference(_ text: String) -> String {
    let edited = namesByLength().lazy.filter { $0.name.hasPrefix(Self.trialPrefix) }
      .map { $0.name.dropFirst(Self.trialPrefix.count) }
    return edited.contains { text == $0 || text.hasPrefix($0 + ".") }
      ? Self.trialPrefix + text : text
  }
}

extension ModelDifference {
  fileprivate var allChanges: [ModelChange] { entities.flatMap(\.changes) + modelChanges }
}
