extension MappingFinding {
  public var property: String? {
    switch reason {
    case .unknownProperty(let name, _), .wrongList(let name, _), .missingProperty(let name),
      .missingValue(let name), .mayBeMissing(let name), .notThrough(let name, _, _),
      .withoutSource(let name, _), .leftBehind(let name), .badExpression(let name, _, _, _),
      .unfitting(let name, _, _), .severalForOne(let name), .unknownMapping(_, let name, _),
      .wrongMapping(_, let name, _, _, _), .wrongSources(_, let name, _, _):
      name
    default: nil
    }
  }

  /// `TopicToTopic.timeBudget`, the entity mapping, or the mapping model.
  public var place: String {
    guard let mapping else { return "the mapping model" }
    return property.map { "\(mapping).\($0)" } ?? mapping
  }

  public var words: String {
    switch reason {
    case .unknownSource(let name, _): "the source model has no entity \(name)"
    case .unknownDestination(let name, _): "the destination model has no entity \(name)"
    case .staleHash(let entity, let isSource):
      "made for another version of \(entity) in the \(isSource ? "source" : "destination"): Core Data does not choose the mapping model for these models"
    case .unmappedSource(let entity, isKept: true):
      "no entity mapping takes \(entity): Core Data does not choose the mapping model, and where an app does, its objects are dropped"
    case .unmappedSource(let entity, isKept: false):
      "no entity mapping takes \(entity), which goes: its objects are dropped"
    case .unmappedDestination(let entity): "no entity mapping makes \(entity), which is new"
    case .unknownProperty(let name, _): "the destination entity has no property \(name)"
    case .wrongList(let name, let isAttribute):
      "\(name) is \(isAttribute ? "an attribute, mapped like a relationship" : "a relationship, mapped like an attribute")"
    case .missingProperty: "has no property mapping: it begins with its default, or empty"
    case .missingValue: "required, and nothing gives it a value: saving fails"
    case .leftBehind(let name): "left to its default, although the source has \(name)"
    case .mayBeMissing: "required, and may be nothing in the source: saving fails"
    case .notThrough(_, let gives, _):
      "gives \(gives) of the source, and not what became of it: no entity mapping is named"
    case .withoutSource(_, let expression): "\(expression) asks no object: the source is $source"
    case .badExpression(_, let expression, let why, _): "\(expression): \(why)"
    case .unfitting(_, let gives, let wants): "gets \(gives), and takes \(wants)"
    case .severalForOne: "to-one, and may get several objects"
    case .unknownMapping(let name, _, _): "there is no entity mapping \(name)"
    case .wrongMapping(let name, _, let makes, let wants, _):
      "\(name) makes objects of \(makes), and the relationship leads to \(wants)"
    case .wrongSources(let name, _, let gives, let takes):
      "gives \(gives), and \(name) takes objects of \(takes)"
    case .badFilter(let filter, let why): "the filter \(filter): \(why)"
    case .gap(let entity, let examples):
      "no entity mapping takes a \(entity) with \(examples.joined(separator: ", or with ")): it is dropped"
    case .diverted(let entity, let destination, let examples):
      "a \(entity) with \(examples.joined(separator: ", or with ")) does not arrive as a \(destination)"
    case .overlap(let entity, let mappings, ""):
      "\(mappings.joined(separator: " and ")) both take every \(entity): each arrives twice"
    case .overlap(let entity, let mappings, let example):
      "\(mappings.joined(separator: " and ")) both take a \(entity) with \(example): it arrives twice"
    }
  }

  /// How to mend it.
  public var mend: String {
    switch reason {
    case .unknownSource(_, let near), .unknownDestination(_, let near),
      .unknownProperty(_, let near):
      near.map { "did you mean \($0)?" } ?? "take it out, or choose other models"
    case .unknownMapping(let name, _, let near):
      near.map { "did you mean \($0)?" } ?? "add the entity mapping \(name), or name another"
    case .staleHash: "open it in Xcode and save it for these models, or write it anew"
    case .unmappedSource(let entity, _): "add an entity mapping with the source \(entity)"
    case .unmappedDestination(let entity):
      "add an entity mapping without a source, if \(entity) should be there for a policy"
    case .wrongList(_, let isAttribute):
      isAttribute
        ? "in the text form, = maps an attribute" : "in the text form, <- maps a relationship"
    case .missingProperty(let name): "add a mapping of \(name)"
    case .missingValue(let name): "give \(name) a value expression, a default or a policy"
    case .leftBehind(let name): "convert $source.\(name) in an expression, if it is wanted"
    case .mayBeMissing(let name): "filter such objects out, or give \(name) a default or a policy"
    case .notThrough(_, _, let near):
      "name the entity mapping: … through \(near ?? "<entity mapping>")"
    case .withoutSource(_, let expression):
      "did you mean $\(expression.hasPrefix("source.") ? expression : "source." + expression)?"
    case .badExpression(_, _, _, let mend): mend ?? "`help expressions` tells what one may say"
    case .unfitting: "convert the value in the expression, or in a policy"
    case .severalForOne: "choose one in a policy"
    case .wrongMapping(_, _, _, _, let near):
      near.map { "did you mean \($0)?" } ?? "name the entity mapping that makes these objects"
    case .wrongSources: "name the entity mapping that takes these objects"
    case .badFilter: "ask the source object by its own keys, without $source"
    case .gap, .diverted: "add an entity mapping for the rest, or widen a filter"
    case .overlap: "narrow one of the filters"
    }
  }
}
