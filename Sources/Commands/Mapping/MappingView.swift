internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering

/// A mapping model as tables of its entity mappings and their properties.
struct MappingView {
  private let named: TypedMapping

  init(_ named: TypedMapping) {
    self.named = named
  }

  func outcome(entityMapping name: String?) throws -> Outcome {
    if let name { return try outcome(ofMapping: name) }
    let mappings = named.mapping.entityMappings
    var facts = [Phrase.count(mappings.count, "entity mapping")]
    if let direction = named.direction { facts.insert(direction, at: 0) }
    let policies = named.mapping.policyNames
    if !policies.isEmpty {
      facts.append("\(policies.count == 1 ? "policy" : "policies") \(Phrase.list(policies))")
    }
    return Outcome(
      .sections(
        [.line(StyledText(named.name, .heading) + StyledText("  " + facts.joined(separator: ", ")))]
          + mappings.map(view)),
      json: named.mapping.json(
        named: named.name, from: named.source?.name, to: named.destination?.name),
      warnings: named.warnings)
  }

  private func outcome(ofMapping name: String) throws -> Outcome {
    guard let mapping = named.mapping.entityMapping(named: name) else {
      throw named.unknown(entityMapping: name)
    }
    return Outcome(view(of: mapping), json: mapping.json)
  }

  private func view(of mapping: EntityMapping) -> View {
    var notes: [StyledText] = []
    if let filter = mapping.filter {
      notes.append(StyledText("  where ", .faint) + StyledText(filter))
    }
    if let source = mapping.customSource {
      notes.append(StyledText("  objects ", .faint) + StyledText(source.text))
    }
    if let policy = mapping.policyName {
      notes.append(StyledText("  policy ", .faint) + StyledText(policy))
    }
    for entry in mapping.userInfo {
      notes.append(StyledText("  info \(entry.key) ", .faint) + StyledText(entry.value))
    }
    return .stack([
      .line(mapping.heading), .lines(notes), mapping.table(in: named.destination?.model),
    ])
  }
}
