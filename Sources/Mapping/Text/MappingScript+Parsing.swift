internal import StrataBase
package import StrataExpressions

extension MappingScript {
  /// - Throws: ``LineError``, also if a limit is exceeded.
  package init(parsing text: String) throws(LineError) {
    var models: Models?
    var blocks: [MappingBlock] = []
    var names: Set<String> = []
    for line in try Self.lines(of: text) {
      if line.isIndented {
        guard !blocks.isEmpty else {
          throw line.expected("an entity mapping first: Name: Source -> Destination")
        }
        try blocks[blocks.count - 1].read(line)
      } else if models == nil, blocks.isEmpty, line.starts(withWord: "mapping") {
        models = try Models(parsing: line)
      } else {
        let block = try MappingBlock(heading: line)
        guard names.insert(block.name.text).inserted else {
          throw block.name.part.problem(MappingError.duplicateName(block.name.text).diagnostic)
        }
        blocks.append(block)
      }
    }
    var mappings: [EntityMapping] = []
    for block in blocks { mappings.append(try block.whole()) }
    self.init(
      models: models, mapping: MappingModel(entityMappings: mappings),
      omitted: blocks.map(\.omitted),
      hashed: Set(blocks.filter(\.hasHashes).map(\.name.text)),
      lines: Dictionary(first: blocks.map { ($0.name.text, $0.lines) }))
    do { try mapping.checkCounts() } catch { throw LineError(error.diagnostic) }
  }

  /// The lines of a text. A `#` at the beginning of a line always begins a comment.
  private static func lines(of text: String) throws(LineError) -> [LinePart] {
    try LineLanguage.mapping.lines(of: text).filter { !$0.starts(with: "#") }
  }

  /// Whether a text can be a mapping model in text form: its first line other than a comment is a heading.
  package static func mayBegin(with head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self)
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || [9, 10, 13].contains($0.value) }),
      var line = try? lines(of: text).first, let name = try? line.name().text
    else { return false }
    return name == "mapping" || line.take(":")
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: ``LineError``, or ``MappingError`` for text that is not UTF-8.
  package init(reading bytes: [UInt8]) throws {
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw MappingError.notAMappingModel(found: "text that is not UTF-8")
    }
    try self.init(parsing: decoded)
  }
}

extension MappingScript.Models {
  /// Reads `mapping from SOURCE to DESTINATION`.
  fileprivate init(parsing whole: LinePart) throws(LineError) {
    var line = whole
    guard line.take(word: "mapping"), line.take(word: "from") else {
      throw line.expected("from, and the source model")
    }
    source = try line.reference()
    guard line.take(word: "to") else { throw line.expected("to, and the destination model") }
    destination = try line.reference()
    self.line = whole.lineNumber
    try line.end()
  }
}
