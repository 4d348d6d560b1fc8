extension XMLDatabase {
  /// Whether these first bytes may be such a document's: it names its document type, or its root.
  package static func mayBegin(with head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self)
    return text.contains("<!DOCTYPE database") || text.contains("<database")
  }

  /// - Throws: ``ArchiveError``: not well-formed, or another kind of document.
  package init(reading bytes: [UInt8]) throws(ArchiveError) {
    let document = try MarkupElement(reading: bytes)
    guard document.name == "database" else {
      throw .unexpectedElement(document.name, line: document.line)
    }
    let declaration = String(decoding: bytes.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    self.init(
      info: nil, objects: [], isStandalone: !declaration.contains("standalone=\"no\""))
    var ids: Set<String> = []
    for child in document.children {
      switch child.name {
      case "databaseInfo": info = try Info(child)
      case "object":
        let object = try Object(child)
        guard ids.insert(object.id).inserted else {
          throw .notWellFormed(
            reason: "duplicate object id \(object.id)", line: child.line, column: 1)
        }
        objects.append(object)
      default: throw .unexpectedElement(child.name, line: child.line)
      }
    }
  }
}

extension MarkupElement {
  fileprivate func required(_ attribute: String) throws(ArchiveError) -> String {
    guard let value = attributes[attribute] else {
      throw .notWellFormed(reason: "<\(name)> has no attribute \(attribute)", line: line, column: 1)
    }
    return value
  }
}

extension XMLDatabase.Info {
  fileprivate init(_ element: MarkupElement) throws(ArchiveError) {
    self.init(uuid: "", nextObjectID: 0, metadata: [:])
    for child in element.children {
      switch child.name {
      case "version": version = child.trimmedText
      case "UUID": uuid = child.trimmedText
      case "nextObjectID": nextObjectID = Int64(child.trimmedText) ?? 0
      case "metadata":
        guard let list = child.children.first?.children.first else { continue }
        guard case .dictionary(let entries) = try PropertyList(element: list) else {
          throw .unexpectedElement(list.name, line: list.line)
        }
        metadata = entries
      default: throw .unexpectedElement(child.name, line: child.line)
      }
    }
  }
}

extension XMLDatabase.Object {
  fileprivate init(_ element: MarkupElement) throws(ArchiveError) {
    self.init(type: try element.required("type"), id: try element.required("id"))
    for child in element.children {
      switch child.name {
      case "attribute":
        let type = try child.required("type")
        attributes.append(
          XMLDatabase.Attribute(
            name: try child.required("name"), type: type,
            text: type == "binary" || type == "transformable"
              ? child.unspacedText : XMLEscape.resolved(child.text)))
      case "relationship":
        relationships.append(
          XMLDatabase.Relationship(
            name: try child.required("name"), type: try child.required("type"),
            destination: try child.required("destination"),
            references: (child.attributes["idrefs"] ?? "").split(separator: " ").map(String.init)))
      default: throw .unexpectedElement(child.name, line: child.line)
      }
    }
  }
}

/// Core Data writes `<`, `>` and `&` of a text as `\u3c00`, `\u3e00` and `\u2600`: UTF-16 with its bytes
/// swapped.
///
/// Other characters that XML cannot hold, or would change, are written likewise; that is by analogy.
enum XMLEscape {
  static func resolved(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var units: [UInt16] = []
    let source = Array(text.utf16)
    var index = 0
    while index < source.count {
      if source[index] == 0x5C, let unit = unit(in: source, at: index) {
        units.append(unit)
        index += 6
      } else {
        units.append(source[index])
        index += 1
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The character of an escape such as `\u3c00`; `nil` if it is not an escape.
  private static func unit(in source: [UInt16], at index: Int) -> UInt16? {
    guard index + 6 <= source.count, source[index + 1] == 0x75 else { return nil }
    var digits = ""
    for unit in source[(index + 2)..<(index + 6)] {
      guard unit < 0x80, let scalar = Unicode.Scalar(unit), Character(scalar).isHexDigit else {
        return nil
      }
      digits.unicodeScalars.append(scalar)
    }
    return UInt16(digits, radix: 16)?.byteSwapped
  }

  static func escaped(_ text: String) -> String {
    // White space with a line end and nothing else looks like the layout of a document.
    let isBlank = text.utf8.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26, 0x3C, 0x3E, 0x0D, 0x5C, 0xFFFE, 0xFFFF: escaped += escape(scalar)
      case 0x0A where isBlank: escaped += escape(scalar)
      case 0x09, 0x0A: escaped.unicodeScalars.append(scalar)
      case 0..<0x20: escaped += escape(scalar)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in
      let digits = String(unit.byteSwapped, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
