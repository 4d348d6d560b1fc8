internal import ArgumentParser
internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// `mapping show|lint|diff|fits|find|write …`
struct MappingCommand: FindingsCommand {
  enum Verb: String, ExpressibleByArgument, CaseIterable {
    case show, lint, diff, fits, find, write
  }

  static let configuration = CommandConfiguration.command(
    "mapping", abstract: "Shows, checks, compares and writes mapping models.",
    discussion: """
        mapping show MAPPING            shows the mapping of each property
        mapping lint MAPPING…           lists errors, of all for the same two models
        mapping diff MAPPING MAPPING    shows the differences
        mapping fits MAPPING [MODEL…]   finds the models that it fits, by its hashes
        mapping find MODEL MODEL        finds the mapping model between two models
        mapping write MAPPING FILE      writes an .xcmappingmodel, a text (.mapping)
                                        or a skeleton of its policies (.policy)

      MAPPING is an .xcmappingmodel, a .cdm, a text, a loaded name, one of a sample \
      (sample:Topics/Model1ToModel2), or one beside a loaded bundle. lint and write use the models that the \
      mapping model names or contains, unless --from and --to name others. With these options, write updates \
      a stale mapping model: it writes the current hashes of the two models, keeps every expression, and maps \
      added properties automatically.

      The text form:

        mapping from Topics/Model4 to Topics/Model5

        TopicToTopic: Topic -> Topic
          where topicList.title MATCHES '[a-h].*'
          policy TopicPolicy
          timeBudget = $source.timeBudget * 60
          topicList <- $source.topicList through Lists

        Lists: TopicList -> TopicList     # with a name of its own

        Member: -> Member                 # creates no objects by default

      = maps an attribute, <- a relationship, to an expression, `default` or `nothing`. $source is the source \
      object; a filter after `where` uses the keys of the source object. Properties that are not listed are \
      mapped automatically; `omit NAME` leaves a property without a mapping. `Old: Topic ->` reads objects \
      and creates none. # begins a comment. The models have the names of the session (load Topics first); \
      without that line, `hashes SOURCE -> DESTINATION` gives the version hashes.

      Exit status 1: lint found an error, diff a difference, fits no model, or find no mapping model.
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample("a mapping model of a sample", "mapping show sample:Topics/Model1ToModel2"),
    CommandExample(
      "three parts that do not map everything",
      "mapping lint sample:Topics/Model4ToModel5-1 sample:Topics/Model4ToModel5-2 sample:Topics/Model4ToModel5-3"
    ),
    CommandExample(
      "the mapping model for two versions", "mapping find sample:Topics/Model3 sample:Topics/Model4"
    ),
    CommandExample(
      "a mapping model for Xcode",
      "mapping write sample:Recipes/Recipes1ToRecipes2 Recipes1ToRecipes2.xcmappingmodel",
      "mapping diff sample:Recipes/Recipes1ToRecipes2 Recipes1ToRecipes2.xcmappingmodel"),
  ]

  @Argument(help: "show, lint, diff, fits, find or write.") var verb: Verb
  @Argument(.reference, "Mapping models; for find, models.", label: "mapping")
  var references: [String]
  @Option(.model, "The source model, instead of the one that it names.") var from: String?
  @Option(.model, "The destination model, instead of the one that it names.") var to: String?
  @Option(.folder, "With find: search this folder too.") var mappings: String?
  @OptionGroup var reports: FindingReportOptions
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    let counts: (wanted: ClosedRange<Int>, usage: String) =
      switch verb {
      case .show: (1...1, "mapping show MAPPING")
      case .lint: (1...100, "mapping lint MAPPING…")
      case .diff: (2...2, "mapping diff MAPPING MAPPING")
      case .fits: (1...1000, "mapping fits MAPPING [MODEL…]")
      case .find: (2...2, "mapping find MODEL MODEL")
      case .write: (2...2, "mapping write MAPPING FILE")
      }
    guard counts.wanted.contains(references.count) else {
      throw ValidationError("usage: \(counts.usage)")
    }
    guard (from == nil) == (to == nil) else {
      throw ValidationError("--from and --to require each other")
    }
    if reports.isUsed, verb != .lint {
      throw ValidationError("--junit and --annotate require lint")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    switch verb {
    case .show: return try MappingView(session.mapping(references[0])).outcome(entityMapping: nil)
    case .lint: return try lint(in: session)
    case .diff:
      return try MappingDifferenceView(
        from: session.mapping(references[0]), to: session.mapping(references[1])
      ).outcome
    case .fits: return try FittingModels(references, in: session).outcome
    case .find:
      return try MappingSearch(
        from: references[0], to: references[1], folder: mappings, in: session
      ).outcome
    case .write:
      let known = try session.mapping(references[0], forOtherModels: from != nil)
      var named = try models(of: known, in: session)
      if from != nil { named.refresh(since: known.document.destinationModel) }
      return try MappingWriter(named, since: from == nil ? nil : known.mapping).write(
        to: references[1], force: reports.force, in: session)
    }
  }

  /// The mapping model with the models of `--from` and `--to`, if given.
  private func models(of named: TypedMapping, in session: Session) throws -> TypedMapping {
    guard let from, let to else { return named }
    var named = named
    let (source, destination) = (try session.model(from), try session.model(to))
    if let script = named.script {
      named.document.mapping = try script.mapping(
        from: MatchableModel(source.model), to: MatchableModel(destination.model))
    }
    (named.source, named.destination) = (source, destination)
    named.document.sourceModel = source.model
    named.document.destinationModel = destination.model
    (named.document.sourcePath, named.document.destinationPath) = (from, to)
    named.references = (from, to)
    return named
  }

  private func lint(in session: Session) throws -> Outcome {
    let parts = try references.map {
      try models(of: session.mapping($0, forOtherModels: from != nil), in: session)
    }
    let groups = try MappingGroup.groups(of: parts, in: session).map { $0.lint() }
    let outcomes = groups.map(\.outcome)
    guard outcomes.count > 1 else {
      return try reports.reporting(
        groups[0].findings, of: references.joined(separator: ", "), outcomes[0], in: session)
    }
    let outcome = Outcome(
      .sections(outcomes.map(\.view)), json: .array(groups.flatMap(\.json)),
      status: outcomes.contains { $0.status == .no } ? .no : .done,
      warnings: outcomes.flatMap(\.warnings))
    return try reports.reporting(groups.map(\.checked), outcome, in: session)
  }
}
