/// A rule that a check knows, with the facts of one case: an enumeration with a case for each rule.
package protocol FindingRule: Sendable, Hashable {
  /// What the rules are about; the first part of their names: `inference`.
  static var domain: String { get }
  /// A page for each rule, in the order of the cases.
  static var pages: [RulePage] { get }
  var severity: Diagnostic.Severity { get }
  /// Core Data's error code; `nil` where it has none.
  var code: CoreDataError? { get }
  /// What is wrong, without the place: `is a required value`.
  var reason: String { get }
}

extension FindingRule {
  package var code: CoreDataError? { nil }

  /// What the rule means; `nil` where nobody has written it.
  package var page: RulePage? { Self.pages.first { $0.name == caseName } }

  /// Stable, the domain first: `inference.missingDefault`. Scripts may match on it.
  package var id: String { "\(Self.domain).\(caseName)" }

  /// The name of the case without its facts: `missingDefault`.
  package var caseName: String {
    Mirror(reflecting: self).children.first?.label ?? String(describing: self)
  }
}

/// What a rule means: what `help RULE` shows.
package struct RulePage: Sendable, Hashable {
  /// The case of the rule: `missingDefault`.
  package var name: String
  /// In a few words, without a full stop.
  package var title: String
  /// What it means, why it matters, and what to do.
  package var explanation: String

  /// The title within a sentence: a small first letter.
  package var inSentence: String { title.prefix(1).lowercased() + title.dropFirst() }

  package init(_ name: String, _ title: String, _ explanation: String) {
    (self.name, self.title, self.explanation) = (name, title, explanation)
  }
}

/// What to do about a finding.
package struct Fix: Sendable, Hashable {
  /// What trying it has shown.
  package enum Proof: Sendable, Hashable {
    /// The problem is gone, and nothing else stands in the way.
    case verified
    /// The problem is gone, and others are left.
    case partly
    case untried
  }

  package var text: String
  /// Command lines that apply it.
  package var commands: [String]
  package var proof: Proof
  /// Of a guess: from 0 to 1, and what supports it.
  package var score: Double?
  package var evidence: [String]

  package init(
    _ text: String, commands: [String] = [], proof: Proof = .untried, score: Double? = nil,
    evidence: [String] = []
  ) {
    (self.text, self.commands, self.proof) = (text, commands, proof)
    (self.score, self.evidence) = (score, evidence)
  }
}
