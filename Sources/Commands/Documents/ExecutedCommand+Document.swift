internal import StrataDiagnostics
internal import StrataNotebook

extension ExecutedCommand {
  var recorded: RecordedOutput { RecordedOutput(text: output, status: status.rawValue) }

  var line: String { CommandLineLexer.line(of: words) }

  var entry: SessionEntry {
    var entry = SessionEntry(command: line, recorded: recorded.expectation, digest: digest)
    entry.startsFresh = startsFresh
    return entry
  }

  /// The same command as a document in a folder writes it.
  func relative(to folder: String) -> ExecutedCommand {
    var moved = self
    moved.folder = folder
    moved.paths = [:]
    moved.words = words.map { word in
      let relative = relative(word, to: folder)
      if let path = relative.path { moved.paths[relative.typed] = path }
      return relative.word
    }
    moved.earlierNames = fileNames
    return moved
  }

  /// What an answer may call the files that the command names.
  var fileNames: [String] {
    earlierNames
      + paths.flatMap { typed, path in
        [typed, path]
          + (path.hasPrefix(folder + "/") ? [String(path.dropFirst(folder.count + 1))] : [])
      }
  }

  /// A word with the path in it, if there is one, made relative to a folder.
  private func relative(
    _ word: String, to folder: String
  ) -> (word: String, typed: String, path: String?) {
    let fitting = paths.filter { word.hasPrefix($0.key) }
    guard let typed = fitting.keys.max(by: { $0.utf8.count < $1.utf8.count }),
      let path = fitting[typed]
    else { return (word, "", nil) }
    let rest = word.dropFirst(typed.count)
    guard rest.isEmpty || rest.first == "/" || rest.first == "." else { return (word, "", nil) }
    // What means the same there stays as it was typed, since answers name it so.
    guard ["/", "~"].contains(typed.first) || self.folder != folder else {
      return (word, typed, path)
    }
    let name = Self.relativePath(of: path, from: folder)
    return (name + rest, name, path)
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
