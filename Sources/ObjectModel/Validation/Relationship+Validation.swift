internal import StrataBase

extension Relationship {
  /// The validation error for this number of destination objects.
  ///
  /// A required to-many relationship can be empty if its min count is 0: SwiftData saves such stores (`cartkit`
  /// in the corpus).
  package func problem(ofCount count: Int) -> ValidationRule? {
    if maxCount > 0, count > maxCount { return .tooMany(count: count, maximum: maxCount) }
    if count == 0 {
      if isOptional { return nil }
      if !isToMany { return .missing }
      return minCount > 0 ? .tooFew(count: 0, minimum: minCount) : nil
    }
    return isToMany && count < minCount ? .tooFew(count: count, minimum: minCount) : nil
  }
}
