extension Sample {
  /// The mapping models of Topics: minutes computed from the length of the content, minutes converted to
  /// seconds, and presenters moved to members, in three parts divided by the first letter of the list.
  ///
  /// A topic without a list, or in a list whose title does not begin with a letter, belongs to no part.
  ///
  /// Source: `Docs/Facts/samples.md`, section 2, demonstration 4.
  static let topicsMappings =
    [
      SampleMapping(
        name: "Model1ToModel2",
        text: """
          mapping from sample:Topics/Model1 to sample:Topics/Model2

          TopicToTopic: Topic -> Topic
            # length counts UTF-16 units; the product is cut to a whole number
            timeBudget = $source.content.length * 0.2

          TopicListToTopicList: TopicList -> TopicList

          """),
      SampleMapping(
        name: "Model3ToModel4",
        text: """
          mapping from sample:Topics/Model3 to sample:Topics/Model4

          TopicToTopic: Topic -> Topic
            timeBudget = $source.timeBudget * 60

          TopicListToTopicList: TopicList -> TopicList

          """),
    ]
    + ["a-hA-H", "i-pI-P", "q-zQ-Z"].enumerated().map { index, letters in
      SampleMapping(
        name: "Model4ToModel5-\(index + 1)",
        text: """
          mapping from sample:Topics/Model4 to sample:Topics/Model5

          # Created by the policy of TopicToTopic, one for each presenter.
          Member: -> Member

          TopicToTopic: Topic -> Topic
            where topicList.title MATCHES '[\(letters)].*'
            policy TopicToTopic

          TopicListToTopicList: TopicList -> TopicList
            where title MATCHES '[\(letters)].*'

          """)
    }

  /// The policies: one member for each presenter, and no topic without a presenter.
  static let topicsPolicies = """
    policy TopicToTopic
      in relationships: set presenter = find or create Member where firstName == $source.presenterName
                        with email = $source.presenterEmail
      in validation: require presenter != nil, "no presenter for \\(title)"

    """
}
