internal import StrataBase
internal import StrataMigration

/// What is known of the losses of a path at the base.
enum LossComparison: Sendable {
  /// There is no base: whether the losses can still be avoided, because no release contains the current version.
  case none(isNew: Bool)
  case base(Base)

  /// The path at the base. What a release lost has happened.
  struct Base: Sendable {
    let name: String
    /// `nil` if the base had none.
    let plan: MigrationPlan?
    let policies: PolicyRegistry
    let isRelease: Bool
    /// The losses that its models tell.
    private let losses: [PathLoss.Subject: [PathLoss]]

    init(_ name: String, _ plan: MigrationPlan?, _ policies: PolicyRegistry, isRelease: Bool) {
      (self.name, self.plan, self.policies, self.isRelease) = (name, plan, policies, isRelease)
      losses = Dictionary(grouping: plan?.losses ?? [], by: \.subject)
    }

    /// Whether its models tell of a loss too.
    func tells(_ loss: PathLoss) -> Bool {
      losses[loss.subject, default: []].contains {
        $0.kind == loss.kind && ($0.isWhole || !loss.isWhole)
      }
    }
  }

  /// The severity of a loss. One that the base has too has happened: it is only worth a note.
  func severity(isKnown: Bool) -> Diagnostic.Severity {
    switch self {
    case .none(let isNew): isNew ? .error : .note
    case .base: isKnown ? .note : .error
    }
  }

  /// Whether the models tell that the base has a loss too.
  func tells(_ loss: PathLoss) -> Bool {
    if case .base(let base) = self { base.tells(loss) } else { false }
  }

  /// The reason why a loss needs no fix, or the decision that it needs.
  func fix(of severity: Diagnostic.Severity) -> Fix {
    switch self {
    case .base(let base) where base.plan == nil:
      return Fix(
        "\(base.name) has no plan to compare with; if this is intended, accept the finding in strata.toml, with the reason"
      )
    case _ where severity != .note:
      return Fix("if this is intended, accept the finding in strata.toml, with the reason")
    case .none: return Fix("none is needed: the current version has shipped")
    case .base(let base):
      let known = "the plan at \(base.name) loses them too"
      return Fix(
        base.isRelease
          ? "none is needed: \(known)"
          : "none for this change: \(known); `strata check` alone compares with the last release")
    }
  }
}
