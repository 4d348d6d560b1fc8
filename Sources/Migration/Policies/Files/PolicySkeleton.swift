internal import StrataBase
internal import StrataExpressions
package import StrataMapping
package import StrataObjectModel

/// A policy file to start from, with the default behavior of the entity mappings that have a policy.
///
/// A migration with it has the same result as the mapping model without policies.
///
/// ```swift
/// PolicySkeleton(of: mappings[2].mapping, named: "Model4ToModel5-1", from: model4, to: model5).text
/// // "policy TopicToTopic in Model4ToModel5-1\n  …"
/// ```
package struct PolicySkeleton {
  /// The text; empty if the mapping model names no policy.
  package let text: String

  /// - Parameters:
  ///   - name: The name of the mapping model, to whose hop the policies are limited.
  ///   - source: The source model; with both models, the skeleton marks properties without a valid value.
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
        of: entity, findings.filter { $0.location.mapping == entity.name }, destination)
      return
        ([heading.joined(separator: " ")] + lines.map { "  " + $0 })
        .joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  private static func lines(
    of mapping: EntityMapping, _ findings: [Finding], _ model: ObjectModel?
  ) -> [String] {
    guard let destinationName = mapping.destinationName else { return ["# creates no objects"] }
    var lines = [
      "# creates \(destinationName)\(mapping.sourceName.map { " from \($0)" } ?? " without a source")"
    ]
    if mapping.sourceName == nil {
      lines.append("# create \(destinationName) with NAME = EXPRESSION")
    }
    for property in mapping.attributeMappings {
      let problem = findings.first { $0.property == property.name }
      let attribute = model?.attribute(property.name, of: destinationName)
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
      return "# set \(property.name) = EXPRESSION" + (isNeeded ? "    required" : "")
    }
    let statement = "set \(property.name) = \(expression.text)"
    if let problem { return "# \(statement)    \(problem.reason)" }
    return attribute.map(Self.isSettable) == false || !expression.isOfSource
      ? "# \(statement), by default" : statement
  }

  /// Whether a statement can set it to the value of its mapping: a mapping replaces nil by the default value of
  /// a required attribute, and a composite attribute has no value.
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
  /// Whether it only reads the source object.
  fileprivate var isOfSource: Bool { variables.isSubset(of: [MappingVariable.source.rawValue]) }

  /// The selectors of the policy methods that it calls.
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
