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

    /// The other end of a relationship; `nil` for all else.
    func inverse(in model: ObjectModel) -> Self? {
      guard let entity, let property,
        let inverse = model.relationship(property, of: entity).flatMap({
          model.inverse(of: $0.property)
        })
      else { return nil }
      return Self(entity: inverse.declaringEntity, property: inverse.property.name)
    }
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
  ///
  /// - Parameter loss: What the hop tells of the warning.
  init?(_ warning: Finding, _ loss: Loss?, in hop: MigrationPlan.Hop) {
    guard let rule = warning.lossRule else { return nil }
    subject = Subject(entity: warning.location.entity, property: warning.property)
    isWhole = rule.isOfElement || rule.isOfObjects
    reason = warning.reason
    let source = loss?.sources.first
    let entity = source?.entity ?? warning.entity
    let model = hop.from.model
    func owner(of property: String, _ entity: String) -> String? {
      model.relationship(property, of: entity)?.declaringEntity
        ?? model.attribute(property, of: entity)?.declaringEntity
    }
    // The location can have the names of the new model.
    if let property = subject.property {
      if owner(of: property, warning.entity) == nil, let old = source?.property {
        subject = Subject(entity: owner(of: old, entity) ?? entity, property: old)
      }
    } else if let source {
      subject.entity = source.entity
    }
    switch rule {
    case .unmatchedRename(let old, let new, _):
      if warning.property == nil {
        (kind, subject) = (.lossObjects, Subject(entity: old))
        if old != new { reason = LossRule.removedEntity.reason }
      } else {
        let isLink = model.relationship(old, of: entity) != nil
        kind = isLink ? .lossLinks : .lossValues
        subject = Subject(entity: owner(of: old, entity) ?? entity, property: old)
        if old != new { reason = LossRule.removed(isRelationship: isLink).reason }
      }
    case .unordered: kind = .lossOrder
    case .narrowed, .exclusive, .ownInverse, .overruled, .narrowerDestination, .retargeted,
      .acrossParts, .becameAttribute, .removed(isRelationship: true),
      .unread(isRelationship: true), .becameTransient(isRelationship: true):
      kind = .lossLinks
    default: kind = rule.isOfObjects ? .lossObjects : .lossValues
    }
  }
}

extension MigrationPlan.Hop {
  var lossesByFinding: [Finding: Loss] { Dictionary(first: losses.map { ($0.finding, $0) }) }
}

extension MigrationPlan {
  /// The losses that follow from the models.
  var losses: [PathLoss] {
    hops.flatMap { hop in
      let told = hop.lossesByFinding
      return hop.warnings.compactMap { PathLoss($0, told[$0], in: hop) }
    }
  }

  /// The mapping models that are not inferred, in order.
  var written: [NamedMappingModel] { hops.filter { !$0.isInferred }.flatMap(\.parts) }
  var writtenMappings: [String] { written.map(\.name) }
}
