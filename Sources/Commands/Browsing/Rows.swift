internal import ArgumentParser
internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// The command `rows STORE ENTITY [--where PREDICATE] [--sort KEY,…] [--limit N]`.
struct Rows: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "rows", abstract: "Shows the objects of an entity, subentities included.",
    discussion: """
      Dates are in UTC. Binary data is shown as its size, a to-one relationship as the key and name of \
      its destination, a to-many relationship as its count. --columns chooses columns, also by key paths such as \
      topicList.title and topics.title. What does not fit the terminal is named below the table. In --csv and \
      --markdown, nil is empty. With --json each object is one line, and relationships are object URIs. \
      `help expressions` describes the predicate syntax.
      """)
  static let showsValues = true
  static let examples = [
    CommandExample(
      "the five latest topics of lists that have a title",
      "create lists.sqlite --model sample:Topics/Model1 --rows 20",
      "rows lists.sqlite Topic --where 'topicList.title != nil' --sort dateCreated:desc --limit 5"),
    CommandExample(
      "chosen columns for a spreadsheet",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "rows lists.sqlite TopicList --columns title,topics.@count,topics.content --csv"),
  ]

  @Argument(.store, "The store.") var store: String
  @Argument(.entity, "The entity.") var entity: String
  @OptionGroup var options: PredicateOptions
  @Option(
    .keyPaths,
    "Key paths to sort by, most significant first: title,dateCreated:desc.",
    parsing: .unconditionalSingleValue
  )
  var sort: [String] = []
  @Option(
    .keyPaths,
    "Only these columns: attributes, relationships, key paths.",
    parsing: .unconditionalSingleValue
  )
  var columns: [String] = []
  @OptionGroup var shape: TableFormOptions
  @Option(help: ArgumentHelp("Maximum number of objects; 0 for all.", valueName: "n")) var limit =
    100
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    try Self.check(limit)
    try shape.check(asJSON: output.json)
  }

  /// The largest value of `--limit`.
  private static let largestLimit = 1_000_000_000

  static func check(_ limit: Int) throws {
    guard (0...largestLimit).contains(limit) else {
      throw ValidationError("--limit must be between 0 and \(largestLimit)")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    try session.reading(store, model: options.objects.model) { try outcome(of: $0, in: session) }
  }

  private func outcome(of objects: StoreObjects, in session: Session) throws -> Outcome {
    var query = try StoreQuery(
      entity: entity, predicates: options.objects.predicates, in: objects)
    query.order = try order(in: objects.model)
    guard !options.explain else { return try Count.explanation(of: query, objects, isCount: false) }
    let listing: ObjectListing
    do {
      listing = try ObjectListing(
        of: query, in: objects,
        columns: columns.joined(separator: ",").split(separator: ",").map(\.trimmed),
        limit: limit, asJSON: output.json, isFull: session.isPiped || shape.form != nil)
    } catch let error as ExpressionError {
      throw error.located(in: options.objects.predicates.joined(separator: " AND "))
    }
    session.shown = ShownObjects(store: store, entity: entity, keys: listing.keys)
    let isForProgram = output.json || shape.form?.isForProgram == true
    let more =
      listing.hasMore && !isForProgram
      ? "… there are more: --limit \(limit * 10), or --limit 0 for all" : ""
    let shown = listing.view(as: shape.form)
    return Outcome(
      more.isEmpty ? shown : .stack([shown, .line(StyledText(more, .faint))]),
      payload: .lines(listing.lines),
      warnings: listing.hasMore && isForProgram
        ? [
          Diagnostic(
            id: "rows.more", severity: .warning, what: "there are more than \(limit) objects",
            fix: "use --limit 0 for all")
        ] : [])
  }

  /// The error with the way to write a descending order: `-title` and `title desc` are those of other tools.
  private static func advising(_ error: ExpressionError, of text: String) -> Diagnostic {
    var diagnostic = error.located(in: text).diagnostic
    let words = text.split(separator: " ")
    if text.hasPrefix("-") {
      diagnostic.fix = "write it as: --sort \(text.dropFirst().trimmed):desc"
    } else if words.count == 2, ["asc", "desc"].contains(words[1].lowercased()) {
      diagnostic.fix = "write it as: --sort \(words[0]):\(words[1].lowercased())"
    }
    return diagnostic
  }

  private func order(
    in model: ObjectModel
  ) throws -> [(path: [String], isAscending: Bool)] {
    try sort.joined(separator: ",").split(separator: ",").map { word in
      let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let text = parts.first?.trimmed ?? ""
      let direction = parts.count > 1 ? parts[1].trimmed : "asc"
      guard ["asc", "desc"].contains(direction) else {
        throw Diagnostic(
          id: "command.usage", what: "\(direction) is not a sort order", fix: "write :asc or :desc")
      }
      do {
        guard
          case .keyPath(of: nil, let path) = try model.resolved(
            Expression(parsing: text), for: entity)
        else { throw ExpressionError(.notPossible("rows are sorted by key paths")) }
        return (path, direction == "asc")
      } catch let error as ExpressionError {
        throw Self.advising(error, of: text)
      }
    }
  }
}
