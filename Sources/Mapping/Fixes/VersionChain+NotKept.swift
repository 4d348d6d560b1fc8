internal import StrataBase

extension VersionChain {
  /// The losses that the steps do not prevent, with reasons; each element once.
  ///
  /// ```swift
  /// let chain = VersionChain(from: MatchableModel(recipes1), to: MatchableModel(recipes2))
  /// chain?.notKept.map(\.text)
  /// // ["Chef.training: no destination attribute for its values is known"]
  /// ```
  package var notKept: [NotKept] {
    var elements: Set<String> = []
    return warnings.compactMap { warning in
      guard let reason = warning.lossRule?.reasonNotKept else { return nil }
      let loss = NotKept(element: warning.lostName, reason: reason)
      return elements.insert(loss.element).inserted ? loss : nil
    }
  }

  package struct NotKept: Sendable, Hashable {
    /// The entity or property, such as `Topic.tags`.
    package var element: String
    package var reason: String

    package var text: String { "\(element): \(reason)" }
  }
}

extension Finding {
  /// The source element whose values, links or objects are lost.
  fileprivate var lostName: String {
    let property: String? =
      if case .unmatchedRename(let old, _, _) = lossRule, self.property != nil {
        old
      } else {
        self.property
      }
    return [entity, property].compactMap(\.self).joined(separator: ".")
  }
}

extension LossRule {
  /// The reason why no intermediate version or stage prevents the loss; `nil` if the loss is not certain.
  fileprivate var reasonNotKept: String? {
    switch self {
    case .removedEntity: "no destination entity for its objects is known"
    case .becameAbstract: "the subentity for its objects is not known"
    case .removed(isRelationship: true):
      "no destination relationship for its links is known"
    case .removed(isRelationship: false):
      "no destination attribute for its values is known"
    case .becameTransient(isRelationship: true): "a transient relationship stores no links"
    case .becameTransient(isRelationship: false): "a transient attribute stores no values"
    case .becameRelationship: "no attribute of the related entity for its values is known"
    case .becameAttribute: "the value that represents an object is not known"
    case .unmatchedRename(let old, let new, _):
      old == new
        ? "the element with its name has another renaming identifier"
        : "whether \(new) replaces it is not known"
    case .unmatchedSplit: "how its values are split is not known"
    case .narrowed: "a to-one relationship holds one object"
    case .exclusive: "a destination object can have one owner"
    case .ownInverse: "an object has one partner"
    case .overruled: "both ends of a relationship have the same links"
    case .narrowerDestination(let new, let others):
      "which \(new) object replaces which \(others.joined(separator: ", ")) object is not known"
    case .unordered: "an unordered relationship stores no order"
    case .retargeted(let old, let new):
      "which \(new) object replaces which \(old) object is not known"
    case .unreadEntity, .unread, .acrossParts, .narrowedNumber, .truncated, .rounded, .outOfRange:
      nil
    }
  }
}
