internal import StrataMigration
@_exported public import StrataPolicy
internal import StrataPrompt

/// Runs the program with custom policies and exits: `StrataKit.main(policies: [ChefToChef.self])`.
///
/// - Parameters:
///   - arguments: The command line, beginning with the program's name.
///   - policies: The policy classes of mapping models.
public func main(
  arguments: [String] = CommandLine.arguments, policies: [any EntityMigrationPolicy.Type] = []
) -> Never {
  Program.run(arguments: Array(arguments.dropFirst()), policies: PolicyRegistry(policies))
}
