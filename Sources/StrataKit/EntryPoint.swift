internal import StrataMigration
@_exported public import StrataPolicy
internal import StrataPrompt

/// Runs the whole program with a team's own policies, and exits:
/// `StrataKit.main(policies: [ChefToChef.self])`.
///
/// - Parameters:
///   - arguments: The command line, beginning with the program's name.
///   - policies: The policies that mapping models name.
public func main(
  arguments: [String] = CommandLine.arguments, policies: [any EntityMigrationPolicy.Type] = []
) -> Never {
  Program.run(arguments: Array(arguments.dropFirst()), policies: PolicyRegistry(policies))
}
