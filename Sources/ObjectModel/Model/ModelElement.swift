package import StrataArchives

/// A named part of a model: an entity, a property, a configuration …
package protocol ModelElement: Sendable, Hashable {
  /// The parts of the element in the model file that are preserved but not interpreted.
  var extras: ModelExtras { get set }
}

/// Parts of a model file that are preserved but not interpreted: attributes and elements to write back
/// unchanged, and the line for messages.
package struct ModelExtras: Sendable, Hashable {
  package var attributes = KeptXMLAttributes()
  package var elements: [MarkupElement] = []
  /// The line of the element in its file, from 1; 0 if unknown. Of a part of an entity or a composite: the number
  /// of lines after its owner's, so that entities with equal XML are equal at every line; see
  /// ``Entity/line(of:)``.
  package var line = 0

  /// The line is ignored: an element that moved to another line is equal.
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
