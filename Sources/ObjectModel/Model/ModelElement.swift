package import StrataArchives

/// A named part of a model: an entity, a property, a configuration …
package protocol ModelElement: Sendable, Hashable {
  /// What a model's file says of this element beyond what Strata gives a meaning.
  var extras: ModelExtras { get set }
}

/// What stands in a model's file that Strata only keeps: attributes and elements to write back as
/// they were, and the line to point at.
package struct ModelExtras: Sendable, Hashable {
  package var attributes: KeptAttributes
  package var elements: [MarkupElement]
  /// The line in the file that the element was read from; 0 where there was none.
  package var line: Int

  package init(
    attributes: KeptAttributes = KeptAttributes(), elements: [MarkupElement] = [], line: Int = 0
  ) {
    self.attributes = attributes
    self.elements = elements
    self.line = line
  }

  /// The line does not count: the same element further down is the same element.
  package static func == (a: Self, b: Self) -> Bool {
    a.attributes == b.attributes && a.elements == b.elements
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(attributes)
    hasher.combine(elements)
  }
}

/// One `userInfo` entry.
package struct UserInfoEntry: Sendable, Hashable {
  package var key: String
  package var value: String

  package init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}
