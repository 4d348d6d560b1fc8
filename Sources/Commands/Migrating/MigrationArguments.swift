internal import ArgumentParser
internal import StrataBase
internal import StrataMigration

/// The arguments of `migrate` and `debug`: the store, the target and the strategy.
struct MigrationArguments: ParsableArguments {
  @Argument(.store, "The store.") var store: String
  @Option(.model, "The model to migrate to.", name: .customLong("to")) var target: String
  @Option(
    name: .customLong("strict"),
    help: ArgumentHelp(
      "Refuse a migration that loses something: rows, values (also numbers out of range and fractions), links (and their order), valid (objects that could not be saved), extras (history, triggers and views) or duplicates (objects of one entity that several entity mappings create from one object); without a list, any of these.",
      valueName: "what"), transform: Self.categories)
  var strictCategories: Set<LossCategory>?
  @Flag(help: "Use the default behavior for unknown policies.") var withoutPolicy = false
  @Flag(
    help:
      "Show values of the store in messages of policies, in differences that --proof finds, and in --trace-json."
  )
  var reveal = false
  @OptionGroup var strategy: StrategyOptions

  /// The categories of losses to refuse.
  var strict: Set<LossCategory> { strictCategories ?? [] }

  private static func categories(_ text: String) throws -> Set<LossCategory> {
    let names = LossCategory.allCases.map(\.rawValue)
    return try Set(
      text.split(separator: ",", omittingEmptySubsequences: false).map(String.init).map { word in
        if let category = LossCategory(rawValue: word) { return category }
        throw ValidationError(
          word.isEmpty
            ? "name the losses to refuse: \(Phrase.list(names))"
            : "--strict has no category \(word): "
              + (NearestName.of(word, in: names).map(NearestName.question) ?? Phrase.list(names)))
      })
  }
}

extension MigrationArguments {
  /// The options as typed on the command line, for a command that migrates likewise.
  var options: [String] {
    var options = strategy.arguments
    let all = LossCategory.allCases.filter(strict.contains)
    if all.count == LossCategory.allCases.count {
      options.append("--strict")
    } else if !all.isEmpty {
      options.append("--strict=\(all.map(\.rawValue).joined(separator: ","))")
    }
    if withoutPolicy { options.append("--without-policy") }
    return options + (reveal ? ["--reveal"] : [])
  }
}
