extension Sample {
  /// Two versions of a list of topics: the smallest change that makes a store unreadable.
  ///
  /// | version | what is new |
  /// |---|---|
  /// | `Model1` | `Topic` with `content` and `dateCreated`, `TopicList` with `title` |
  /// | `Model2` | `Topic.timeBudget`: Integer 32, required, default 5 |
  ///
  /// A store of `Model1` does not open with `Model2` (134100): the hash of `Topic` is different. Deleting a
  /// list deletes its topics; the delete rule does not affect hashes.
  ///
  /// Source: `Docs/Facts/samples.md`, section 1, with the hashes of `Model1`.
  package static let firstTopics = Sample(
    name: "FirstTopics",
    summary: "adds a required attribute with a default",
    versions: [
      "Model1": "FirstTopics1.xml",
      "Model2": "FirstTopics2.xml",
    ],
    current: "Model2")
}
