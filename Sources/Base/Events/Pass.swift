/// The three passes of a migration with a manager.
package enum Pass: Int, Sendable, Hashable, CaseIterable {
  case createInstances = 1
  case createRelationships = 2
  case validate = 3
}
