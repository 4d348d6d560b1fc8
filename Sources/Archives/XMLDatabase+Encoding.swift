internal import StrataBase
internal import StrataEssentials

extension XMLDatabase {
  /// The document as Core Data lays it out.
  package func encoded() -> [UInt8] {
    var text = """
      <?xml version="1.0" standalone="\(isStandalone ? "yes" : "no")"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>

      """
    if let info { info.append(to: &text) }
    for object in objects { object.append(to: &text) }
    text += "</database>"
    return Array(text.utf8)
  }

  /// Core Data escapes quotation marks everywhere.
  fileprivate static func quoted(_ text: String) -> String {
    MarkupElement.escaped(text, inAttribute: false).replacing("\"", with: "&quot;")
  }

  /// Base64 as Core Data breaks it: after 76 characters, and no more until the end.
  fileprivate static func lines(_ base64: String) -> String {
    guard base64.utf8.count > 76 else { return base64 + "\n" }
    return base64.prefix(76) + "\n" + base64.dropFirst(76) + "\n"
  }
}

extension XMLDatabase.Object {
  fileprivate func append(to text: inout String) {
    text += "    <object type=\"\(XMLDatabase.quoted(type))\" id=\"\(XMLDatabase.quoted(id))\">\n"
    for attribute in attributes {
      let isBinary = attribute.type == "binary" || attribute.type == "transformable"
      let value =
        isBinary ? XMLDatabase.lines(attribute.text) : XMLEscape.escaped(attribute.text)
      text +=
        "        <attribute name=\"\(XMLDatabase.quoted(attribute.name))\" "
        + "type=\"\(XMLDatabase.quoted(attribute.type))\">\(value)</attribute>\n"
    }
    for relationship in relationships {
      let references =
        relationship.references.isEmpty
        ? "" : " idrefs=\"\(XMLDatabase.quoted(relationship.references.joined(separator: " ")))\""
      text +=
        "        <relationship name=\"\(XMLDatabase.quoted(relationship.name))\" "
        + "type=\"\(XMLDatabase.quoted(relationship.type))\" "
        + "destination=\"\(XMLDatabase.quoted(relationship.destination))\"\(references)></relationship>\n"
    }
    text += "    </object>\n"
  }
}

extension XMLDatabase.Info {
  /// The first entry of the metadata that the document cannot contain; `nil` if it can contain all of them.
  ///
  /// XML has no references and few control characters, and its dates have years of four digits. Their fractions of a second
  /// are left out: see ``roundedDates(in:)``.
  package var unwritableEntry: (key: String, value: PropertyList)? {
    metadata.sorted { $0.key < $1.key }.first { key, value in
      let document = XMLDatabase(
        info: Self(uuid: "", nextObjectID: 0, metadata: [key: value]), objects: [])
      let read = try? XMLDatabase(reading: document.encoded())
      return read?.info?.metadata != [key: value.withWholeSeconds]
    }.map { ($0.key, $0.value) }
  }

  /// The entries of the metadata with dates whose fractions of a second the document does not contain.
  package static func roundedDates(in metadata: [String: PropertyList]) -> [String] {
    metadata.filter { $0.value != $0.value.withWholeSeconds }.keys.sorted()
  }

  fileprivate func append(to text: inout String) {
    text += """
          <databaseInfo>
              <version>\(XMLDatabase.quoted(version))</version>
              <UUID>\(XMLDatabase.quoted(uuid))</UUID>
              <nextObjectID>\(nextObjectID)</nextObjectID>
              <metadata>
                  <plist version="1.0">

      """
    Self.append(.dictionary(metadata), to: &text, indent: 16)
    text += """
                  </plist>
              </metadata>
          </databaseInfo>

      """
  }

  /// A value of the metadata, laid out as Core Data lays it out.
  private static func append(_ value: PropertyList, to text: inout String, indent: Int) {
    let margin = String(repeating: " ", count: indent)
    switch value {
    case .null: break
    case .boolean(let flag): text += "\(margin)<\(flag ? "true" : "false")/>\n"
    case .integer(let number): text += "\(margin)<integer>\(number)</integer>\n"
    case .largeInteger(let number): text += "\(margin)<integer>\(number)</integer>\n"
    case .real(let number): text += "\(margin)<real>\(number)</real>\n"
    case .date(let seconds):
      if let date = PropertyListDate.text(seconds) { text += "\(margin)<date>\(date)</date>\n" }
    case .string(let string):
      // White space with a line feed would be taken for the layout of the document.
      let isLayout = string.contains("\n") && string.trimmed.isEmpty && !string.contains("\r")
      let quoted = isLayout ? "<![CDATA[\(string)]]>" : XMLDatabase.quoted(string)
      text += "\(margin)<string>\(quoted)</string>\n"
    case .data(let bytes):
      text += "\(margin)<data>\n\t\t\(Data(bytes).base64EncodedString())\n\t\t</data>\n"
    case .array(let elements):
      guard !elements.isEmpty else {
        text += "\(margin)<array/>\n"
        return
      }
      text += "\(margin)<array>\n"
      for element in elements { append(element, to: &text, indent: indent + 4) }
      text += "\(margin)</array>\n"
    case .dictionary(let entries):
      guard !entries.isEmpty else {
        text += "\(margin)<dict/>\n"
        return
      }
      text += "\(margin)<dict>\n"
      for (key, value) in entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
      {
        text += "\(margin)    <key>\(XMLDatabase.quoted(key))</key>\n"
        append(value, to: &text, indent: indent + 4)
      }
      text += "\(margin)</dict>\n"
    case .uid: break
    }
  }
}
