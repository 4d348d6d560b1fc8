internal import StrataBase
internal import StrataExpressions
internal import StrataMigration
internal import StrataRendering

extension PolicyScript {
  /// The policy as JSON, statement by statement.
  var json: JSONValue {
    [
      "name": name,
      "statements": statements.json { statement in
        let parts = statement.parts
        return [
          "call": parts.call, "pass": statement.pass.rawValue, "statement": statement.text,
          "verb": parts.verb, "condition": parts.condition?.text,
          "expressions": parts.expressions.map(\.json), "attributes": parts.attributes,
          "relationship": parts.relationship, "entity": parts.entity,
          "separator": parts.separator,
        ]
      },
    ]
  }
}
