internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// `metadata STORE`
struct Metadata: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "metadata", abstract: "Shows a store's metadata.",
    discussion: """
      Values of an app's own keys may contain user data: only their type and length are shown unless \
      --reveal is given.
      """)
  static let examples = [
    CommandExample(
      "the metadata of a store", "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "metadata lists.sqlite")
  ]

  @Argument(.store, "A store.") var store: String
  @Flag(help: "Show the values of an app's own keys.") var reveal = false
  @Flag(help: "Show the keys as they are stored, such as NSStoreModelVersionHashes.") var raw =
    false
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let (name, path) = try session.store(store)
    let opened = try session.open(path)
    let metadata = opened.metadata
    let found = try session.modelOf(opened, path: path)
    try opened.checkUnchanged()
    let writers = found.writers.map(\.text)
    var rows =
      [("store", name), ("written by", writers.isEmpty ? nil : Phrase.list(writers))]
      + Self.ownFacts(of: metadata)
    for (key, value) in metadata.others.sorted(by: { $0.key < $1.key }) {
      rows.append((key, Self.shown(value, of: key, revealing: reveal)))
    }
    let facts: [[StyledText]] = rows.compactMap { key, value in
      value.map { [StyledText(key, .faint), StyledText($0)] }
    }
    let stored: [[StyledText]] = (metadata.plist.dictionary ?? [:])
      .sorted { $0.key.precedesInBytes($1.key) }.map {
        [
          StyledText($0.key, .name),
          StyledText(Self.shown($0.value, of: $0.key, revealing: reveal)),
        ]
      }
    let hashes: [[StyledText]] = metadata.versionHashes.sorted { $0.key < $1.key }.map {
      [StyledText($0.key, .name), StyledText($0.value.description)]
    }
    return Outcome(
      .sections(
        (raw ? [stored] : [facts, hashes]).map {
          .table(columns: Table.nameAndValue, rows: $0)
        }),
      json: .object(withoutNull: [
        "type": metadata.type, "uuid": metadata.uuid, "framework": metadata.frameworkVersion,
        "identifiers": metadata.versionIdentifiers,
        "hashes": JSONValue(metadata.versionHashes.mapValues(\.hex)),
        "hashesVersion": metadata.hashesVersion, "digest": metadata.digest,
        "checksum": metadata.checksum,
        "others": JSONValue.object(
          .init(
            metadata.others.map { ($0.key, Self.shown($0.value, of: $0.key, revealing: reveal)) })),
        "writers": found.writers.map(\.name), "configuration": found.configuration,
        "unknownHashes": found.unknownHashes,
      ]),
      warnings: [found.hashDiagnostic(of: name)].compactMap { $0 })
  }

  /// Core Data's own metadata, except hashes.
  static func ownFacts(of metadata: StoreMetadata) -> [(key: String, value: String?)] {
    [
      ("type", metadata.type),
      ("UUID", metadata.uuid),
      ("framework", metadata.frameworkVersion.map(String.init)),
      ("version identifiers", identifiers(metadata.versionIdentifiers)),
      ("hashes version", metadata.hashesVersion.map(String.init)),
      ("checksum", metadata.checksum),
      ("digest", metadata.digest),
    ]
  }

  /// The value of another key; its type and length unless the key is Core Data's own or values are revealed.
  static func shown(_ value: PropertyList, of key: String, revealing: Bool) -> String {
    revealing || StoreMetadata.ownKeys.contains(key) ? value.revealed(depth: 0) : value.outline
  }

  private static func identifiers(_ identifiers: [String]) -> String {
    identifiers.isEmpty
      ? "none" : identifiers.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", ")
  }
}

extension PropertyList {
  /// The type and length of the value.
  fileprivate var outline: String {
    switch self {
    case .string(let text): "string of \(text.count)"
    case .data(let bytes): "data of \(bytes.count) bytes"
    case .array(let elements): "array of \(elements.count)"
    case .dictionary(let entries): "dictionary of \(entries.count)"
    default: kind
    }
  }

  /// The value, with a limit for nested values.
  fileprivate func revealed(depth: Int) -> String {
    switch self {
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .largeInteger(let number): String(number)
    case .real(let number), .date(let number): String(number)
    case .string(let text): String(text.prefix(200))
    case .array(let elements) where depth < 3 && elements.count <= 20:
      "[\(elements.map { $0.revealed(depth: depth + 1) }.joined(separator: ", "))]"
    case .dictionary(let entries) where depth < 3 && entries.count <= 20:
      "{\(entries.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.revealed(depth: depth + 1))" }.joined(separator: ", "))}"
    default: outline
    }
  }
}
