internal import ArgumentParser

/// Options that select objects of an entity and the model to read them with.
struct ObjectOptions: ParsableArguments {
  @Option(
    .predicate,
    "Only objects that match this predicate, or all of several: \"amount > 5 AND name BEGINSWITH 'A'\".",
    name: .customLong("where"), parsing: .unconditionalSingleValue
  )
  var predicates: [String] = []
  @Option(.model, "The model that wrote the store, if neither it nor a loaded model shows that.")
  var model: String?
}
