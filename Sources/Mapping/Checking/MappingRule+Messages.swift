internal import StrataBase

extension MappingRule {
  /// The destination property; `nil` for findings about an entity mapping or the mapping model.
  private var property: String? {
    switch self {
    case .unknownProperty(let name, _), .wrongList(let name, _), .missingProperty(let name),
      .missingValue(let name), .mayBeMissing(let name), .notThrough(let name, _, _),
      .withoutSource(let name, _), .leftBehind(let name), .badExpression(let name, _, _, _),
      .unfitting(let name, _, _), .severalForOne(let name), .unknownMapping(_, let name, _),
      .wrongMapping(_, let name, _, _, _, _), .wrongSources(_, let name, _, _, _):
      name
    case .decidedByPolicy(let rule, _): rule.property
    default: nil
    }
  }

  /// - Parameter mapping: The entity mapping of the finding.
  func finding(in mapping: EntityMapping?) -> Finding {
    let location = FindingLocation(
      entity: entity(in: mapping), property: property, mapping: mapping?.name)
    return Finding(self, at: location, fixes: [Fix(fix)])
  }

  /// The entity of the source or destination model; `nil` if neither has it.
  private func entity(in mapping: EntityMapping?) -> String? {
    switch self {
    case .unknownSource(let name, _), .unknownDestination(let name, _):
      mapping == nil ? name : nil
    case .staleHash(let entity, _), .unmappedSource(let entity, _),
      .unmappedDestination(let entity),
      .gap(let entity, _), .diverted(let entity, _, _), .overlap(let entity, _, _):
      entity
    case .badFilter, .customSource: mapping?.sourceName
    default: mapping?.destinationName
    }
  }

  package var reason: String {
    switch self {
    case .unknownSource(let name, _): "the source model has no entity \(name)"
    case .unknownDestination(let name, _): "the destination model has no entity \(name)"
    case .staleHash(let entity, let isSource):
      "created for another version of \(entity) in the \(isSource ? "source" : "destination"): Core Data does not choose the mapping model for these models"
    case .unmappedSource(_, isKept: true):
      "is the source of no entity mapping; Core Data does not choose the mapping model, and if an app chooses it, the objects are lost"
    case .unmappedSource(_, isKept: false):
      "is removed, and is the source of no entity mapping; its objects are lost"
    case .unmappedDestination: "is new, and no entity mapping creates objects of it"
    case .unknownProperty(let name, _): "the destination entity has no property \(name)"
    case .wrongList(let name, let isAttribute):
      "\(name) is \(isAttribute ? "an attribute, mapped as a relationship" : "a relationship, mapped as an attribute")"
    case .missingProperty: "has no property mapping; it gets its default value, or nil"
    case .missingValue: "is required and gets no value; saving fails"
    case .leftBehind(let name): "gets its default value, although the source has \(name)"
    case .mayBeMissing: "is required, and may be nil in the source; saving then fails"
    case .notThrough(_, let gives, _):
      "returns \(gives) of the source, not destination objects: no entity mapping is named"
    case .withoutSource(_, let expression):
      "\(expression) has no object; the source object is $source"
    case .badExpression(_, let expression, let why, _): "\(expression): \(why)"
    case .unfitting(_, let gives, let wants): "gets \(gives), but requires \(wants)"
    case .severalForOne: "is to-one, and may get several objects"
    case .decidedByPolicy(let rule, let policy):
      "\(rule.reason); the policy \(policy) decides"
    case .unknownMapping(let name, _, _): "there is no entity mapping \(name)"
    case .wrongMapping(let name, _, let makes, let wants, let effect, _):
      "\(name) creates objects of \(makes), but the destination of the relationship is \(wants)"
        + effect.text(name)
    case .wrongSources(let name, _, let gives, let takes, let effect):
      "returns \(gives), but the source of \(name) is \(takes)" + effect.text(name)
    case .badFilter(let filter, let why, _): "the filter \(filter): \(why)"
    case .customSource(let expression):
      "the source expression \(expression) is not evaluated: Strata migrates the objects of a filter alone"
    case .gap(_, let examples):
      "no entity mapping accepts an object with \(examples.joined(separator: ", or with ")); such objects are lost"
    case .diverted(_, let destination, let examples):
      "no entity mapping to \(destination) accepts an object with \(examples.joined(separator: ", or with ")); it becomes an object of another entity"
    case .overlap(_, let mappings, ""):
      "\(mappings.joined(separator: " and ")) both accept every object; each is created twice"
    case .overlap(_, let mappings, let example):
      "\(mappings.joined(separator: " and ")) both accept an object with \(example); it is created twice"
    }
  }

  /// The advice in a message.
  private var fix: String {
    switch self {
    case .unknownSource(_, let near), .unknownDestination(_, let near),
      .unknownProperty(_, let near):
      near.map { "did you mean \($0)?" } ?? "remove it, or choose other models"
    case .unknownMapping(let name, _, let near):
      near.map { "did you mean \($0)?" } ?? "add the entity mapping \(name), or name another"
    case .staleHash:
      "if it is meant for these models, open it in Xcode and save it, or create it again; `mapping fits` shows the models that it fits"
    case .unmappedSource: "add an entity mapping with this source"
    case .unmappedDestination:
      "add an entity mapping without a source if a policy is to create such objects"
    case .wrongList(_, let isAttribute):
      isAttribute
        ? "in the text form, = maps an attribute" : "in the text form, <- maps a relationship"
    case .missingProperty(let name): "add a mapping of \(name)"
    case .missingValue(let name): "give \(name) a value expression, a default or a policy"
    case .leftBehind(let name):
      "convert $source.\(name) in a value expression if the values are needed"
    case .mayBeMissing(let name):
      "exclude such objects by a filter, or give \(name) a default value or a policy"
    case .notThrough(_, _, let near):
      "name the entity mapping: … through \(near ?? "<entity mapping>")"
    case .withoutSource(_, let expression):
      "did you mean $\(expression.hasPrefix("source.") ? expression : "source." + expression)?"
    case .badExpression(_, _, _, let fix): fix ?? "see `help expressions`"
    case .unfitting: "convert the value in the expression, or in a policy"
    case .severalForOne: "choose one in a policy"
    case .decidedByPolicy(.badExpression(_, _, _, let fix?), _): fix
    // A wrong name.
    case .decidedByPolicy(let rule, _) where rule.isOfName: rule.fix
    case .decidedByPolicy(let rule, let policy):
      "set \(rule.property ?? "it") in the policy \(policy), or change the expression"
    case .wrongMapping(_, _, _, _, _, let near):
      near.map { "did you mean \($0)?" } ?? "name the entity mapping that creates these objects"
    case .wrongSources: "name the entity mapping with these source objects"
    case .badFilter(_, _, let fix): fix ?? "use the source object's own keys, without $source"
    case .customSource: "write a filter in its place: `where` and a predicate"
    case .gap, .diverted: "add an entity mapping for the remaining objects, or widen a filter"
    case .overlap: "narrow one of the filters"
    }
  }
}

extension MappingRule.Effect {
  fileprivate func text(_ name: String) -> String {
    switch self {
    case .fails: ""
    case .none: "; \(name) has none of these objects, so no links are set"
    case .inverse: "; \(name) has none of these objects, and the inverse sets the links"
    }
  }
}
