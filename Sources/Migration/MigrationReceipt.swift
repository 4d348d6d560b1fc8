internal import StrataWitness

/// What of a migration was compared with what its source foretold, before it was committed.
public struct MigrationReceipt: Sendable, Hashable {
  /// Attributes and relationships of the destination: `Topic.title`.
  public let compared: Set<String>
  /// The entities of which only some values were compared, and how many objects they have.
  public let sampled: [String: Int64]
  /// What was checked for inner consistency alone, and why.
  public let notForetold: [String: String]

  init(_ witness: Witness.Receipt) {
    compared = witness.compared
    sampled = witness.sampled
    notForetold = witness.notForetold
  }
}
