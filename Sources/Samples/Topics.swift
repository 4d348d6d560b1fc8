extension Sample {
  /// Five versions of a list of topics: changes that can be inferred, and two that cannot.
  ///
  /// | version | what is new |
  /// |---|---|
  /// | `Model1` | `Topic` with its presenter's name (required) and e-mail address, `TopicList` |
  /// | `Model2` | `Topic.timeBudget`, in minutes: Integer 32, required, default 5 |
  /// | `Model3` | `Topic.content` is called `title`; its renaming identifier stays `content` |
  /// | `Model4` | `Topic.timeBudget` is in seconds, which only its hash modifier, `4`, tells |
  /// | `Model5` | `Member` takes the presenters; `TopicList.topics` is ordered |
  ///
  /// An inferred mapping model leaves minutes in `Model4` and loses the presenters in `Model5`: both require
  /// a mapping model.
  ///
  /// The mapping models compute minutes from the length of the content, convert them to seconds, and move presenters
  /// to members, in three parts divided by the first letter of the list. A topic without a list, or in a list whose
  /// title does not begin with a letter, belongs to no part. The policies create one member for each presenter, and
  /// no topic without a presenter.
  ///
  /// Source: `Docs/Facts/samples.md`, section 2, with the hashes of every version; demonstration 4.
  package static let topics = Sample(
    name: "Topics",
    summary: "adds, renames, changes a unit, moves presenters into an entity",
    versions: [
      "Model1": "Topics1.xml",
      "Model2": "Topics2.xml",
      "Model3": "Topics3.xml",
      "Model4": "Topics4.xml",
      "Model5": "Topics5.xml",
    ],
    current: "Model5",
    mappings: [
      "Model1ToModel2", "Model3ToModel4", "Model4ToModel5-1", "Model4ToModel5-2",
      "Model4ToModel5-3",
    ],
    policies: "Topics.policy", stages: "Topics.stages")
}
