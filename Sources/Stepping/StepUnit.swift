internal import StrataMigration

/// What a movement goes by.
package enum StepUnit: String, Sendable, Hashable, CaseIterable {
  /// One object, one statement, or what begins and ends an entity mapping.
  case step
  /// In place: the statements of one kind.
  case mapping
  case pass
  case hop
}

extension MigrationStep {
  /// Whether somebody who steps stops in front of it; frames are passed in one go with what follows.
  var isStop: Bool {
    switch self {
    case .beginEntityMapping, .objects, .endEntityMapping, .statement, .stageChange, .validate,
      .endHop:
      true
    case .beginHop, .beginPart, .beginPass, .endPass, .endPart, .commit: false
    }
  }

  /// Whether there may be thousands of its kind in one entity mapping.
  var isObjects: Bool { if case .objects = self { true } else { false } }
}
