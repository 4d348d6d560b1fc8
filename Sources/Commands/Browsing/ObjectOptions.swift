internal import ArgumentParser

/// Which objects of an entity are asked about, and by which model they are read.
struct ObjectOptions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      .predicate,
      "Only objects of which this is true, and of several all: \"amount > 5 AND name BEGINSWITH 'A'\"."
    ))
  var predicates: [String] = []
  @Option(
    help: ArgumentHelp(
      .model, "The model that wrote the store, where neither it nor what is loaded tells."))
  var model: String?
}
