internal import StrataEssentials

extension PropertyList {
  /// Reads an XML property list, such as `.xccurrentversion` and the metadata of old stores.
  init(readingXML bytes: [UInt8]) throws(ArchiveError) {
    guard bytes.contains(UInt8(ascii: "<")) else { throw .notAPropertyList }
    let document = try MarkupElement(reading: bytes)
    guard document.name == "plist", let content = document.children.first else {
      throw .notAPropertyList
    }
    self = try Self(element: content)
  }

  init(element: MarkupElement) throws(ArchiveError) {
    switch element.name {
    case "string": self = .string(element.text)
    case "true": self = .boolean(true)
    case "false": self = .boolean(false)
    case "integer":
      let text = element.trimmedText
      if let number = Int64(text) {
        self = .integer(number)
      } else if let number = UInt64(text) {
        self = .largeInteger(number)
      } else {
        throw Self.badText(element)
      }
    case "real":
      guard let number = Double(element.trimmedText) else { throw Self.badText(element) }
      self = .real(number)
    case "date":
      guard let seconds = PropertyListDate.seconds(element.trimmedText) else {
        throw Self.badText(element)
      }
      self = .date(seconds)
    case "data":
      guard let data = Data(base64Encoded: element.unspacedText) else {
        throw Self.badText(element)
      }
      self = .data(Array(data))
    case "array":
      var elements: [PropertyList] = []
      for child in element.children { elements.append(try Self(element: child)) }
      self = .array(elements)
    case "dict":
      self = .dictionary(try Self.entries(of: element))
    default:
      throw .unexpectedElement(element.name, line: element.line)
    }
  }

  private static func entries(
    of element: MarkupElement
  ) throws(ArchiveError) -> [String: PropertyList] {
    var entries: [String: PropertyList] = [:]
    var key: String?
    for child in element.children {
      if let name = key {
        entries[name] = try Self(element: child)
        key = nil
      } else if child.name == "key" {
        key = child.text
      } else {
        throw .unexpectedElement(child.name, line: child.line)
      }
    }
    guard key == nil else { throw .unexpectedElement("key", line: element.line) }
    return entries
  }

  private static func badText(_ element: MarkupElement) -> ArchiveError {
    .notWellFormed(
      reason: "the content of <\(element.name)> is not valid", line: element.line, column: 1)
  }
}

extension PropertyList {
  /// The same value with dates of whole seconds, as XML has them.
  var withWholeSeconds: PropertyList {
    switch self {
    case .date(let seconds): .date(seconds.rounded(.down))
    case .array(let elements): .array(elements.map(\.withWholeSeconds))
    case .dictionary(let entries): .dictionary(entries.mapValues(\.withWholeSeconds))
    default: self
    }
  }

  /// A dictionary of texts as an XML property list.
  package static func encodedXML(_ texts: KeyValuePairs<String, String>) -> [UInt8] {
    let items = texts.map { key, value in
      "\t<key>\(MarkupElement.escaped(key, inAttribute: false))</key>\n"
        + "\t<string>\(MarkupElement.escaped(value, inAttribute: false))</string>\n"
    }
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \(items.joined())</dict>
      </plist>

      """.utf8)
  }
}
