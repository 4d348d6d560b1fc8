package import StrataBase
package import StrataPolicy

/// The policies that a program knows, by the names that mapping models use.
package struct PolicyRegistry: Sendable {
  private var inSwift: [String: any EntityMigrationPolicy.Type] = [:]
  /// Those of files, in the order in which they were added.
  private var scripts: [String: [PolicyScript]] = [:]

  /// Why files were left out in which policies were looked for, and which nobody named.
  package var unreadable: [Diagnostic] = []

  package init(_ policies: [any EntityMigrationPolicy.Type] = []) {
    for policy in policies { add(policy) }
  }

  package mutating func add(_ policy: any EntityMigrationPolicy.Type, as name: String? = nil) {
    inSwift[name ?? policy.policyName] = policy
  }

  /// Adds the policies of a file; one of the same name in Swift goes first.
  ///
  /// - Parameter isRevealing: Whether their messages show values of the store.
  package mutating func add(_ scripts: [PolicyScript], revealing isRevealing: Bool = false) {
    for script in scripts {
      self.scripts[script.name, default: []].append(isRevealing ? script.revealing : script)
    }
  }

  package var names: [String] { Set(inSwift.keys).union(scripts.keys).sorted() }

  /// Whether there is a policy for an entity mapping of a hop.
  package func knows(_ use: PolicyUse) -> Bool {
    lookUp(use.policyName) { inSwift[$0] } != nil || script(for: use) != nil
  }

  /// The policy for an entity mapping of a hop, made anew.
  func make(for use: PolicyUse) -> (any RunningPolicy)? {
    lookUp(use.policyName) { inSwift[$0] }.map(SwiftPolicy.init)
      ?? script(for: use).map(FilePolicy.init)
  }

  /// A policy of a file by its name alone.
  func script(named name: String) -> PolicyScript? {
    lookUp(name) { scripts[$0]?.min { $0.condition.partCount < $1.condition.partCount } }
  }

  /// The one with the closest condition; of several, the first that was added.
  private func script(for use: PolicyUse) -> PolicyScript? {
    lookUp(use.policyName) { name in
      scripts[name]?.filter { $0.condition.holds(of: use) }
        .max { $0.condition.partCount < $1.condition.partCount }
    }
  }

  /// The selectors of the methods that value expressions of an entity mapping may call; `nil` where no policy
  /// is known.
  package func methods(for use: PolicyUse) -> Set<String>? { make(for: use)?.methods }

  /// A class in Swift bears its module's name in front: `App.ChefToChef`.
  private func lookUp<Found>(_ name: String, _ find: (String) -> Found?) -> Found? {
    find(name) ?? name.split(separator: ".").last.flatMap { find(String($0)) }
  }
}
