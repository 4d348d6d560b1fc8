internal import ArgumentParser
internal import StrataBase
internal import StrataExpressions
internal import StrataRendering
internal import StrataStore

/// The command `count STORE ENTITY [--where PREDICATE]`.
struct Count: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "count", abstract: "Counts the objects of an entity, subentities included.",
    discussion: "`help expressions` describes the predicate syntax.")
  static let examples = [
    CommandExample(
      "lists of more than one topic", "create lists.sqlite --model sample:Topics/Model1 --rows 20",
      "count lists.sqlite TopicList --where 'topics.@count > 1'")
  ]

  @Argument(.store, "The store.") var store: String
  @Argument(.entity, "The entity.") var entity: String
  @OptionGroup var options: PredicateOptions
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    try session.reading(store, model: options.objects.model) { objects in
      let query = try StoreQuery(
        entity: entity, predicates: options.objects.predicates, in: objects)
      guard !options.explain else { return try Self.explanation(of: query, objects) }
      let count: Int
      do {
        count = try objects.count(query)
      } catch let error as ExpressionError {
        throw error.located(in: options.objects.predicates.joined(separator: " AND "))
      }
      return Outcome(.line(StyledText(String(count))), json: ["entity": entity, "count": count])
    }
  }

  /// The SQL and the remaining predicate of a query: the outcome of `--explain`.
  static func explanation(
    of query: StoreQuery, _ objects: StoreObjects, isCount: Bool = true
  ) throws -> Outcome {
    let (sql, parameters, plan, rest) = try objects.explanation(of: query, isCount: isCount)
    let values = parameters.enumerated().map { index, value in
      [StyledText("?\(index + 1)", .name), StyledText(Expression.constant(value).text)]
    }
    return Outcome(
      .stack([
        .line(StyledText(sql)), .table(rows: values),
        // Other versions of SQLite have other plans and words.
        .lines(plan.map { StyledText(live: "  SQLite: \($0)", kept: "") }),
        .line(
          rest.map { StyledText("then for each object: ", .faint) + StyledText($0.text) }
            ?? StyledText("evaluated entirely by SQLite", .faint)),
      ]),
      json: .object(withoutNull: [
        "sql": sql, "parameters": parameters.map { Expression.constant($0).text },
        "evaluated": rest?.text,
      ]))
  }
}
