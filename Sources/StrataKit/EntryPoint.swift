// What a policy is written with.
@_exported public import StrataBase
@_exported public import StrataExpressions
@_exported public import StrataMapping
@_exported public import StrataMigration
internal import StrataPrompt
@_exported public import StrataStore

/// The whole program, for a team that links it, with its own policies:
/// `StrataKit.main(policies: [ChefToChef.self])`.
///
/// - Parameters:
///   - arguments: The command line with the program's name first.
///   - policies: Those that the team's mapping models name.
public func main(
  arguments: [String] = CommandLine.arguments, policies: [any EntityMigrationPolicy.Type] = []
) -> Never {
  Program.run(arguments: Array(arguments.dropFirst()), policies: PolicyRegistry(policies))
}
