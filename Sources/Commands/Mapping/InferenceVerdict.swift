internal import StrataBase
internal import StrataMapping
internal import StrataRendering

extension Inference {
  /// The verdict in a few words, the worst finding in it: `inferable, but required attribute without a default
  /// value (134110): Topic.id; 2 more warnings`.
  var shownVerdict: StyledText {
    guard isInferable else {
      return StyledText("not inferable (\(CoreDataError.inferredMappingModel))", .error)
    }
    return warnings.caveat.map { StyledText("inferable, but ", .warning) + $0 }
      ?? StyledText("inferable", .good)
  }
}

extension [Finding] {
  /// The worst warning by its title and code, and how many more there are; `nil` where there is none.
  var caveat: StyledText? {
    let warnings = filter { $0.severity != .note }
    guard
      let worst = warnings.first(where: { $0.code != nil })
        ?? warnings.first(where: { $0.lossRule?.isOfObjects == true }) ?? warnings.first
    else {
      return nil
    }
    let title = worst.rule.page?.inSentence ?? worst.reason
    let others = warnings.count - 1
    return StyledText(title + (worst.code.map { " (\($0))" } ?? "") + ": ")
      + StyledText(worst.place.description, .name)
      + StyledText(others == 0 ? "" : "; \(Words.count(others, "more warning", "more warnings"))")
  }
}
