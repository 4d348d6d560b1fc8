package import StrataBase
internal import StrataMapping
internal import StrataSQLite

internal import struct StrataPolicy.PolicyError

/// An error when planning or performing a migration.
package enum MigrationError: Error, Sendable {
  /// No mapping model fits, and none can be inferred.
  case notInferable(from: String, to: String, obstacles: [Finding])
  /// No mapping model fits, and inference is not allowed; the rejected ones with reasons.
  case missingMappingModel(from: String, to: String, rejected: [String])
  /// Several mapping models fit, so Core Data's choice is undefined; the parts can be run one after the other.
  case undefinedChoice(from: String, to: String, fitting: [String], parts: [String])
  /// A mapping model that was named, by the user or by convention, but is for other models.
  case unfitMapping(String, from: String, to: String, reason: String)
  /// A model that is not one of the versions of a strategy.
  case unknownVersion(String)
  /// A version that is in no stage: that of the store or of the target.
  case unknownStageVersion(String, isTarget: Bool)
  /// The stages have the opposite order.
  case backwards(from: String, to: String)
  /// The errors of a mapping model, found before the first object is read.
  case badMapping(String, files: [String], findings: [Finding])
  /// Unknown policies of mapping models, once for each use.
  case unknownPolicies([PolicyUse], known: [String])
  /// A value of the wrong type for a destination attribute.
  case unfittingValue(property: String, entity: String, gives: String, wants: String)
  /// An expression that cannot be evaluated for a source object.
  case cannotEvaluate(
    String, mapping: String, property: String, object: ObjectRef?, reason: String)
  /// An invalid filter for the source model.
  case badFilter(String, mapping: String, reason: String)
  case unknownEntity(String, near: String?)
  case unknownProperty(String, of: String, near: String?)
  /// A policy has stopped the migration: the policy, the entity mapping and pass, the source or destination
  /// object, and the reason.
  case stoppedByPolicy(
    String, mapping: String, pass: Pass, object: ObjectRef?, reason: Diagnostic)
  /// An action of a stage has failed, before or after its migration; the reason.
  case stoppedByStage(from: String, to: String, isBefore: Bool, reason: Diagnostic)
  /// The result of an in-place migration does not match the new model; the store is unchanged.
  case notAsPlanned([String])
  /// A table of an app's own has the name of one that the new model needs.
  case nameInUse(String)
  /// A column of an app's own has the name of one that the new model needs.
  case columnNameInUse(String, table: String)
  /// An in-place migration requires an inferred mapping model.
  case notInPlace
  /// A step was requested after the last one.
  case finished

  /// Whether there is no path from one model to the other, which is a negative answer instead of an error.
  package var hasNoPath: Bool {
    switch self {
    case .notInferable, .missingMappingModel: true
    default: false
    }
  }

  /// Whether the error is a negative answer of a rehearsal: the migration fails or is rejected.
  ///
  /// There is no answer if the behavior of the app is unknown: which of several mapping models Core Data
  /// chooses, or what a policy without a file does. There is none either if the command names a mapping model
  /// for other models.
  package var isAnswer: Bool {
    switch self {
    case .notInferable, .missingMappingModel, .unknownStageVersion, .backwards,
      .badMapping, .unfittingValue, .cannotEvaluate, .badFilter, .unknownEntity, .unknownProperty,
      .stoppedByPolicy, .stoppedByStage, .notAsPlanned, .nameInUse, .columnNameInUse:
      true
    case .undefinedChoice, .unknownPolicies, .unknownVersion, .unfitMapping, .notInPlace, .finished:
      false
    }
  }

  /// Whether Core Data rejects the stages.
  package var isRefusedByStages: Bool {
    switch self {
    case .unknownStageVersion, .backwards: true
    default: false
    }
  }

  /// The error for reports, without a message from an app's own policy in Swift: it can contain values of the store,
  /// which those of policy files do not.
  package var withoutMessagesOfApps: MigrationError {
    guard case .stoppedByPolicy(let policy, let mapping, let pass, let object, let reason) = self,
      reason.id == Self.messageOfApp
    else { return self }
    return .stoppedByPolicy(
      policy, mapping: mapping, pass: pass, object: object,
      reason: Diagnostic(id: reason.id, what: "`migrate --dry-run` shows its error"))
  }

  /// The id of an error that an app's own code has thrown.
  private static let messageOfApp = "policy.failed"

  /// The error thrown by a policy, with its location; that of a store itself, which another object could also cause.
  static func stopped(
    by policy: String, in mapping: EntityMapping, _ pass: Pass, _ object: ObjectRef?,
    _ error: any Error
  ) -> any Error {
    guard !(error is StoreError) else { return error }
    let refusal = error as? PolicyError
    let reason =
      (error as? any DiagnosticError)?.diagnostic
      ?? Diagnostic(id: messageOfApp, what: refusal?.message ?? "\(error)", fix: refusal?.fix)
    return MigrationError.stoppedByPolicy(
      policy, mapping: mapping.name, pass: pass, object: object, reason: reason)
  }
}
