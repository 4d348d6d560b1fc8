internal import ArgumentParser
internal import Foundation
internal import StrataBase
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
      --reveal shows the values that differ. --model names the model of a store, where neither the store nor what is \
      loaded tells; of two stores, each takes the one that fits it. \
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

  @Argument(
    help: ArgumentHelp(.storeOrModel, "A store, or a model.", label: "a"), completion: .file())
  var first: String
  @Argument(
    help: ArgumentHelp(.storeOrModel, "A model, or another store.", label: "b"), completion: .file()
  )
  var second: String
  @Option(
    help: ArgumentHelp("Only the entities of this configuration of the model.", valueName: "name"))
  var configuration: String?
  @Option(
    name: .customLong("model"),
    help: ArgumentHelp(
      .model,
      "The model that wrote a store; twice where each store has its own. A bundle means the version that did."
    ), completion: .file())
  var models: [String] = []
  @Flag(help: "Compare the objects of two stores, whatever their keys.") var rows = false
  @Option(
    help: ArgumentHelp(
      "With --rows, how many objects of a kind are listed (10); 0 for all.", valueName: "n"))
  var limit: Int?
  @Option(
    help: ArgumentHelp(
      .mappingModel,
      "With --rows, the mapping model that led from <a> to <b>; else one is inferred."),
    completion: .file())
  var mapping: String?
  @Option(
    name: .customLong("policies"),
    help: ArgumentHelp(.file, "With --mapping, a file with policies that the mapping model names."),
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
        id: "command.usage", what: "--configuration is one of a model, and these are two stores",
        fix: "name a model that has it, or leave the option out")
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

  /// - Parameter named: The model of a store, where a user names it.
  private func side(
    _ text: String, named: String?, in session: Session, candidates: [WriterCandidate]
  ) throws -> Comparison.Side {
    guard case .store(let name, let path) = try session.resolve(text) else {
      let model = try session.model(text)
      let names = Set(try model.model.entityNames(inConfiguration: configuration))
      return Comparison.Side(
        name: model.name, hashes: model.model.versionHashes().filter { names.contains($0.key) },
        model: model, isStore: false)
    }
    let store = try session.open(path)
    let found =
      try named.map { try session.modelOf(store, name, path: path, named: $0) }
      ?? session.modelOf(
        store, path: path, candidates: candidates + session.siblings(of: second))
    try store.checkUnchanged()
    return Comparison.Side(
      name: name, hashes: store.metadata.versionHashes, model: found.model, isStore: true,
      isCachedModel: found.isCached, writer: found.writerWords, metadata: store.metadata,
      warnings: found.warnings + [found.hashDiagnostic(of: name)].compactMap { $0 })
  }
}

extension Session {
  /// Which of the models that a user named belongs to each of some references: to a store the first that wrote it,
  /// else the one that is left.
  ///
  /// - Throws: ``Diagnostic`` where a model belongs to none of the stores.
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
          "--model names the model of a store: \(Words.count(named.count, "model", "models")), \(Words.count(stores.count, "store", "stores"))",
        fix: "leave --model out for a model")
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

/// Two sets of version hashes, and what is known of the models behind them.
struct Comparison {
  struct Side {
    var name: String
    var hashes: [String: VersionHash]
    var model: NamedModel?
    var isStore: Bool
    var isCachedModel = false
    /// What wrote the store, in words; `nil` where no known model did.
    var writer: String?
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
    difference.modelChanges = []
    return .stack([.line(line), difference.view])
  }

  /// Who wrote the store, where that is known.
  private var writer: String? {
    guard first.model != nil else { return nil }
    return first.writer.map { "written by \($0)" } ?? "the store keeps its own model"
  }

  var payload: ComparisonPayload {
    ComparisonPayload(
      compatible: isCompatible, same: same, changed: changed, onlyInFirst: onlyInFirst,
      onlyInSecond: onlyInSecond,
      culprits: culprits.culprits,
      writtenBy: first.isStore && !first.isCachedModel ? first.model?.name : nil)
  }
}

extension [EntityDifference] {
  /// An entry for each entity that only one side has, and for each change of another.
  var culprits: [ComparisonPayload.Culprit] {
    flatMap { entity in
      entity.changes.isEmpty || entity.kind == .added || entity.kind == .removed
        ? [.init(entity: entity.name, property: nil, change: entity.kind.rawValue)]
        : entity.changes.map {
          .init(entity: entity.name, property: $0.name, change: $0.words)
        }
    }
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
