internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

/// What a hop loses: the objects of an entity of its source, or the values or links of a property.
struct PathLoss: Hashable, Sendable {
  /// What is lost, apart from how.
  struct Subject: Hashable, Sendable {
    /// `nil` for objects of unknown entities.
    var entity: String?
    /// `nil` for the objects themselves.
    var property: String?
  }

  var kind: CheckRule.Kind
  var subject: Subject
  /// Whether all of them are lost; otherwise some, such as the fractions of numbers.
  var isWhole: Bool
  /// The problem, as of a finding.
  var reason: String

  /// The loss that a warning is about; `nil` if it is about something else.
  ///
  /// What is probably a rename without a renaming identifier is lost like what is deleted.
  init?(_ warning: Finding, in hop: MigrationPlan.Hop) {
    guard let rule = warning.lossRule else { return nil }
    subject = Subject(entity: warning.location.entity, property: warning.property)
    isWhole = rule.isOfElement || rule.isOfObjects
    reason = warning.reason
    switch rule {
    case .unmatchedRename(let old, let new, _):
      let source = hop.losses.first { $0.finding == warning }?.sources.first
      let entity = source?.entity ?? warning.entity
      if warning.property == nil {
        (kind, subject) = (.lossObjects, Subject(entity: old))
        if old != new { reason = LossRule.removedEntity.reason }
      } else {
        let link = hop.from.model.relationship(old, of: entity)
        let owner =
          link?.declaringEntity ?? hop.from.model.attribute(old, of: entity)?.declaringEntity
        kind = link == nil ? .lossValues : .lossLinks
        subject = Subject(entity: owner ?? entity, property: old)
        if old != new { reason = LossRule.removed(isRelationship: link != nil).reason }
      }
    case .unordered: kind = .lossOrder
    case .narrowed, .retargeted, .acrossParts, .becameAttribute, .removed(isRelationship: true),
      .unread(isRelationship: true), .becameTransient(isRelationship: true):
      kind = .lossLinks
    default: kind = rule.isOfObjects ? .lossObjects : .lossValues
    }
  }
}

/// What is known of the losses of a path at the base.
enum LossComparison: Sendable {
  /// There is no base: whether the losses can still be avoided, because no release contains the current version.
  case none(isNew: Bool)
  /// The plan at the base, with the policies at the base; `nil` if it had none.
  case base(String, MigrationPlan?, PolicyRegistry)

  /// The severity of a loss. One that the base has too has happened: it is only worth a note.
  func severity(isKnown: Bool) -> Diagnostic.Severity {
    switch self {
    case .none(let isNew): isNew ? .error : .note
    case .base: isKnown ? .note : .error
    }
  }

  /// Whether the models tell that the base has a loss too.
  func tells(_ loss: PathLoss) -> Bool {
    guard case .base(_, let plan?, _) = self else { return false }
    return plan.losses.contains {
      $0.kind == loss.kind && $0.subject == loss.subject && ($0.isWhole || !loss.isWhole)
    }
  }

  /// The reason why a loss needs no fix, or the decision that it needs.
  func fix(of severity: Diagnostic.Severity) -> Fix {
    guard severity == .note else {
      return Fix("if this is intended, accept the finding in strata.toml, with the reason")
    }
    switch self {
    case .none: return Fix("none is needed: the current version has shipped")
    case .base(let name, _, _): return Fix("none is needed: the plan at \(name) loses them too")
    }
  }
}

extension MigrationPlan {
  /// The losses that follow from the models.
  var losses: [PathLoss] {
    hops.flatMap { hop in hop.warnings.compactMap { PathLoss($0, in: hop) } }
  }

  /// The names of the mapping models that are not inferred, in order.
  var writtenMappings: [String] { hops.filter { !$0.isInferred }.flatMap(\.parts).map(\.name) }
}

extension Sequence {
  /// One element for each key, the first of the most severe ones, in the order of the first of each key.
  func worst<Key: Hashable>(
    _ severity: (Element) -> Diagnostic.Severity, by key: (Element) -> Key
  ) -> [Element] {
    var worst: [Element] = []
    var indices: [Key: Int] = [:]
    for element in self {
      if let index = indices[key(element)] {
        if severity(element).isWorse(than: severity(worst[index])) { worst[index] = element }
      } else {
        indices[key(element)] = worst.count
        worst.append(element)
      }
    }
    return worst
  }
}

extension Diagnostic.Severity {
  func isWorse(than other: Diagnostic.Severity) -> Bool {
    switch (self, other) {
    case (.error, .warning), (.error, .note), (.warning, .note): true
    default: false
    }
  }
}
