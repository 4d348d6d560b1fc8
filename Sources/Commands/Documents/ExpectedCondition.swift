internal import StrataBase

/// A condition of `expect`.
enum ExpectedCondition: String, CaseIterable {
  case compatible, inferable, safe, reaches, fits, migrates
  case losesNothing = "loses nothing"
  case valid, hash, count, value, all, guards

  /// The condition at the beginning of the arguments, and the arguments after it.
  static func parse(_ arguments: some Collection<String>) -> (condition: Self, subjects: [String])?
  {
    for condition in allCases where arguments.starts(with: condition.keywords) {
      return (condition, Array(arguments.dropFirst(condition.keywords.count)))
    }
    return nil
  }

  private var keywords: [String] { rawValue.split(separator: " ").map(String.init) }

  /// The possible next keywords of an incomplete condition.
  static func candidates(after typed: [String]) -> [String] {
    allCases.map(\.keywords).filter { $0.count > typed.count && $0.starts(with: typed) }
      .map { $0[typed.count] }.uniqued
  }

  /// The arguments of the condition.
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
    case .guards: "SCRIPT REF KEY VALUE"
    }
  }

  /// Whether it is about a migration.
  var concernsMigration: Bool {
    switch self {
    case .reaches, .migrates, .losesNothing: true
    default: false
    }
  }

  /// Whether it is about the objects of an entity.
  var concernsObjects: Bool {
    switch self {
    case .count, .value, .all: true
    default: false
    }
  }
}
