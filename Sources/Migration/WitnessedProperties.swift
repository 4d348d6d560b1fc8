internal import StrataWitness

/// The properties that the second witness compared with what the source foretold, before the commit.
package struct WitnessedProperties: Sendable, Hashable {
  /// Attributes and relationships of the destination: `Topic.title`.
  package let compared: Set<String>
  /// The entities of which only some values were compared, and how many objects they have.
  package let sampled: [String: Int64]
  /// What was checked for inner consistency alone, and why.
  package let notForetold: [String: String]

  init(_ witness: Witness.Receipt) {
    compared = witness.compared
    sampled = witness.sampled
    notForetold = witness.notForetold
  }
}
