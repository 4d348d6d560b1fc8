extension SessionRecord {
  /// The indices of commands whose effect on the session was undone without having been used: edits that were
  /// reset, and items that were loaded and unloaded again.
  static func undone(in commands: [ExecutedCommand]) -> Set<Int> {
    var undone: Set<Int> = []
    for (index, command) in commands.enumerated() {
      switch command.change {
      case .forgotTrials:
        undone.formUnion(edits(before: index, of: commands))
      case .unloaded(let name):
        guard let load = load(of: name, before: index, of: commands, undone) else { continue }
        undone.formUnion([load, index])
      case .loaded, .tried, nil: break
      }
    }
    return undone
  }

  /// The edits that a reset undoes, and the reset itself; empty if a command used them.
  private static func edits(before reset: Int, of commands: [ExecutedCommand]) -> [Int] {
    let start = commands[..<reset].lastIndex { $0.change == .forgotTrials }.map { $0 + 1 } ?? 0
    let edits = (start..<reset).filter { commands[$0].change == .tried }
    guard let first = edits.first else { return [] }
    let isUsed = (first..<reset).contains { index in
      commands[index].change != .tried
        && (commands[index].arguments.first == "loaded"
          || commands[index].arguments.contains { $0.contains(Session.trialPrefix) })
    }
    return isUsed ? [] : edits + [reset]
  }

  /// The index of the command that loaded only an item that was unloaded without having been used.
  private static func load(
    of name: String, before index: Int, of commands: [ExecutedCommand], _ undone: Set<Int>
  ) -> Int? {
    let load = commands[..<index].lastIndex {
      if case .loaded(let names, _) = $0.change { names.contains(name) } else { false }
    }
    guard let load, commands[load].change == .loaded([name], isReplacing: false) else { return nil }
    let isUsed = ((load + 1)..<index).contains { between in
      guard !undone.contains(between) else { return false }
      switch commands[between].change {
      case .tried, .forgotTrials, nil: return true
      case .loaded, .unloaded: break
      }
      return commands[between].arguments.dropFirst().contains { $0.contains(name) }
    }
    return isUsed ? nil : load
  }
}
