internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataNotebook
internal import StrataObjectModel
internal import StrataStepping

extension Session {
  /// The completions at the end of a line that is being typed; `nil` inside a comment.
  ///
  /// - Parameter line: The line up to the cursor.
  package func completion(of line: String) -> Completion? {
    guard let (tokens, last, quote) = CommandLineLexer.unfinished(line) else { return nil }
    let candidates = candidates(for: last.text, after: tokens.map(\.text))
    // Files may have names that differ only in how an accent is encoded.
    let fitting = candidates.filter { $0.text.utf8.starts(with: last.text.utf8) }
    // If no word matches exactly, the match is case-insensitive.
    let lowered = last.text.lowercased()
    let chosen =
      fitting.isEmpty ? candidates.filter { $0.text.lowercased().hasPrefix(lowered) } : fitting
    return Completion(
      range: last.range, typed: last.text,
      candidates: Set(chosen).sorted {
        $0.text.lowercased().precedesByNumber($1.text.lowercased())
      }, raw: String(decoding: Array(line.utf8)[last.range], as: UTF8.self), quote: quote)
  }

  private func candidates(for word: String, after tokens: [String]) -> [Completion.Candidate] {
    if [">", ">>"].contains(tokens.last) { return fileCandidates(startingWith: word) }
    // The rest of `edit` is a line of its own.
    let tokens = tokens.first == Edit._commandName ? Array(tokens.dropFirst()) : tokens
    guard let name = tokens.first else {
      // Commands of the stepper are suggested only in the stepper.
      return (isStepping ? CommandTable.all : CommandTable.general).map {
        .init($0._commandName, summary: $0.configuration.abstract)
      }
    }
    guard let type = CommandTable.named(name), let shape = CommandShape.named(name) else {
      return []
    }
    var arguments: [String] = []
    var pending: CommandShape.Parameter?
    var takesOptions = true
    for previous in tokens.dropFirst() {
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
    if let pending {
      return values(pending.kind, pending.suggestions, of: type, arguments, startingWith: word)
    }
    if takesOptions, word.hasPrefix("-") {
      return shape.options.filter { !tokens.contains($0.name) }.map {
        .init($0.name, summary: $0.summary)
      }
    }
    if type == Expect.self, Expect.takesExpression(after: arguments) {
      return values(.predicate, [], of: type, arguments, startingWith: word)
    }
    if let own = type.candidates(after: arguments, in: self) {
      return own.map { .init($0, $0.hasSuffix("=") ? .continues : .whole) }
    }
    guard let last = shape.arguments.last,
      arguments.count < shape.arguments.count || last.isRepeating
    else { return [] }
    let argument = shape.arguments[min(arguments.count, shape.arguments.count - 1)]
    return values(argument.kind, argument.suggestions, of: type, arguments, startingWith: word)
  }

  /// Values of a kind; without one, the suggestions.
  private func values(
    _ kind: ArgumentKind?, _ suggestions: [String], of command: any StrataCommand.Type,
    _ arguments: [String], startingWith word: String
  ) -> [Completion.Candidate] {
    let stepper = stepping?.stepper
    let names: [String]
    switch kind {
    case .store: return referenceCandidates(startingWith: word, to: [.store])
    case .model, .bundle, .storeOrModel, .element:
      return referenceCandidates(startingWith: word, to: [.model, .store])
    case .mappingModel: return referenceCandidates(startingWith: word, to: [.mapping])
    case .reference:
      return referenceCandidates(startingWith: word, to: Set(LoadedItem.Form.allCases))
    case .path: return pathCandidates(startingWith: word)
    case .file: return fileCandidates(startingWith: word)
    case .document:
      return fileCandidates(startingWith: word).filter {
        $0.ending == .continues || SessionForm.form(forPath: $0.text) != nil
      }
    case .folder: return fileCandidates(startingWith: word).filter { $0.ending == .continues }
    case .predicate:
      return command.conditionScope(after: arguments, in: self)?.candidates(of: word) ?? []
    case .query: return queryCandidates(of: word, store: arguments.first ?? "")
    case .keyPaths:
      return keyPathCandidates(of: word, in: command.conditionScope(after: arguments, in: self))
    case .keyValue: return keyCandidates(after: arguments)
    case .objectKey: names = objectKeys(after: arguments)
    case .entity: names = entityNames(after: arguments)
    case .loadedName: names = loaded.map(\.name)
    case .entityMapping: names = stepper?.mappingNames ?? []
    case .mark: names = stepper.map { Array($0.names.keys) } ?? []
    case .breakpoint:
      names =
        ((stepper?.breakpoints.map(\.number) ?? []) + (stepper?.watchpoints.map(\.number) ?? []))
        .map(String.init)
    case .stepUnit: names = StepUnit.allCases.map(\.rawValue)
    case .destinationEntity:
      return stepper.flatMap { $0.hops.last }.map { elementCandidates(of: word, in: $0.to.model) }
        ?? []
    case nil: names = suggestions
    }
    return names.map { .init($0) }
  }
}
