internal import StrataBase

/// An element of an XML document, with its attributes, its children and the line it began on.
///
/// The input of the model readers, uninterpreted; only the order of attributes and comments are lost.
///
/// ```swift
/// let model = try MarkupElement(reading: Array(#"<model><entity name="Topic"/></model>"#.utf8))
/// model.children[0].attributes["name"]  // "Topic"
/// ```
package struct MarkupElement: Sendable, Hashable {
  package var name: String
  package var attributes: [String: String]
  package var children: [MarkupElement]
  /// The character data directly inside this element, concatenated, without leading white space.
  package var text: String
  /// The line of the start tag, counted from 1; 0 for an element made in memory.
  package var line: Int

  package init(
    name: String, attributes: [String: String] = [:], children: [MarkupElement] = [],
    text: String = "", line: Int = 0
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.text = text
    self.line = line
  }

  /// Two elements are equal if their contents are, whatever their lines.
  package static func == (a: Self, b: Self) -> Bool {
    a.name == b.name && a.attributes == b.attributes && a.text == b.text
      && a.children == b.children
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(attributes)
  }

  /// The number of elements, including this one.
  package var elementCount: Int { children.reduce(1) { $0 + $1.elementCount } }

  /// The number of levels, including this one.
  package var depth: Int { 1 + (children.map(\.depth).max() ?? 0) }

  /// The text without white space around it.
  package var trimmedText: String { text.trimmed }

  /// The text without white space anywhere, as base64 over several lines requires.
  ///
  /// Source: XML 1.0, production 3 (`S`): exactly these four characters are white space.
  package var unspacedText: String {
    // A loop, because closures on a text are slow and mapping models have megabytes of it.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8
    where byte > 0x20 || byte != 0x20 && byte != 0x0A && byte != 0x09 && byte != 0x0D {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
