extension Sample {
  /// All samples, simplest first.
  package static let all: [Sample] = [.firstTopics, .topics, .recipes, .flight, .journeys]

  /// The sample with a name; the name is case-sensitive, as in Core Data.
  ///
  /// ```swift
  /// Sample.named("Recipes")?.bundle.versions.map(\.name)  // ["Recipes1", "Recipes2"]
  /// ```
  package static func named(_ name: String) -> Sample? {
    all.first { $0.name == name }
  }
}
