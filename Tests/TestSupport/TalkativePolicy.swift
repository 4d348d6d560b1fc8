package import StrataPolicy

package import struct StrataPolicy.EntityMapping

/// A policy in Swift, with the name of that of a ``MarkedStore``, which stops with a value in its message.
package struct TalkativePolicy: EntityMigrationPolicy {
  package static let policyName = "Guard"

  package init() {}

  package func performCustomValidation(for mapping: EntityMapping, manager: MigrationManager) throws
  {
    try manager.forEachSourceObject(of: "Secret") { secret in
      throw PolicyError("wrong: \(try secret.text("note") ?? "")")
    }
  }
}
