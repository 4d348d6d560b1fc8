/// A question with its choices, each with the reason why it is right or tempting.
package struct Question: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Exactly one choice is right.
    case one
    /// All right choices are to be named.
    case all
    /// A text is to be typed; the choices are not shown.
    case text
  }

  package struct Choice: Sendable, Hashable {
    package let text: String
    package let isRight: Bool
    package let reason: String
  }

  package let kind: Kind
  package let text: String
  package let choices: [Choice]
  /// The line at which it begins, from 1.
  package let line: Int

  /// A choice of a question ``Kind/text`` that matches every other text.
  static let anyOther = "..."

  /// The choices without the one that stands for all other texts.
  package var texts: [Choice] { choices.filter { $0.text != Self.anyOther } }

  /// What an answer says and why.
  package struct Verdict: Sendable, Hashable {
    package let isRight: Bool
    /// The choices to give the reasons of: the wrong ones that were named, or the right ones.
    package let choices: [Choice]
    /// The number of right choices that were not named, if all are to be named.
    package let missing: Int
  }

  /// The verdict on the words of an answer: numbers or texts of choices; `nil` if a word is not a choice.
  package func verdict(on words: [String]) -> Verdict? {
    switch kind {
    case .text: return verdict(onText: words.joined(separator: " "))
    case .one: return choices(named: [words.joined(separator: " ")]).map(verdict(on:))
    case .all:
      let numbers = words.flatMap { $0.split(separator: ",").map(String.init) }
      let named =
        choices(named: numbers) ?? choices(named: words)
        ?? choices(named: [words.joined(separator: " ")])
      return named.map(verdict(on:))
    }
  }

  private func verdict(onText text: String) -> Verdict {
    let typed = Self.normalized(text)
    let choice =
      choices.first { Self.normalized($0.text) == typed }
      ?? choices.first { $0.text == Self.anyOther }
    return Verdict(
      isRight: choice?.isRight ?? false, choices: choice.map { [$0] } ?? [], missing: 0)
  }

  private func choices(named words: [String]) -> Set<Int>? {
    var named: Set<Int> = []
    for word in words {
      let index =
        choices.indices.first { word == String($0 + 1) }
        ?? choices.firstIndex { Self.normalized($0.text) == Self.normalized(word) }
      guard let index else { return nil }
      named.insert(index)
    }
    return named.isEmpty ? nil : named
  }

  private func verdict(on named: Set<Int>) -> Verdict {
    let right = Set(choices.indices.filter { choices[$0].isRight })
    let wrong = named.subtracting(right)
    let isRight = named == right
    return Verdict(
      isRight: isRight, choices: (isRight ? right : wrong).sorted().map { choices[$0] },
      missing: kind == .all ? right.subtracting(named).count : 0)
  }

  /// A text without the differences that do not matter: case, spaces at its ends, repeated spaces, back ticks.
  private static func normalized(_ text: String) -> String {
    text.lowercased().filter { $0 != "`" }.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }
}
