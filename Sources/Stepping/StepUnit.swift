internal import StrataMigration

/// The unit of a movement.
package enum StepUnit: String, Sendable, Hashable, CaseIterable {
  /// One object, one statement, or the start or end of an entity mapping.
  case step
  /// In place: the statements of one kind.
  case mapping
  case pass
  case hop
}

extension MigrationStep {
  /// Whether the stepper stops before it; frames are passed together with the next step.
  var isStop: Bool {
    switch self {
    case .beginEntityMapping, .objects, .endEntityMapping, .statement, .stageChange, .validate,
      .endHop:
      true
    case .beginHop, .beginPart, .beginPass, .endPass, .endPart, .commit: false
    }
  }

  /// Whether an entity mapping can have thousands of them.
  var isObjects: Bool { if case .objects = self { true } else { false } }
}
