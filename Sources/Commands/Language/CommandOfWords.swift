internal import ArgumentParser

/// A command whose arguments are a list of words, which it reads itself: without options there is nothing to parse.
protocol CommandOfWords: StrataCommand {
  var words: [String] { get set }
  /// The command of one word, parsed once.
  static var prototype: Self? { get }
}

extension CommandOfWords {
  /// The command of these words; `nil` where one of them may be an option, or there is none.
  static func plain(_ words: ArraySlice<String>) -> (any StrataCommand)? {
    guard !words.isEmpty, !words.contains(where: { $0.hasPrefix("-") }), var command = prototype
    else { return nil }
    command.words = Array(words)
    return command
  }
}
