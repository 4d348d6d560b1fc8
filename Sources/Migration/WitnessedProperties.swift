internal import StrataWitness

/// The properties that the witness compared with its prediction before the commit.
package struct WitnessedProperties: Sendable, Hashable {
  /// Attributes and relationships of the destination: `Topic.title`.
  package let compared: Set<String>
  /// The entities of which only a sample of values was compared, with their number of objects.
  package let sampled: [String: Int64]
  /// The properties that were only checked for consistency, with reasons.
  package let notPredicted: [String: String]

  init(_ witness: Witness.Receipt) {
    compared = witness.compared
    sampled = witness.sampled
    notPredicted = witness.notPredicted
  }
}
