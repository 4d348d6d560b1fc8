internal import StrataBase
internal import StrataExpressions
package import StrataMapping
package import StrataObjectModel

/// A policy file to start from: what the entity mappings with a policy do by default, said again.
///
/// A migration with it gives what the mapping model gives without policies.
///
/// ```swift
/// PolicySkeleton(of: mapping, named: "Recipes1ToRecipes2", from: first, to: second).text
/// // "policy ChefToChef in Recipes1ToRecipes2\n  …"
/// ```
package struct PolicySkeleton {
  /// Empty where the mapping model names no policy.
  package let text: String

  /// - Parameters:
  ///   - name: Of the mapping model: the policies are for its hop alone.
  ///   - source: With both models, the skeleton tells what has no value that fits.
  package init(
    of mapping: MappingModel, named name: String, from source: ObjectModel?,
    to destination: ObjectModel?
  ) {
    let used = mapping.entityMappings.filter { $0.policyName != nil }
    let counts = Dictionary(grouping: used) { $0.policyName ?? "" }.mapValues(\.count)
    var findings: [Finding] = []
    if let source, let destination {
      findings =
        MappingLint(
          [mapping], from: MatchableModel(source), to: MatchableModel(destination)
        ).findings
    }
    text = used.map { entity in
      let policy = entity.policyName ?? ""
      let isShared = counts[policy] ?? 0 > 1
      let heading =
        ["policy", Self.word(policy)] + (isShared ? ["for", Self.word(entity.name)] : [])
        + ["in", Self.word(name)]
      let lines = Self.lines(
        of: entity, findings.filter { $0.place.mapping == entity.name }, destination)
      return
        ([heading.joined(separator: " ")] + lines.map { "  " + $0 })
        .joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  private static func lines(
    of mapping: EntityMapping, _ findings: [Finding], _ model: ObjectModel?
  ) -> [String] {
    guard let made = mapping.destinationName else { return ["# makes no objects"] }
    var lines = ["# makes \(made)\(mapping.sourceName.map { " of \($0)" } ?? " of nothing")"]
    if mapping.sourceName == nil {
      lines.append("# create \(made) with NAME = EXPRESSION")
    }
    for property in mapping.attributeMappings {
      let problem = findings.first { $0.property == property.name }
      let attribute = model?.allAttributes(of: made).first { $0.property.name == property.name }
      lines.append(statement(property, attribute?.property, problem))
    }
    for property in mapping.relationshipMappings {
      lines.append(
        property.expression.map {
          "# \(property.name) <- \(MappingText.text(ofRelationship: $0)), by default"
        }
          ?? "# set \(property.name) = find or create ENTITY where NAME == EXPRESSION")
    }
    let selectors = Set(
      (mapping.attributeMappings + mapping.relationshipMappings)
        .compactMap(\.expression).flatMap(\.policySelectors))
    for selector in selectors.sorted() {
      lines.append("method \(VariableCheck.form(of: selector)) = nil")
    }
    return lines
  }

  private static func statement(
    _ property: PropertyMapping, _ attribute: Attribute?, _ problem: Finding?
  ) -> String {
    guard let expression = property.expression else {
      let isNeeded = attribute.map { !$0.isOptional && $0.defaultValue == nil } == true
      return "# set \(property.name) = EXPRESSION" + (isNeeded ? "    it is required" : "")
    }
    let statement = "set \(property.name) = \(expression.text)"
    if let problem { return "# \(statement)    \(problem.reason)" }
    return attribute.map(Self.isSettable) == false || !expression.isOfSource
      ? "# \(statement), by default" : statement
  }

  /// Whether a statement gives it what its mapping gives it: the default of a required attribute stands in for
  /// nothing there, and a composite attribute has no value of its own.
  private static func isSettable(_ attribute: Attribute) -> Bool {
    attribute.type != .composite && !attribute.isDerived && !attribute.isTransient
      && (attribute.isOptional || attribute.defaultValue == nil)
  }

  /// A word of a heading.
  private static func word(_ text: String) -> String {
    text.contains { $0 == " " || $0 == "'" } ? "\"\(text)\"" : text
  }
}

extension Expression {
  /// Whether it asks for nothing but the source object.
  fileprivate var isOfSource: Bool { variables.isSubset(of: [MappingVariable.source.rawValue]) }

  /// The methods that it calls on its policy.
  fileprivate var policySelectors: [String] {
    switch self {
    case .constant, .evaluatedObject, .variable, .fetch, .subquery: []
    case .keyPath(of: let operand, _): operand?.policySelectors ?? []
    case .function(let selector, on: let target, let arguments):
      (target == .variable(MappingVariable.entityPolicy.rawValue) ? [selector] : [])
        + arguments.flatMap(\.policySelectors)
    case .collection(let elements): elements.flatMap(\.policySelectors)
    case .conditional(_, let first, let second): first.policySelectors + second.policySelectors
    }
  }
}
