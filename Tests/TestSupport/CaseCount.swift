import Foundation

/// How many cases the longest tests try: all, or with `STRATA_CASES=share` one in four, as `Scripts/test` does.
///
/// A share has cases of all kinds: it takes each fourth one, or fewer random ones.
package enum CaseCount {
  private static let environment = ProcessInfo.processInfo.environment

  /// One case in so many is tried.
  package static let share = environment["STRATA_CASES"] == "share" ? 4 : 1

  /// The number of random cases of a test.
  ///
  /// - Parameter name: The environment variable that sets another number.
  package static func of(_ all: Int, _ name: String) -> Int { wanted(name) ?? all / share }

  /// The number that an environment variable sets.
  package static func wanted(_ name: String) -> Int? { environment[name].flatMap { Int($0) } }

  /// The number of cases that must be of some kind, if it is this number of all cases: chance makes a share uneven.
  package static func least(_ all: Int) -> Int { share == 1 ? all : all / share - share }

  /// The cases of an exhaustive test that are tried.
  package static func some<Case>(of all: [Case]) -> [Case] {
    all.enumerated().filter { includes($0.offset) }.map(\.element)
  }

  /// Whether a case of an exhaustive test is tried, by its index.
  package static func includes(_ index: Int) -> Bool { index % share == 0 }
}
