internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

extension PassesRun {
  /// Messages about the attributes whose numbers the next step would truncate, round or lose.
  package mutating func upcomingTruncations() throws -> [String] {
    guard case .objects(_, _, .createInstances) = pending, let mapping = currentEntityMapping,
      let entity = mapping.destinationName, let source = try upcomingSource()
    else { return [] }
    let leaves = hop.to.model.attributesByStoredName(of: entity)
    let context = EvaluationContext(object: source, variables: ["source": .object(source)])
    var truncations: [String] = []
    for property in mapping.attributeMappings {
      guard let expression = property.expression, let type = leaves[property.name]?.type,
        case .value(let value)? = try? context.value(of: expression),
        type.fit(of: value) != .fits
      else { continue }
      truncations.append("\(entity).\(property.name)")
    }
    return truncations
  }
}
