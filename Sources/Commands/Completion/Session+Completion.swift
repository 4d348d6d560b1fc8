internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook

extension Session {
  /// What may stand at the end of a line that is being typed; `nil` inside a comment.
  ///
  /// - Parameter line: The line up to the cursor.
  public func completion(of line: String) -> Completion? {
    guard let (words, last) = CommandLineLexer.unfinished(line) else { return nil }
    let candidates = candidates(for: last.text, after: words.map(\.text))
    let fitting = candidates.filter { $0.text.hasPrefix(last.text) }
    // Letters in another case are meant where no word fits as it is written.
    let lowered = last.text.lowercased()
    let chosen =
      fitting.isEmpty ? candidates.filter { $0.text.lowercased().hasPrefix(lowered) } : fitting
    return Completion(
      range: last.range, typed: last.text,
      candidates: Set(chosen).sorted {
        $0.text.lowercased().precedesByNumber($1.text.lowercased())
      })
  }

  private func candidates(for word: String, after words: [String]) -> [Completion.Candidate] {
    guard let name = words.first else {
      // What only the stepper can do is no help elsewhere.
      return (isStepping ? CommandTable.all : CommandTable.general).map { .init($0._commandName) }
    }
    guard let type = CommandTable.named(name), let shape = CommandShape.named(name) else {
      return []
    }
    var arguments: [String] = []
    var pending: CommandShape.Option?
    var takesOptions = true
    for previous in words.dropFirst() {
      if pending != nil {
        pending = nil
      } else if takesOptions, previous == "--" {
        takesOptions = false
      } else if takesOptions, previous.hasPrefix("--") {
        let option = shape.options.first { $0.name == previous }
        pending = option?.valueName == nil || OptionalValues.contains(previous) ? nil : option
      } else {
        arguments.append(previous)
      }
    }
    if let valueName = pending?.valueName {
      if ["predicate", "keys"].contains(valueName), let asked = type.askedObjects(of: arguments) {
        return keyPathCandidates(of: word, entity: asked.entity, store: asked.store)
      }
      return values(valueName, of: type, startingWith: word)
    }
    if takesOptions, word.hasPrefix("-") {
      return shape.options.map(\.name).filter { !words.contains($0) }.map { .init($0) }
    }
    if type == Expect.self, Expect.takesExpression(after: arguments),
      let asked = type.askedObjects(of: arguments)
    {
      return keyPathCandidates(of: word, entity: asked.entity, store: asked.store)
    }
    if let own = type.candidates(after: arguments, in: self) {
      return own.map { .init($0, $0.hasSuffix("=") ? .goesOn : .whole) }
    }
    guard let last = shape.arguments.last else { return [] }
    if arguments.count < shape.arguments.count {
      return values(shape.arguments[arguments.count].valueName, of: type, startingWith: word)
    }
    return last.isRepeating ? values(last.valueName, of: type, startingWith: word) : []
  }

  /// Values of the kind that a value name tells.
  private func values(
    _ valueName: String, of command: any StrataCommand.Type, startingWith word: String
  ) -> [Completion.Candidate] {
    switch valueName {
    case "ref", "model", "mapping", "store", "bundle", "a", "b", "from", "condition":
      referenceCandidates(startingWith: word, withMappings: command.namesMappings)
    case "path": pathCandidates(startingWith: word)
    case "file": fileCandidates(startingWith: word)
    case "document":
      fileCandidates(startingWith: word).filter {
        $0.ending == .goesOn || SessionForm.form(forPath: $0.text) != nil
      }
    case "folder": fileCandidates(startingWith: word).filter { $0.ending == .goesOn }
    default: []
    }
  }
}
