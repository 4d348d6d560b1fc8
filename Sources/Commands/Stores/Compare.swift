internal import ArgumentParser
internal import Foundation
internal import StrataDiagnostics
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// `compare A B`
struct Compare: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Tells whether a store fits a model, and what differs if not.",
    discussion: """
      Two stores are compared by the models that wrote them, and by their metadata, in which a difference \
      does not count; values of an app's own keys are shown by type and length. Where the model of a store is known (it \
      is loaded, or the store keeps it), the entity and property that make the difference are named. \
      With --rows the objects of two stores are compared: attributes, relationships and their orders; \
      --reveal shows the values that differ. \
      Where their models differ, each property is followed from the first store to the second through an \
      inferred mapping model (so that renaming identifiers count) or the one that --mapping names, and a \
      receipt shows what was renamed, converted, computed, added and lost. What a mapping model or its policies compute \
      is not compared, nor objects that are created besides those that continue an object, and the answer says so. \
      Exit status 1 means that they do not fit, or are not the same, or that values are lost.
      """)
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample("two versions", "compare sample:Topics/Model1 sample:Topics/Model2"),
    CommandExample(
      "two stores, object by object", "create before.sqlite --model sample:Topics/Model1 --rows 2",
      "create after.sqlite --model sample:Topics/Model1 --rows 2",
      "insert after.sqlite TopicList title=Hashes", "compare before.sqlite after.sqlite --rows"),
  ]

  @Argument(help: ArgumentHelp("A store, or a model.", valueName: "a"), completion: .file())
  var first: String
  @Argument(help: ArgumentHelp("A model, or another store.", valueName: "b"), completion: .file())
  var second: String
  @Option(
    help: ArgumentHelp("Only the entities of this configuration of the model.", valueName: "name"))
  var configuration: String?
  @Flag(help: "Compare the objects of two stores, whatever their keys.") var rows = false
  @Option(
    help: ArgumentHelp(
      "With --rows, how many objects of a kind are listed (10); 0 for all.", valueName: "n"))
  var limit: Int?
  @Option(
    help: ArgumentHelp(
      "With --rows, the mapping model that led from <a> to <b>; else one is inferred.",
      valueName: "mapping"),
    completion: .file())
  var mapping: String?
  @Option(
    name: .customLong("policies"),
    help: ArgumentHelp(
      "With --mapping, a file with policies that the mapping model names.", valueName: "file"),
    completion: .file())
  var policyFiles: [String] = []
  @Flag(help: "With --rows, show the values that differ.") var reveal = false
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard rows || mapping == nil else { throw ValidationError("--mapping is for --rows") }
    guard mapping != nil || policyFiles.isEmpty else {
      throw ValidationError("--policies is for --mapping")
    }
    if let limit {
      try Rows.check(limit)
      guard rows else { throw ValidationError("--limit is for --rows") }
    }
    guard rows || !reveal else { throw ValidationError("--reveal is for --rows") }
    guard !rows || configuration == nil else {
      throw ValidationError("--rows compares all objects: leave --configuration out")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    guard !rows else {
      return try RowComparison(
        first, second, limit: limit ?? 10, mapping: mapping,
        policies: session.policies(for: [first, second], files: policyFiles), revealing: reveal,
        in: session
      ).outcome
    }
    let right = try side(second, in: session, candidates: [])
    let left = try side(first, in: session, candidates: right.model.map { [$0] } ?? [])
    guard configuration == nil || !left.isStore || !right.isStore else {
      throw Diagnostic(
        id: "command.usage", what: "--configuration is one of a model, and these are two stores",
        mend: "name a model that has it, or leave the option out")
    }
    let answer = Comparison(left, right)
    let metadata = MetadataComparison(left.metadata, right.metadata)
    var payload = answer.payload
    payload.metadata = metadata?.payload
    return Outcome(
      .stack([answer.view] + (metadata.map { [$0.view] } ?? [])), payload: payload,
      status: answer.isCompatible ? .done : .no,
      warnings: left.warnings + right.warnings)
  }

  private func side(
    _ text: String, in session: Session, candidates: [NamedModel]
  ) throws -> Comparison.Side {
    guard case .store(let name, let path) = try session.resolve(text) else {
      let model = try session.model(text)
      let names = Set(try model.model.entityNames(inConfiguration: configuration))
      return Comparison.Side(
        name: model.name, hashes: model.model.versionHashes().filter { names.contains($0.key) },
        model: model, isStore: false)
    }
    let store = try session.open(path)
    let siblings = try session.siblings(of: second)
    let found = try session.modelOf(store, path: path, candidates: candidates + siblings)
    try store.checkUnchanged()
    return Comparison.Side(
      name: name, hashes: store.metadata.versionHashes, model: found.model, isStore: true,
      isCachedModel: found.isCached, metadata: store.metadata,
      warnings: found.warnings + [found.hashDiagnostic(of: name)].compactMap { $0 })
  }
}

