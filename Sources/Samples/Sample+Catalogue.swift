extension Sample {
  /// Every sample, in the order in which a learner meets them.
  package static let all: [Sample] = [.firstTopics, .topics, .recipes, .flight]

  /// The sample of that name, upper and lower case told apart as in Core Data's own names.
  ///
  /// ```swift
  /// Sample.named("Recipes")?.bundle.versions.map(\.name)  // ["Recipes1", "Recipes2"]
  /// ```
  package static func named(_ name: String) -> Sample? {
    all.first { $0.name == name }
  }
}
