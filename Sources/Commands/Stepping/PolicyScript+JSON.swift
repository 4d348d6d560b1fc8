internal import StrataBase
internal import StrataExpressions
internal import StrataMigration
internal import StrataRendering

extension PolicyScript {
  /// The policy as JSON, statement by statement.
  var json: JSONValue {
    .object([
      ("name", .string(name)),
      (
        "statements",
        .array(
          statements.map { statement in
            let parts = statement.parts
            return .object([
              ("call", .string(parts.call)), ("pass", .integer(Int64(statement.pass.rawValue))),
              ("statement", .string(statement.text)), ("verb", .string(parts.verb)),
              ("condition", .string(orNull: parts.condition?.text)),
              ("expressions", .array(parts.expressions.map(\.json))),
              ("attributes", .strings(parts.attributes)),
              ("relationship", .string(orNull: parts.relationship)),
              ("entity", .string(orNull: parts.entity)),
              ("separator", .string(orNull: parts.separator)),
            ])
          })
      ),
    ])
  }
}
