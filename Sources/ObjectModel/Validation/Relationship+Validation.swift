internal import StrataBase

extension Relationship {
  /// What is wrong with leading to so many objects.
  ///
  /// A to-many relationship that is not optional may be empty where its least count is 0: a store that
  /// SwiftData saved shows one (`cartkit` in the corpus).
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
