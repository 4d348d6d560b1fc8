/// A rule of a check with the facts of one case: an enumeration with a case for each rule.
package protocol FindingRule: Sendable, Hashable {
  /// The domain of the rules, the first part of their names: `inference`.
  static var domain: String { get }
  /// A page for each rule, in the order of the cases.
  static var pages: [RulePage] { get }
  /// Stable, the domain first: `inference.missingDefault`. Scripts may match on it.
  static func id(ofPage name: String) -> String
  /// The name of its page: the case without its facts, `missingDefault`.
  var caseName: String { get }
  var severity: Diagnostic.Severity { get }
  /// Core Data's error code; `nil` if it has none.
  var code: CoreDataError? { get }
  /// The problem, without the location: `is a required value`.
  var reason: String { get }
}

extension FindingRule {
  package var code: CoreDataError? { nil }

  /// The explanation of the rule; `nil` if there is none.
  package var page: RulePage? { Self.pages.first { $0.name == caseName } }

  package static func id(ofPage name: String) -> String { "\(domain).\(name)" }

  /// Stable, the domain first: `inference.missingDefault`. Scripts may match on it.
  package var id: String { Self.id(ofPage: caseName) }

  package var caseName: String {
    Mirror(reflecting: self).children.first?.label ?? String(describing: self)
  }
}

/// The explanation of a rule, shown by `help RULE`.
package struct RulePage: Sendable, Hashable {
  /// The case of the rule: `missingDefault`.
  package var name: String
  /// A short title, without a full stop.
  package var title: String
  /// The meaning, the consequences and the fix.
  package var explanation: String

  /// The title within a sentence: a small first letter.
  package var inSentence: String { title.prefix(1).lowercased() + title.dropFirst() }

  package init(_ name: String, _ title: String, _ explanation: String) {
    (self.name, self.title, self.explanation) = (name, title, explanation)
  }
}

/// A fix for a finding.
package struct Fix: Sendable, Hashable {
  /// The result of trying the fix.
  package enum Proof: Sendable, Hashable {
    /// The problem is gone, and there are no others.
    case verified
    /// The problem is gone, but others remain.
    case partly
    case untried
  }

  package var text: String
  /// Command lines that apply it.
  package var commands: [String]
  package var proof: Proof
  /// The likelihood of a guess, from 0 to 1, and its reasons.
  package var score: Double?
  package var evidence: [String]

  /// Whether it was tried, and the problem is gone.
  package var isVerified: Bool { proof != .untried }

  package init(
    _ text: String, commands: [String] = [], proof: Proof = .untried, score: Double? = nil,
    evidence: [String] = []
  ) {
    (self.text, self.commands, self.proof) = (text, commands, proof)
    (self.score, self.evidence) = (score, evidence)
  }
}
