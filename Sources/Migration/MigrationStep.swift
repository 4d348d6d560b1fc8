public import StrataTraceEvents

/// What a migration run does next, as a value: breakpoints look at it before it happens.
public enum MigrationStep: Sendable, Hashable {
  case beginHop
  case beginPass(TracePass)
  case beginEntityMapping(String, pass: TracePass)
  /// The object at this index of the entity mapping: of the source in pass 1, of the destination in
  /// the others.
  case object(Int, mapping: String, pass: TracePass)
  case endEntityMapping(String, pass: TracePass)
  case endPass(TracePass)
  case endHop
}