extension Session {
  /// The versions of the bundle that a reference leads into, although it is not loaded.
  func siblings(of text: String) throws -> [NamedModel] {
    let parts = BundleForm.parts(ofPath: text)
    let isBundle = BundleForm.allCases.contains { text.hasSuffix($0.bundleExtension) }
    guard isBundle || parts != nil || text.hasPrefix(Self.samplePrefix) else { return [] }
    let bundleText = parts?.bundle ?? text
    guard let bundle = try? bundle(bundleText) else { return [] }
    readAll(bundle.versions)
    return bundle.versions.compactMap { version in
      (try? model(of: version)).map {
        NamedModel(name: "\(bundle.name)/\(version.name)", model: $0)
      }
    }
  }
}

/// Two sets of version hashes, and what is known of the models behind them.
struct Comparison {
  struct Side {
    var name: String
    var hashes: [String: VersionHash]
    var model: NamedModel?
    var isStore: Bool
    var isCachedModel = false
    /// Of a store.
    var metadata: StoreMetadata?
    var warnings: [Diagnostic] = []
  }

  let first: Side
  let second: Side
  let same: [String]
  let changed: [String]
  let onlyInFirst: [String]
  let onlyInSecond: [String]
  /// What changed from the first model to the second, where both are known.
  let difference: ModelDifference?

  init(_ first: Side, _ second: Side) {
    self.first = first
    self.second = second
    let names = Set(first.hashes.keys).union(second.hashes.keys).sorted()
    same = names.filter { first.hashes[$0] == second.hashes[$0] }
    changed = names.filter {
      first.hashes[$0] != nil && second.hashes[$0] != nil && first.hashes[$0] != second.hashes[$0]
    }
    onlyInFirst = names.filter { second.hashes[$0] == nil }
    onlyInSecond = names.filter { first.hashes[$0] == nil }
    if let before = first.model, let after = second.model {
      difference = after.model.difference(from: before.model)
    } else {
      difference = nil
    }
  }

  var isCompatible: Bool { changed.isEmpty && onlyInFirst.isEmpty && onlyInSecond.isEmpty }

  /// The entities whose hashes stand in the way, with their changes that move a hash.
  private var culprits: [EntityDifference] {
    let names = Set(changed + onlyInFirst + onlyInSecond)
    return (difference?.entities ?? []).filter {
      names.contains($0.name) || $0.oldName.map(names.contains) == true
    }.map { entity in
      var culprit = entity
      culprit.changes = entity.changes.filter(\.movesHash)
      return culprit
    }
  }

  var view: View {
    let writtenBy = first.isStore ? writer : nil
    guard !isCompatible else {
      return .line(
        StyledText("compatible", .good)
          + StyledText(": \(Words.count(same.count, "entity", "entities")), equal hashes")
          + StyledText(writtenBy.map { "; \($0)" } ?? ""))
    }
    var clauses: [String] = []
    if !changed.isEmpty {
      clauses.append("\(Words.list(changed)) \(changed.count == 1 ? "differs" : "differ")")
    }
    if !onlyInSecond.isEmpty {
      clauses.append(
        "\(Words.list(onlyInSecond)) \(onlyInSecond.count == 1 ? "is" : "are") missing")
    }
    if !onlyInFirst.isEmpty {
      clauses.append(
        "\(Words.list(onlyInFirst)) \(onlyInFirst.count == 1 ? "is" : "are") only in \(first.name)")
    }
    let line =
      StyledText("not compatible (134100)", .error)
      + StyledText(": " + clauses.joined(separator: ", ") + (writtenBy.map { "; \($0)" } ?? ""))
    guard var difference else {
      return .lines([
        line,
        StyledText(
          "the model of \(first.model == nil ? first.name : second.name) is not known: load its bundle to see which property differs",
          .faint),
      ])
    }
    difference.entities = culprits
    difference.modelChanges = []
    return .stack([.line(line), difference.view])
  }

  /// Who wrote the store, where that is known.
  private var writer: String? {
    guard let model = first.model else { return nil }
    return first.isCachedModel ? "the store keeps its own model" : "written by \(model.name)"
  }

  var payload: ComparisonPayload {
    ComparisonPayload(
      compatible: isCompatible, same: same, changed: changed, onlyInFirst: onlyInFirst,
      onlyInSecond: onlyInSecond,
      culprits: culprits.flatMap { entity in
        entity.changes.isEmpty || entity.kind == .added || entity.kind == .removed
          ? [.init(entity: entity.name, property: nil, change: entity.kind.rawValue)]
          : entity.changes.map {
            .init(entity: entity.name, property: $0.name, change: $0.words)
          }
      },
      writtenBy: first.isStore && !first.isCachedModel ? first.model?.name : nil)
  }
}

/// The JSON shape of `compare`.
struct ComparisonPayload: Encodable, Sendable {
  struct Culprit: Encodable, Sendable {
    var entity: String
    var property: String?
    var change: String

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(entity, forKey: .entity)
      try container.encode(property, forKey: .property)
      try container.encode(change, forKey: .change)
    }

    private enum CodingKeys: String, CodingKey {
      case entity, property, change
    }
  }

  var compatible: Bool
  var same: [String]
  var changed: [String]
  var onlyInFirst: [String]
  var onlyInSecond: [String]
  var culprits: [Culprit]
  var writtenBy: String?
  /// What differs in the metadata of two stores.
  var metadata: [MetadataComparison.Row]?
}
