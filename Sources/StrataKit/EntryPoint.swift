internal import StrataPrompt

/// The whole program, for a team that links it: `StrataKit.main()`.
///
/// - Parameter arguments: The command line with the program's name first.
public func main(arguments: [String] = CommandLine.arguments) -> Never {
  Program.run(arguments: Array(arguments.dropFirst()))
}
