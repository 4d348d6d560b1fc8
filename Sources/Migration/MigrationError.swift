public import StrataMapping

/// Why a migration cannot be planned or done.
public enum MigrationError: Error, Hashable, Sendable {
  /// 134140: neither a mapping model nor inference leads from one model to the other.
  case notInferable(from: String, to: String, obstacles: [Obstacle])
  /// An expression that the run cannot evaluate.
  case cannotEvaluate(String, mapping: String)
  /// A step was asked for after the last one.
  case finished
}
