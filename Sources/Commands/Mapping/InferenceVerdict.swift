internal import StrataBase
internal import StrataMapping
internal import StrataRendering

extension Inference {
  /// The verdict with its worst finding: `inferable, but required attribute without a default
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
  /// The worst warning by title and code, and the number of the others; `nil` without warnings.
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
      + StyledText(worst.location.description, .name)
      + StyledText(others == 0 ? "" : "; \(Phrase.count(others, "more warning"))")
  }
}
