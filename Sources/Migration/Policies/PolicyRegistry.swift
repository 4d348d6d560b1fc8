package import StrataBase
package import StrataPolicy

/// The known policies, by their names in mapping models.
package struct PolicyRegistry: Sendable {
  private var inSwift: [String: any EntityMigrationPolicy.Type] = [:]
  /// The policies of files, in the order in which they were added.
  private var scripts: [String: [PolicyScript]] = [:]

  /// The reasons why automatically searched policy files were skipped.
  package var unreadable: [Diagnostic] = []
  /// The policies of the files that the user has named.
  package var named: [PolicyScript] = []

  package init(_ policies: [any EntityMigrationPolicy.Type] = []) {
    for policy in policies { add(policy) }
  }

  package mutating func add(_ policy: any EntityMigrationPolicy.Type, as name: String? = nil) {
    inSwift[name ?? policy.policyName] = policy
  }

  /// Adds the policies of a file; a Swift policy with the same name has precedence.
  ///
  /// - Parameter isRevealing: Whether messages of the policies show values of the store.
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

  /// A new instance of the policy for an entity mapping of a hop.
  func make(for use: PolicyUse) -> (any RunningPolicy)? {
    lookUp(use.policyName) { inSwift[$0] }.map(SwiftPolicy.init)
      ?? script(for: use).map(FilePolicy.init)
  }

  /// A policy of a file, by name.
  func script(named name: String) -> PolicyScript? {
    lookUp(name) { scripts[$0]?.min { $0.condition.partCount < $1.condition.partCount } }
  }

  /// The policy of a file that runs for an entity mapping of a hop; `nil` if it is in Swift.
  package func usedScript(for use: PolicyUse) -> PolicyScript? {
    lookUp(use.policyName) { inSwift[$0] } == nil ? script(for: use) : nil
  }

  /// The policies of named files that run for none of these entity mappings.
  package func idle(among uses: [PolicyUse]) -> [PolicyScript] {
    named.filter { script in
      !uses.contains { use in
        script.condition.holds(of: use)
          && lookUp(use.policyName) { $0 == script.name ? script : nil } != nil
      }
    }
  }

  /// A named policy that runs for none of these entity mappings, because it misspells the name of one, and that name.
  package func misspelled(among uses: [PolicyUse]) -> (
    policy: String, typed: String, meant: String
  )? {
    idle(among: uses).lazy.compactMap { script in
      let own = uses.filter { lookUp($0.policyName) { $0 == script.name ? script : nil } != nil }
      return script.condition.meantEntityMapping(among: own).map {
        (script.name, script.condition.entityMapping ?? "", $0)
      }
    }.first
  }

  /// The policy with the most specific condition; among several, the first added.
  private func script(for use: PolicyUse) -> PolicyScript? {
    lookUp(use.policyName) { name in
      scripts[name]?.filter { $0.condition.holds(of: use) }
        .max { $0.condition.partCount < $1.condition.partCount }
    }
  }

  /// The selectors of the methods that value expressions of an entity mapping can call; `nil` if the policy is
  /// unknown.
  package func methods(for use: PolicyUse) -> Set<String>? { make(for: use)?.methods }

  /// The name of a Swift class includes its module: `App.ChefToChef`.
  private func lookUp<Found>(_ name: String, _ find: (String) -> Found?) -> Found? {
    find(name) ?? name.split(separator: ".").last.flatMap { find(String($0)) }
  }
}
