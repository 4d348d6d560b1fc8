internal import ArgumentParser
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// `compare A B`
struct Compare: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "compare",
    abstract: "Compares a store with a model or another store.",
    discussion: """
      Compares the version hashes of a store and a model, or the models and the metadata of two stores; a \
      difference in metadata does not affect the result, and values of an app's own keys are shown by type and \
      length. If the model of a store is known (it is loaded, or the store contains it), the entities and \
      properties that differ are listed. --model names the model of a store whose model is not known; it is \
      used for the store that it fits.

      With --rows the objects of two stores are compared: attributes, relationships and their order; --reveal \
      shows the values that differ. If the models differ, properties are mapped from the first store to the \
      second with an inferred mapping model (which uses renaming identifiers) or that of --mapping, and a \
      receipt shows what was renamed, converted, computed, added and lost. Values computed by a mapping model \
      or its policies, and additional objects that a migration created, are not compared; the result lists them. \
      Objects with equal values are compared by their values and those of their related objects, not by which of \
      them is related to which.

      Exit status 1 means that the models are not compatible, that objects differ, or that values are lost.
      """)
  static let examples = [
    CommandExample("two versions", "compare sample:Topics/Model1 sample:Topics/Model2"),
    CommandExample(
      "two stores, object by object", "create before.sqlite --model sample:Topics/Model1 --rows 2",
      "create after.sqlite --model sample:Topics/Model1 --rows 2",
      "insert after.sqlite TopicList title=Hashes", "compare before.sqlite after.sqlite --rows"),
  ]

  @Argument(.storeOrModel, "A store, or a model.", label: "a") var first: String
  @Argument(.storeOrModel, "A model, or another store.", label: "b") var second: String
  @Option(
    help: ArgumentHelp("Only the entities of this configuration of the model.", valueName: "name"))
  var configuration: String?
  @Option(
    .model,
    "The model that wrote a store; can be given for each store. For a bundle, the version that wrote it.",
    name: .customLong("model")
  )
  var models: [String] = []
  @Flag(help: "Compare the objects of two stores, independent of their keys.") var rows = false
  @Option(
    help: ArgumentHelp(
      "With --rows, the maximum number of objects listed per kind (default 10); 0 for all.",
      valueName: "n"))
  var limit: Int?
  @Option(
    .mappingModel, "With --rows, the mapping model from <a> to <b>; by default one is inferred.")
  var mapping: String?
  @Option(
    .file, "With --mapping, a policy file for the mapping model.", name: .customLong("policies"))
  var policyFiles: [String] = []
  @Flag(help: "With --rows, show the values that differ.") var reveal = false
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard rows || mapping == nil else { throw ValidationError("--mapping requires --rows") }
    guard mapping != nil || policyFiles.isEmpty else {
      throw ValidationError("--policies requires --mapping")
    }
    if let limit {
      try Rows.check(limit)
      guard rows else { throw ValidationError("--limit requires --rows") }
    }
    guard rows || !reveal else { throw ValidationError("--reveal requires --rows") }
    guard !rows || configuration == nil else {
      throw ValidationError("--rows compares all objects: omit --configuration")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    let named = try session.models(models, of: [first, second])
    guard !rows else {
      return try RowComparison(
        (first, second), named: named, limit: limit ?? 10, mapping: mapping,
        policies: session.policies(for: [first, second], files: policyFiles), revealing: reveal,
        in: session
      ).outcome
    }
    let right = try side(second, named: named[1], in: session, candidates: [])
    let left = try side(
      first, named: named[0], in: session,
      candidates: right.model.map { [WriterCandidate($0)] } ?? [])
    guard configuration == nil || !left.isStore || !right.isStore else {
      throw Diagnostic(
        id: "command.usage", what: "--configuration requires a model, but these are two stores",
        fix: "name a model with this configuration, or omit the option")
    }
    let answer = Comparison(left, right)
    let metadata = MetadataComparison(left.metadata, right.metadata)
    return Outcome(
      .stack([answer.view] + (metadata.map { [$0.view] } ?? [])), json: answer.json(metadata),
      status: answer.isCompatible ? .done : .no,
      warnings: left.warnings + right.warnings)
  }

  /// - Parameter named: The model of a store, if the user names it.
  private func side(
    _ text: String, named: String?, in session: Session, candidates: [WriterCandidate]
  ) throws -> Comparison.Side {
    guard case .store(let name, let path) = try session.resolve(text) else {
      let model = try session.model(text)
      let names = Set(try model.model.entityNames(inConfiguration: configuration))
      return Comparison.Side(
        name: model.name, hashes: model.model.versionHashes().filter { names.contains($0.key) },
        model: model, isStore: false, typed: text)
    }
    let store = try session.open(path)
    let found =
      try named.map { try session.modelOf(store, name, path: path, named: $0) }
      ?? session.modelOf(
        store, path: path, candidates: candidates + session.siblings(of: second))
    try store.checkUnchanged()
    return Comparison.Side(
      name: name, hashes: store.metadata.versionHashes, model: found.model, isStore: true,
      isCachedModel: found.isCached, writer: found.writerText, metadata: store.metadata,
      warnings: found.warnings + [found.hashDiagnostic(of: name)].compactMap { $0 })
  }
}

