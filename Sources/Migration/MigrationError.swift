package import StrataBase
internal import StrataMapping

internal import struct StrataPolicy.PolicyError

/// Why a migration cannot be planned or done.
package enum MigrationError: Error, Sendable {
  /// Neither a mapping model nor inference leads from one model to the other.
  case notInferable(from: String, to: String, obstacles: [Finding])
  /// No mapping model fits, and none may be inferred; the others with what is wrong with them.
  case missingMappingModel(from: String, to: String, rejected: [String])
  /// Several mapping models fit, and Core Data's choice is undefined; the parts are those that can run one after
  /// the other.
  case undefinedChoice(from: String, to: String, fitting: [String], parts: [String])
  /// A mapping model that is named, by a user or by convention, and is for other models.
  case unfitMapping(String, from: String, to: String, reason: String)
  /// A model that is none of the versions through which a strategy goes.
  case unknownVersion(String)
  /// A version that no stage holds: the store's, or the one to get to.
  case unknownStageVersion(String, isTarget: Bool)
  /// The stages lead the other way.
  case backwards(from: String, to: String)
  /// What is wrong with a mapping model, found before the first object is looked at.
  case badMapping(String, findings: [Finding])
  /// Policies that mapping models name and that the program does not know, once for each use.
  case unknownPolicies([PolicyUse], known: [String])
  /// A value of a kind that an attribute of the destination cannot have.
  case unfittingValue(property: String, entity: String, gives: String, wants: String)
  /// An expression that cannot be evaluated for an object.
  case cannotEvaluate(String, mapping: String, property: String, reason: String)
  /// A filter that the source model does not allow.
  case badFilter(String, mapping: String, reason: String)
  case unknownEntity(String, near: String?)
  case unknownProperty(String, of: String, near: String?)
  /// A policy has stopped the migration: which, where, at which source or destination object, and why.
  case stoppedByPolicy(
    String, mapping: String, pass: Pass, object: ObjectRef?, reason: Diagnostic)
  /// What a stage is to do cannot be done: before or after its migration, and why.
  case stoppedByStage(from: String, to: String, isBefore: Bool, reason: Diagnostic)
  /// A migration in place did not come out as the new model wants it; nothing was changed.
  case notAsPlanned([String])
  /// A table of an app's own has the name of one that the new model needs.
  case nameTaken(String)
  /// A column of an app's own has the name of one that the new model needs.
  case columnNameTaken(String, table: String)
  /// Only an inferred mapping model can be followed in place.
  case notInPlace
  /// A step was asked for after the last one.
  case finished

  /// Whether no path leads from one model to the other: to the question whether one does, the answer is no.
  package var hasNoPath: Bool {
    switch self {
    case .notInferable, .missingMappingModel: true
    default: false
    }
  }

  /// Whether a rehearsal has its answer by this: no, since the migration fails or is refused.
  ///
  /// Where it is not known what the app would do, there is no answer: which of several mapping models Core Data
  /// chooses, and what a policy does of which there is no file. Nor is there one where the command line names a
  /// mapping model of other models.
  package var isAnswer: Bool {
    switch self {
    case .notInferable, .missingMappingModel, .unknownStageVersion, .backwards,
      .badMapping, .unfittingValue, .cannotEvaluate, .badFilter, .unknownEntity, .unknownProperty,
      .stoppedByPolicy, .stoppedByStage, .notAsPlanned, .nameTaken, .columnNameTaken:
      true
    case .undefinedChoice, .unknownPolicies, .unknownVersion, .unfitMapping, .notInPlace, .finished:
      false
    }
  }

  /// Whether Core Data refuses the stages.
  package var isRefusedByStages: Bool {
    switch self {
    case .unknownStageVersion, .backwards: true
    default: false
    }
  }

  /// What a policy threw, with its place.
  static func stopped(
    by policy: String, in mapping: EntityMapping, _ pass: Pass, _ object: ObjectRef?,
    _ error: any Error
  ) -> MigrationError {
    let refusal = error as? PolicyError
    let reason =
      (error as? any DiagnosticError)?.diagnostic
      ?? Diagnostic(id: "policy.failed", what: refusal?.message ?? "\(error)", fix: refusal?.fix)
    return .stoppedByPolicy(
      policy, mapping: mapping.name, pass: pass, object: object, reason: reason)
  }
}
