extension MarkupElement {
  /// This element as an XML document, laid out as Xcode lays out a model's `contents`: four spaces for each level,
  /// empty elements self-closed, no line feed at the end.
  ///
  /// - Parameter order: For an element's name, the attributes that come first, in their order; the
  ///   others follow in byte order.
  package func encoded(attributeOrder order: (String) -> [String]) -> [UInt8] {
    var text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n"
    append(to: &text, indent: 0, order: order)
    return Array(text.utf8)
  }

  private func append(to text: inout String, indent: Int, order: (String) -> [String]) {
    let margin = String(repeating: " ", count: 4 * indent)
    text += "\(margin)<\(name)"
    for key in Self.ordered(attributes.keys, first: order(name)) {
      text += " \(key)=\"\(Self.escaped(attributes[key] ?? "", inAttribute: true))\""
    }
    if children.isEmpty, self.text.isEmpty {
      text += "/>"
    } else if children.isEmpty {
      text += ">\(Self.escaped(self.text, inAttribute: false))</\(name)>"
    } else {
      text += ">\(Self.escaped(self.text, inAttribute: false))"
      // In mixed content, indentation would add text at every write.
      let isMixed = !self.text.isEmpty
      for child in children {
        if !isMixed { text += "\n" }
        child.append(to: &text, indent: isMixed ? 0 : indent + 1, order: order)
      }
      text += isMixed ? "</\(name)>" : "\n\(margin)</\(name)>"
    }
  }

  private static func ordered(_ keys: some Sequence<String>, first: [String]) -> [String] {
    let all = Set(keys)
    var seen: Set<String> = []
    let known = first.filter { all.contains($0) && seen.insert($0).inserted }
    let rest = all.subtracting(known).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return known + rest
  }

  static func escaped(_ text: String, inAttribute: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      // Xcode does not escape it in attributes, where XML allows it.
      case ">" where !inAttribute: escaped += "&gt;"
      case "\"" where inAttribute: escaped += "&quot;"
      case "\n" where inAttribute: escaped += "&#10;"
      case "\t" where inAttribute: escaped += "&#9;"
      case "\r": escaped += "&#13;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