extension Session {
  /// Assigns the models that a user named to references: to a store the first that wrote it,
  /// else the remaining one.
  ///
  /// - Throws: ``Diagnostic`` if a model belongs to none of the stores.
  fileprivate func models(_ named: [String], of references: [String]) throws -> [String?] {
    guard !named.isEmpty else { return references.map { _ in nil } }
    var stores: [(index: Int, name: String, path: String)] = []
    for (index, text) in references.enumerated() {
      if case .store(let name, let path) = try resolve(text) { stores.append((index, name, path)) }
    }
    guard named.count <= stores.count else {
      throw Diagnostic(
        id: "command.usage",
        what:
          "--model names the model of a store: \(Phrase.count(named.count, "model")), \(Phrase.count(stores.count, "store"))",
        fix: "name at most one model for each store")
    }
    var found: [String?] = references.map { _ in nil }
    for text in named {
      var refusal: (any Error)?
      var isUsed = false
      for store in stores where found[store.index] == nil {
        do {
          _ = try modelOf(open(store.path), store.name, path: store.path, named: text)
          found[store.index] = text
          isUsed = true
        } catch let error as Diagnostic where error.id == "store.otherModel" {
          refusal = refusal ?? error
        }
      }
      if !isUsed, let refusal { throw refusal }
    }
    return found
  }
}

/// Two sets of version hashes, and their models if known.
struct Comparison {
  struct Side {
    var name: String
    var hashes: [String: VersionHash]
    var model: NamedModel?
    var isStore: Bool
    /// The model in a command.
    var typed: String?
    var isCachedModel = false
    /// The writer of the store in words; `nil` if no known model wrote it.
    var writer: String?
    /// The metadata of a store; `nil` for a model.
    var metadata: StoreMetadata?
    var warnings: [Diagnostic] = []
  }

  let first: Side
  let second: Side
  let same: [String]
  let changed: [String]
  let onlyInFirst: [String]
  let onlyInSecond: [String]
  /// The difference between the first and the second model, if both are known.
  let difference: ModelDifference?
  /// Why the second model cannot fetch all objects of the first, although all hashes are equal.
  let missingColumns: [Finding]

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
    missingColumns = first.hashes == second.hashes ? Self.missingColumns(first, second) : []
  }

  private static func missingColumns(_ first: Side, _ second: Side) -> [Finding] {
    guard let before = first.model, let after = second.model else { return [] }
    let risks = Inference(from: before.model, to: after.model).risks.filter {
      if case .unhashedRename? = $0.inferenceRule { true } else { false }
    }
    return InferenceReport(
      risks, from: before, to: after,
      typed: (first.typed ?? before.typableName, second.typed ?? after.typableName)
    ).findings
  }

  var isCompatible: Bool { changed.isEmpty && onlyInFirst.isEmpty && onlyInSecond.isEmpty }

  /// The entities with different hashes, with only those changes that affect a hash.
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
      let line =
        StyledText("compatible", .good)
        + StyledText(": \(Phrase.count(same.count, "entity", "entities")), equal hashes")
        + StyledText(writtenBy.map { "; \($0)" } ?? "")
      return missingColumns.isEmpty ? .line(line) : .stack([.line(line), missingColumns.view])
    }
    var clauses: [String] = []
    if !changed.isEmpty {
      clauses.append("\(Phrase.list(changed)) \(changed.count == 1 ? "differs" : "differ")")
    }
    if !onlyInSecond.isEmpty {
      clauses.append(
        "\(Phrase.list(onlyInSecond)) \(onlyInSecond.count == 1 ? "is" : "are") missing")
    }
    if !onlyInFirst.isEmpty {
      clauses.append(
        "\(Phrase.list(onlyInFirst)) \(onlyInFirst.count == 1 ? "is" : "are") only in \(first.name)"
      )
    }
    let line =
      StyledText("not compatible (\(CoreDataError.persistentStoreIncompatibleVersionHash))", .error)
      + StyledText(": " + clauses.joined(separator: ", ") + (writtenBy.map { "; \($0)" } ?? ""))
    guard var difference else {
      return .lines([
        line,
        StyledText(
          "the model of \(first.model == nil ? first.name : second.name) is not known: load its bundle, or name it with --model, to see which property differs",
          .faint),
      ])
    }
    difference.entities = culprits
    // What changed in a composite type explains the entities that use it.
    difference.modelChanges.removeAll { $0.element != .composite || !$0.movesHash }
    return .stack([.line(line), difference.view])
  }

  /// The writer of the store, if known.
  private var writer: String? {
    guard first.model != nil else { return nil }
    return first.writer.map { "written by \($0)" } ?? "the store contains its model"
  }

  /// - Parameter metadata: The differences in the metadata of two stores.
  func json(_ metadata: MetadataComparison?) -> JSONValue {
    .object(withoutNull: [
      "compatible": isCompatible, "same": same, "changed": changed, "onlyInFirst": onlyInFirst,
      "onlyInSecond": onlyInSecond, "culprits": culprits.culpritJSON,
      "writtenBy": first.isStore && !first.isCachedModel ? first.model?.name : nil,
      "metadata": metadata?.json,
      "findings": missingColumns.isEmpty ? nil : missingColumns.map { $0.json() }.json,
    ])
  }
}

extension [EntityDifference] {
  /// An entry for each entity that is in only one of the two, and for each change of another.
  var culpritJSON: JSONValue {
    let entries = flatMap { entity -> [JSONValue] in
      guard !entity.changes.isEmpty, entity.kind != .added, entity.kind != .removed else {
        return [
          ["entity": entity.name, "property": JSONValue.null, "change": entity.kind.rawValue]
        ]
      }
      return entity.changes.map {
        ["entity": entity.name, "property": $0.name, "change": $0.text]
      }
    }
    return entries.json
  }
}
