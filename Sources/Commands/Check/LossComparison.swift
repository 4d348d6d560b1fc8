internal import StrataBase
internal import StrataMigration

/// What is known of the losses of a path at the base.
enum LossComparison: Sendable {
  /// There is no base: whether the losses can still be avoided, because no release contains the current version.
  case none(isNew: Bool)
  /// The plan at the base, with the policies at the base; `nil` if it had none. What a release lost has happened.
  case base(String, MigrationPlan?, PolicyRegistry, isRelease: Bool)

  /// The severity of a loss. One that the base has too has happened: it is only worth a note.
  func severity(isKnown: Bool) -> Diagnostic.Severity {
    switch self {
    case .none(let isNew): isNew ? .error : .note
    case .base: isKnown ? .note : .error
    }
  }

  /// Whether the models tell that the base has a loss too.
  func tells(_ loss: PathLoss) -> Bool {
    guard case .base(_, let plan?, _, _) = self else { return false }
    return plan.losses.contains {
      $0.kind == loss.kind && $0.subject == loss.subject && ($0.isWhole || !loss.isWhole)
    }
  }

  /// The reason why a loss needs no fix, or the decision that it needs.
  func fix(of severity: Diagnostic.Severity) -> Fix {
    switch self {
    case .base(let name, nil, _, _):
      return Fix(
        "\(name) has no plan to compare with; if this is intended, accept the finding in strata.toml, with the reason"
      )
    case _ where severity != .note:
      return Fix("if this is intended, accept the finding in strata.toml, with the reason")
    case .none: return Fix("none is needed: the current version has shipped")
    case .base(let name, _, _, let isRelease):
      let known = "the plan at \(name) loses them too"
      return Fix(
        isRelease
          ? "none is needed: \(known)"
          : "none for this change: \(known); `strata check` alone compares with the last release")
    }
  }
}
