package import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

/// Checks a mapping model, or several that are run one after the other, for errors.
///
/// ```swift
/// let (source, destination) = (MatchableModel(model1), MatchableModel(model2))
/// MappingLint([mapping], from: source, to: destination).findings.map(\.message)  // []
/// ```
package struct MappingLint {
  /// Errors first, in the order of the entity mappings.
  package private(set) var findings: [Finding] = []
  let source: MatchableModel
  let destination: MatchableModel
  let parts: [MappingModel]
  /// The names of the parts.
  let names: [String]
  let omitted: [String: Set<String>]
  /// The suggested names, by an unknown name and all known names.
  private var suggestions: [[String]: String?] = [:]
  /// The selectors of the methods of an entity mapping's policy; `nil` if unknown.
  let policyMethods: (EntityMapping) -> Set<String>?

  /// - Parameters:
  ///   - parts: The mapping model, or its parts.
  ///   - names: The names of the parts; missing names are replaced by numbers.
  ///   - omitted: Intentionally omitted properties, by entity mapping.
  ///   - policyMethods: The selectors of the policy methods that value expressions of an entity mapping can
  ///     call; `nil` if the policy is unknown.
  package init(
    _ parts: [MappingModel], named names: [String] = [], from source: MatchableModel,
    to destination: MatchableModel, omitted: [String: Set<String>] = [:],
    policyMethods: @escaping (EntityMapping) -> Set<String>? = { _ in nil }
  ) {
    self.omitted = omitted
    self.policyMethods = policyMethods
    self.names = parts.indices.map { names.indices.contains($0) ? names[$0] : "part \($0 + 1)" }
    self.source = source
    self.destination = destination
    self.parts = parts
    for part in parts {
      for mapping in part.entityMappings { check(mapping, in: part) }
    }
    checkCoverage()
    checkFilters()
    checkLosses()
    // Findings that occur in every part are reported once.
    findings = findings.uniqued
    findings =
      findings.filter { $0.severity == .error } + findings.filter { $0.severity != .error }
  }

  /// An error of a default value becomes a warning if a policy sets the value.
  mutating func add(_ rule: MappingRule, _ mapping: EntityMapping? = nil) {
    if let policy = mapping?.policyName, rule.isAboutDefault, rule.severity == .error {
      findings.append(MappingRule.decidedByPolicy(rule, policy: policy).finding(in: mapping))
    } else {
      findings.append(rule.finding(in: mapping))
    }
  }

  /// A known name that may have been meant; only the first twenty unknown names are compared with all known ones.
  mutating func suggestion(for name: String, in known: [String]) -> String? {
    let question = [name] + known
    if let suggestion = suggestions[question] { return suggestion }
    guard suggestions.count < 20 else { return nil }
    let suggestion = NearestName.of(name, in: known)
    suggestions.updateValue(suggestion, forKey: question)
    return suggestion
  }

  /// The losses of the entity mappings without errors, except those reported by the checks of entities and properties.
  /// If entity mappings are missing or have errors, links to their objects are not counted as lost.
  private mutating func checkLosses() {
    let broken = Set(findings.filter { $0.severity == .error }.compactMap(\.location.mapping))
    let mappings = parts.map(\.entityMappings)
    let entities = Set(
      mappings.joined().filter { broken.contains($0.name) }.compactMap(\.sourceName))
    let isIncomplete = findings.contains { finding in
      if case .unmappedSource(_, isKept: true)? = finding.rule as? MappingRule { return true }
      return finding.severity == .error
    }
    let found = LossFinder(
      from: source.model, to: destination.model, by: mappings, named: names)
    for loss in found.losses where !entities.contains(loss.finding.location.entity ?? "") {
      switch loss.kind {
      case .objects, .values, .numbers: break
      default: if isIncomplete { continue }
      }
      switch loss.rule {
      case .removedEntity, .unreadEntity, .unread, nil: continue
      default:
        var finding = loss.finding
        finding.fixes = [Fix(Self.fix(of: loss.rule))]
        findings.append(finding)
      }
    }
  }

  private static func fix(of loss: LossRule?) -> String {
    if case .acrossParts = loss {
      return "put both entities into the same mapping model, or connect the objects in a policy"
    }
    return "add a property mapping if the values are needed"
  }

  // MARK: Entities

  mutating func check(_ mapping: EntityMapping, in part: MappingModel) {
    var isKnown = true
    if let name = mapping.sourceName {
      if source.model[name] == nil {
        let near = suggestion(for: name, in: source.model.entityNames)
        add(.unknownSource(name, near: near), mapping)
        isKnown = false
      } else if let hash = mapping.sourceHash, hash != source.hashes[name] {
        add(.staleHash(entity: name, isSource: true), mapping)
      }
    }
    guard let name = mapping.destinationName else { return }
    guard destination.model[name] != nil else {
      let near = suggestion(for: name, in: destination.model.entityNames)
      return add(.unknownDestination(name, near: near), mapping)
    }
    if let hash = mapping.destinationHash, hash != destination.hashes[name] {
      add(.staleHash(entity: name, isSource: false), mapping)
    }
    if isKnown { checkProperties(of: mapping, in: part) }
  }

  mutating func checkCoverage() {
    let mappings = parts.flatMap(\.entityMappings)
    let sourceNames = Set(mappings.compactMap(\.sourceName))
    let pairs = ModelMatching(from: source, to: destination).entities.pairs
    let kept = Set(pairs.map(\.source))
    for entity in source.model.entities
    where !entity.isAbstract && !sourceNames.contains(entity.name) {
      let isKept = kept.contains(entity.name)
      add(.unmappedSource(entity.name, isKept: isKept))
    }
    // An existing entity is reported at its source entity.
    let destinationNames = Set(mappings.compactMap(\.destinationName) + pairs.map(\.destination))
    for entity in destination.model.entities
    where !entity.isAbstract && !destinationNames.contains(entity.name) {
      add(.unmappedDestination(entity.name))
    }
  }
}
