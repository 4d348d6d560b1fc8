internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook

extension ExecutedCommand {
  var isExpectation: Bool { arguments.first == Expect.configuration.commandName }

  var line: String { CommandLineLexer.line(of: arguments) }

  var entry: SessionEntry {
    var entry = SessionEntry(
      command: line, recorded: answer.output.expectation, digest: answer.digest)
    entry.startsFresh = startsFresh
    return entry
  }

  /// The command with paths relative to the folder of a document.
  func relative(to folder: String) -> ExecutedCommand {
    var moved = self
    moved.folder = folder
    moved.paths = [:]
    moved.arguments = arguments.map { word in
      let relative = relative(word, to: folder)
      if let path = relative.path { moved.paths[relative.typed] = path }
      return relative.word
    }
    // If an argument names the folder of a created file, the name of that file changes too.
    for (old, new) in zip(arguments, moved.arguments) where old != new {
      for (typed, path) in paths where typed.hasPrefix(old + "/") || typed.hasPrefix(old + ".") {
        moved.paths[new + typed.dropFirst(old.count)] = path
      }
    }
    moved.earlierNames = fileNames + zip(arguments, moved.arguments).filter { $0 != $1 }.map(\.0)
    return moved
  }

  /// The names that an answer may use for the files of the command.
  var fileNames: [String] {
    earlierNames
      + paths.flatMap { typed, path in
        [typed, path]
          + (path.hasPrefix(folder + "/") ? [String(path.dropFirst(folder.count + 1))] : [])
      }
  }

  /// A word whose path, if any, is made relative to a folder.
  private func relative(
    _ word: String, to folder: String
  ) -> (word: String, typed: String, path: String?) {
    if paths[word] == nil, let parts = relativeParts(of: word, to: folder) { return parts }
    guard let (typed, path) = pathPrefix(of: word) else { return (word, "", nil) }
    let rest = word.dropFirst(typed.count)
    // A path that means the same file there is unchanged, because answers contain it.
    guard ["/", "~"].contains(typed.first) || self.folder != folder else {
      return (word, typed, path)
    }
    let name = Self.relativePath(of: path, from: folder)
    return (name + rest, name, path)
  }

  /// The parts of `A+B`, and the file after an `@`.
  private func relativeParts(
    of word: String, to folder: String
  ) -> (word: String, typed: String, path: String?)? {
    if let mark = word.firstRange(of: "=@") {
      let inner = relative(String(word[mark.upperBound...]), to: folder)
      return (word[..<mark.upperBound] + inner.word, inner.typed, inner.path)
    }
    let parts = word.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1 else { return nil }
    let inner = parts.map { relative($0, to: folder) }
    let first = inner.first { $0.path != nil }
    return (inner.map(\.word).joined(separator: "+"), first?.typed ?? "", first?.path)
  }

  /// The path at the beginning of a word, as typed; the word may also be a folder of the path.
  private func pathPrefix(of word: String) -> (typed: String, path: String)? {
    let before = paths.filter { typed, _ in
      word.hasPrefix(typed) && [nil, "/", "."].contains(word.dropFirst(typed.count).first)
    }
    if let longest = before.max(by: { $0.key.utf8.count < $1.key.utf8.count }) {
      return (longest.key, longest.value)
    }
    for (typed, path) in paths where typed.hasPrefix(word) {
      let rest = typed.dropFirst(word.count)
      guard !word.isEmpty, ["/", "."].contains(rest.first), path.hasSuffix(rest) else { continue }
      return (word, String(path.dropLast(rest.count)))
    }
    return nil
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
