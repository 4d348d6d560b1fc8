package import StrataBase
package import StrataMigration

/// Where a stepper stands, in the words of the migration: what comes next.
package struct StepPlace: Sendable, Hashable {
  /// Counted from 1.
  package var hop: Int
  package var hopCount: Int
  package var from: String
  package var to: String
  package var means: MigrationPlan.Means
  /// The mapping model, or the part of several that is being worked through.
  package var mappingModel: String
  package var part: Int?
  package var partCount: Int
  /// What comes next; `nil` where the last hop has nothing left to do.
  package var next: Next?
  /// The number of the last event.
  package var mark: EventNumber

  package enum Next: Sendable, Hashable {
    case beginEntityMapping(String, pass: Pass, kind: String)
    /// Numbers are counted from 1. The source object; in pass 2 the destination object too.
    case object(
      Int, of: Int, mapping: String, pass: Pass, source: ObjectRef?,
      destination: ObjectRef?)
    case endEntityMapping(String, pass: Pass)
    case statement(Int, of: Int, sql: String, purpose: String)
    case stageChange(Int, of: Int, words: String)
    case validate
    case endHop
    /// A frame between them.
    case frame
  }

  /// The pass that is under way; `nil` in place, and between passes.
  package var pass: Pass? {
    switch next {
    case .beginEntityMapping(_, let pass, _), .object(_, _, _, let pass, _, _),
      .endEntityMapping(_, let pass):
      pass
    default: nil
    }
  }

  /// The entity mapping that is under way.
  package var entityMapping: String? {
    switch next {
    case .beginEntityMapping(let name, _, _), .object(_, _, let name, _, _, _),
      .endEntityMapping(let name, _):
      name
    default: nil
    }
  }
}
