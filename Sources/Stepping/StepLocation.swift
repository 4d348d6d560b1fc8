package import StrataBase
package import StrataMigration

/// The position of a stepper: the next step and its context.
package struct StepLocation: Sendable, Hashable {
  /// The number of the hop, starting at 1.
  package var hop: Int
  package var hopCount: Int
  package var from: String
  package var to: String
  package var means: MigrationPlan.Means
  /// The mapping model, or the current part of several.
  package var mappingModel: String
  package var part: Int?
  package var partCount: Int
  /// The next step; `nil` after the last hop.
  package var next: Next?
  /// The number of the last event.
  package var mark: EventNumber

  package enum Next: Sendable, Hashable {
    case beginEntityMapping(String, pass: Pass, kind: String)
    /// An object; its number starts at 1. In pass 2 also the destination object.
    case object(
      Int, of: Int, mapping: String, pass: Pass, source: ObjectRef?,
      destination: ObjectRef?)
    case endEntityMapping(String, pass: Pass)
    case statement(Int, of: Int, sql: String, purpose: String)
    case stageChange(Int, of: Int, text: String)
    case validate
    case endHop
    /// The start or end of a part, with no work of its own.
    case frame
  }

  /// The current pass; `nil` in place and between passes.
  package var pass: Pass? { frame?.pass }

  /// The current entity mapping.
  package var entityMapping: String? { frame?.mapping }

  private var frame: (mapping: String, pass: Pass)? {
    switch next {
    case .beginEntityMapping(let name, let pass, _), .object(_, _, let name, let pass, _, _),
      .endEntityMapping(let name, let pass):
      (name, pass)
    default: nil
    }
  }
}
