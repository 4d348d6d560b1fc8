internal import ArgumentParser

/// A command whose arguments are a list of words that it reads itself; without options, ArgumentParser is not
/// needed.
protocol CommandOfWords: StrataCommand {
  var words: [String] { get set }
  /// The command of one word, parsed once.
  static var prototype: Self? { get }
}

extension CommandOfWords {
  /// The command with these words; `nil` if one of them may be an option, or there are none.
  static func plain(_ words: ArraySlice<String>) -> (any StrataCommand)? {
    guard !words.isEmpty, !words.contains(where: { $0.hasPrefix("-") }), var command = prototype
    else { return nil }
    command.words = Array(words)
    return command
  }
}
