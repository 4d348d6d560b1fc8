internal import StrataBase

extension VersionChain {
  /// What is lost along the steps as well, and why no step keeps it; an element once.
  ///
  /// ```swift
  /// chain.notKept.map(\.text)
  /// // ["Topic.tags: no relationship of the destination is known that takes its links"]
  /// ```
  package var notKept: [NotKept] {
    var elements: Set<String> = []
    return warnings.compactMap { warning in
      guard let reason = warning.lossRule?.reasonNotKept else { return nil }
      let loss = NotKept(element: warning.lostName, reason: reason)
      return elements.insert(loss.element).inserted ? loss : nil
    }
  }

  package struct NotKept: Sendable, Hashable, Encodable {
    /// `Topic.tags`
    package var element: String
    package var reason: String

    package var text: String { "\(element): \(reason)" }
  }
}

extension Finding {
  /// The element of the source whose values, links or objects are lost.
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
  /// Why no version in between and no stage keeps what is lost; `nil` where nothing is lost for certain.
  fileprivate var reasonNotKept: String? {
    switch self {
    case .removedEntity: "no entity is known that takes its objects"
    case .becameAbstract: "which subentity takes its objects is not known"
    case .removed(isRelationship: true):
      "no relationship of the destination is known that takes its links"
    case .removed(isRelationship: false):
      "no attribute of the destination is known that takes its values"
    case .becameTransient(isRelationship: true): "a transient relationship stores no links"
    case .becameTransient(isRelationship: false): "a transient attribute stores no values"
    case .becameRelationship: "no attribute behind the relationship is known that takes its values"
    case .becameAttribute: "which value stands for an object is not known"
    case .unmatchedRename(let old, let new, _):
      old == new
        ? "the element of its name has another renaming identifier"
        : "whether \(new) continues it is not known"
    case .unmatchedSplit: "how its values are divided is not known"
    case .narrowed: "a to-one relationship holds one object"
    case .unordered: "an unordered relationship stores no order"
    case .retargeted(let old, let new): "which \(new) takes the place of which \(old) is not known"
    case .unreadEntity, .unread, .acrossParts, .narrowedNumber, .truncated, .rounded, .outOfRange:
      nil
    }
  }
}
