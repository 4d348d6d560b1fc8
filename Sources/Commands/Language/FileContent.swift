internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataNotebook
internal import StrataObjectModel
internal import StrataPages
internal import StrataRendering
internal import StrataStore

/// The kind of a file, determined by its content.
struct FileContent {
  private let path: String
  private let head: [UInt8]

  private static let headSize = 4096

  /// - Throws: ``FileError`` if it cannot be read.
  init(of path: String) throws(FileError) {
    self.path = path
    head = try FileBytes.head(path, count: Self.headSize)
  }

  var isEmpty: Bool { head.isEmpty }

  /// The kind in messages: `a store`, `a text file`.
  var noun: String {
    if let kind = WrittenKind.allCases.first(where: isOf) { return kind.noun }
    switch rootElement {
    case "plist"?: return "a property list"
    case .some: return "an XML document"
    case nil: break
    }
    if head.starts(with: Self.propertyListMark) { return "a property list" }
    return isText ? "a text file" : "a file of another kind"
  }

  func isOf(_ kind: WrittenKind) -> Bool {
    switch kind {
    case .store: form != nil && (form == .sqlite || !Self.holdsMapping(path, head: head))
    case .mappingModel: form != .sqlite && Self.holdsMapping(path, head: head) || beginsMapping
    case .model:
      rootElement == "model" || head.starts(with: BundleForm.optimizedMark)
        || head.starts(with: Self.propertyListMark) && Self.contains("NSManagedObjectModel", path)
    case .report: ["testsuites", "testsuite"].contains(rootElement)
    case .markdownReport: head.starts(with: Array(MarkdownReport.mark.utf8))
    case .sarifReport:
      firstLineTokens.first?.hasPrefix("{") == true && text?.contains(SARIFReport.schema) == true
    case .trace: head.starts(with: Array(#"{"mark":"#.utf8))
    case .policies: firstLineTokens.first == "policy"
    case .stages:
      firstLineTokens.first == "stage"
        && ["lightweight", "custom"].contains(firstLineTokens.dropFirst().first)
    case .document: isDocument
    case .page: head.starts(with: Array(HTMLPage.mark.utf8))
    case .picture:
      head.starts(with: Array(Diagram.mermaidMark.utf8)) || text?.contains(Diagram.mark) == true
    case .notebook: head.starts(with: Array(NotebookExport.jupyterMark.utf8))
    }
  }

  /// Whether a file with these first bytes is a mapping model of Xcode or Core Data.
  static func holdsMapping(_ path: String, head: [UInt8]) -> Bool {
    guard head.starts(with: propertyListMark) || XMLStore.isStore(head) else { return false }
    // The class in a compiled mapping model; the root element of Xcode's document.
    return ["NSMappingModel", "XDDEVMAPPINGMODEL"].contains { contains($0, path) }
  }

  private static let propertyListMark = Array("bplist".utf8)

  private static func contains(_ mark: String, _ path: String) -> Bool {
    (try? FileBytes.read(path)).map { Data($0).firstRange(of: Data(mark.utf8)) != nil } ?? false
  }

  private var form: StoreForm? {
    // Later in the file, any text may contain the name of the root element.
    StoreForm(head: Array(head.prefix(StoreForm.headSize))).flatMap {
      $0 == .xml && rootElement == nil ? nil : $0
    }
  }

  // MARK: Texts

  var isText: Bool {
    head.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
  }

  private var text: Substring? {
    guard isText else { return nil }
    let text = String(decoding: head, as: UTF8.self)
    return text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
  }

  private var beginsMapping: Bool {
    guard rootElement == nil, MappingScript.mayBegin(with: head) else { return false }
    // Prose can begin with a word and a colon, and a script with a command of this name.
    return firstLineTokens.first == "mapping"
      ? firstLineTokens.dropFirst().first == "from" : firstLineTokens.contains { $0.contains("->") }
  }

  /// The tokens of the first line that is not blank or a comment.
  private var firstLineTokens: [Substring] {
    let lines = text?.split(whereSeparator: \.isNewline) ?? []
    return lines.lazy.map { $0.split(whereSeparator: \.isWhitespace) }
      .first { $0.first.map { !$0.hasPrefix("#") } ?? false } ?? []
  }

  /// A notebook has a block of commands; a script begins with its interpreter or a command.
  private var isDocument: Bool {
    guard let text else { return false }
    if text.hasPrefix("#!"), text.prefix(while: { !$0.isNewline }).contains("strata") {
      return true
    }
    if beginsMapping { return false }
    if let first = firstLineTokens.first, CommandTable.named(String(first)) != nil { return true }
    let whole = try? FileBytes.read(path, limit: SessionLimits.documentBytes)
    return whole.map { SessionForm.form(ofText: String(decoding: $0, as: UTF8.self)) } == .markdown
  }

  /// The name of the root element of an XML document, after declarations and comments.
  private var rootElement: Substring? {
    guard var rest = text else { return nil }
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard rest.hasPrefix("<") else { return nil }
      let end =
        rest.hasPrefix("<!--") ? "-->" : rest.hasPrefix("<?") || rest.hasPrefix("<!") ? ">" : nil
      guard let end else { return rest.dropFirst().prefix { $0.isLetter || $0.isNumber } }
      guard let close = rest.firstRange(of: end) else { return nil }
      rest = rest[close.upperBound...]
    }
  }
}
