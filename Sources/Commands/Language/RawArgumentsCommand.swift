internal import ArgumentParser

/// A command that parses its list of arguments itself; without options, ArgumentParser is not needed.
protocol RawArgumentsCommand: StrataCommand {
  var arguments: [String] { get set }
  /// The command with one argument, parsed once.
  static var prototype: Self? { get }
}

extension RawArgumentsCommand {
  /// The command with these arguments; `nil` if one of them may be an option, or there are none.
  package static func plain(_ arguments: ArraySlice<String>) -> (any StrataCommand)? {
    guard !arguments.isEmpty, !arguments.contains(where: { $0.hasPrefix("-") }),
      var command = prototype
    else { return nil }
    command.arguments = Array(arguments)
    return command
  }
}
