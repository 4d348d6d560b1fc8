package import StrataExpressions

extension PolicyScript.Statement {
  /// The parts of a statement, for programs.
  package struct Parts: Sendable {
    package var call: String
    package var verb: String
    package var condition: Predicate?
    package var expressions: [Expression] = []
    /// The attributes that it sets, of its own object or of the object that it creates.
    package var attributes: [String] = []
    package var relationship: String?
    /// The entity of the object that it finds or creates.
    package var entity: String?
    package var separator: String?
  }

  package var parts: Parts {
    var parts = Parts(call: call.rawValue, verb: "")
    func take(_ search: PolicyScript.Search) {
      parts.entity = search.entity
      parts.attributes = search.allValues.map(\.attribute)
      parts.expressions = search.allValues.map(\.value)
    }
    parts.attributes = verb.values.map(\.attribute)
    parts.expressions = verb.values.first?.expressions ?? []
    switch verb {
    case .skip(let condition): (parts.verb, parts.condition) = ("skip", condition)
    case .oneDestination(let expression):
      (parts.verb, parts.expressions) = ("oneDestination", [expression])
    case .set: parts.verb = "set"
    case .split(_, let mark, _): (parts.verb, parts.separator) = ("split", mark)
    case .join(_, let mark, _): (parts.verb, parts.separator) = ("join", mark)
    case .relate(let name, let search):
      (parts.verb, parts.relationship) = (search.creates ? "findOrCreate" : "find", name)
      if search.key == nil { parts.verb = "create" }
      take(search)
    case .keepFirst(let name, let keys, _):
      (parts.verb, parts.relationship) = ("keepFirst", name)
      parts.expressions = [.keyPath(of: nil, keys)]
    case .require(let condition, _): (parts.verb, parts.condition) = ("require", condition)
    case .make(let search):
      parts.verb = search.key == nil ? "create" : "findOrCreate"
      take(search)
    case .delete(let condition): (parts.verb, parts.condition) = ("delete", condition)
    }
    return parts
  }
}
