internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// The pages of all rules: `help rules` and `help RULE`.
enum RuleBook {
  private static let kinds: [any FindingRule.Type] = [
    InferenceRule.self, MappingRule.self, ValidationRule.self, StoreRule.self, CloudKitRule.self,
    CloudKitEvolutionRule.self, LossRule.self, CheckRule.self,
  ]

  /// The name and page of each rule, by kind.
  static let pages: [(id: String, page: RulePage)] = kinds.flatMap { kind in
    kind.pages.map { (kind.id(ofPage: $0.name), $0) }
  }

  /// The page `help rules`: one line for each rule.
  static var list: Outcome {
    Outcome(
      .stack([
        .table(rows: pages.map { [StyledText($0.id, .name), StyledText($0.page.title)] }),
        .line(""), .line("`help <rule>` explains a rule: help \(pages.first?.id ?? "")"),
      ]),
      json: .object(.init(pages.map { ($0.id, $0.page.title) })))
  }

  /// The page `help rules RULE`.
  ///
  /// - Throws: ``Diagnostic`` if there is no such rule.
  static func page(named id: String) throws(Diagnostic) -> Outcome {
    if let page = page(of: id) { return page }
    throw Diagnostic(
      id: "command.unknown", what: "there is no rule \(id)",
      fix: NearestName.of(id, in: pages.map(\.id)).map(NearestName.question)
        ?? "`help rules` lists the rules")
  }

  /// The page `help RULE`; `nil` if there is no such rule.
  static func page(of id: String) -> Outcome? {
    pages.first { $0.id == id }.map { _, page in
      Outcome(
        .stack([
          .line(StyledText(id, .heading) + StyledText("  \(page.title)")),
          .line(StyledText("  " + page.explanation)),
        ]), json: ["rule": id, "title": page.title, "explanation": page.explanation])
    }
  }
}
