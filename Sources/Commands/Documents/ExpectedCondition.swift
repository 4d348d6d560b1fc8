/// What can be expected.
enum ExpectedCondition: String, CaseIterable {
  case compatible, inferable, safe, reaches, fits, migrates
  case losesNothing = "loses nothing"
  case valid, hash, count, value, all

  /// The condition that words begin with, and the words that follow it.
  static func parse(_ words: some Collection<String>) -> (condition: Self, subjects: [String])? {
    for condition in allCases where words.starts(with: condition.words) {
      return (condition, Array(words.dropFirst(condition.words.count)))
    }
    return nil
  }

  private var words: [String] { rawValue.split(separator: " ").map(String.init) }

  /// The words that may come next, where a condition is not complete yet.
  static func candidates(after typed: [String]) -> [String] {
    let next = allCases.map(\.words).filter { $0.count > typed.count && $0.starts(with: typed) }
      .map { $0[typed.count] }
    return next.enumerated().filter { next.firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }

  /// The words that follow it.
  var usage: String {
    switch self {
    case .compatible: "A B"
    case .inferable, .safe, .reaches: "MODEL MODEL"
    case .fits: "MAPPING MODEL MODEL"
    case .migrates, .losesNothing: "STORE MODEL"
    case .valid: "STORE"
    case .hash: "REF HASH"
    case .count: "STORE ENTITY COUNT"
    case .value: "STORE ENTITY EXPRESSION VALUE"
    case .all: "STORE ENTITY PREDICATE"
    }
  }

  /// Whether it is about a migration.
  var asksMigration: Bool {
    switch self {
    case .reaches, .migrates, .losesNothing: true
    default: false
    }
  }

  /// Whether it is about the objects of an entity.
  var asksObjects: Bool {
    switch self {
    case .count, .value, .all: true
    default: false
    }
  }
}
