import Foundation
package import Testing

/// Which cases the longest tests try: all, or with `STRATA_CASES=2/4` the second quarter of them, as `Scripts/test` does.
///
/// Each part has cases of all kinds: it takes each fourth one, or a fourth of the random ones.
package enum CaseCount {
  private static let environment = ProcessInfo.processInfo.environment

  /// The part that is tried, counted from zero, and how many parts there are.
  private static let chosen: (part: Int, of: Int) = {
    guard let text = environment["STRATA_CASES"] else { return (0, 1) }
    let numbers = text.split(separator: "/").compactMap { Int($0) }
    guard numbers.count == 2, numbers[0] >= 1, numbers[0] <= numbers[1] else {
      fatalError("STRATA_CASES is \(text): write it as 2/4")
    }
    return (numbers[0] - 1, numbers[1])
  }()

  /// The seeds of a random test.
  ///
  /// - Parameter name: The environment variable that sets another number.
  package static func seeds(_ all: Int, _ name: String) -> ClosedRange<UInt64> {
    if let wanted = environment[name].flatMap({ Int($0) }) { return 1...UInt64(wanted) }
    // The first and the fifth of eight parts are the first of four, as for ``includes(_:)``.
    let part =
      chosen.of % 4 == 0 ? chosen.part % 4 * (chosen.of / 4) + chosen.part / 4 : chosen.part
    let start = all * part / chosen.of
    return UInt64(start + 1)...UInt64(max(start + 1, all * (part + 1) / chosen.of))
  }

  /// The number of cases that must be of some kind, if it is this number of all cases: chance makes a part uneven.
  package static func least(_ all: Int) -> Int {
    chosen.of == 1 ? all : all / chosen.of - chosen.of
  }

  /// The cases of an exhaustive test that are tried.
  package static func some<Case>(of all: [Case]) -> [Case] {
    all.enumerated().filter { includes($0.offset) }.map(\.element)
  }

  /// Whether a case of an exhaustive test is tried, by its index.
  package static func includes(_ index: Int) -> Bool { index % chosen.of == chosen.part }
}

extension Trait where Self == ConditionTrait {
  /// A long test that is tried with one part of the cases, of four.
  package static func part(_ number: Int) -> Self {
    .enabled(if: CaseCount.includes(number - 1), "tried with another part of the cases")
  }
}
