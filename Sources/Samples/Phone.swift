internal import StrataBase

extension SampleStore {
  /// The talks of a conference, as the first version of the app saved them on a phone.
  ///
  /// The mapping models of Topics give p1 (20 characters) 4 minutes and p2 (26) 5: 5.2 is truncated. The rocket of
  /// p9 is one character and two UTF-16 units. Three presenters give several talks, one of them under two e-mail
  /// addresses. A migration by the three parts of `Model4ToModel5` loses the list that begins with a digit, and the
  /// topics in it or in no list.
  static let phone = SampleStore(
    name: "Phone",
    summary: "9 conference talks in 4 lists, one talk in none",
    sample: .topics, version: "Model1",
    objects: [
      list(1, "Core Data"), list(3, "Migration"), list(4, "SQLite"), list(6, "2027"),
      topic(1, "How hashes are made.", 791_717_400, "Alesha", "alesha@example.com", in: 1),
      topic(2, "Why a store does not open.", 791_820_000, "Ben", nil, in: 1),
      topic(4, "Three passes", 794_136_600, "Alesha", "alesha@example.com", in: 3),
      topic(5, "What a policy can do", 794_333_700, "Mirai", "mirai@example.com", in: 3),
      topic(6, "Renaming without loss", 794_743_200, "Ben", "ben@example.com", in: 3),
      topic(8, "The journal of a database", 795_348_000, "Oluchi", "oluchi@example.com", in: 4),
      topic(9, "Ship it 🚀", 795_447_000, "Mirai", "mirai@example.com", in: 4),
      topic(11, "Ideas for next year", 796_737_600, "Alesha", "alesha@example.com", in: 6),
      topic(12, "Lost and found", nil, "Noor", nil, in: nil),
    ],
    highestKeys: ["Topic": 14])

  private static func list(_ key: Int64, _ title: String) -> Object {
    Object("TopicList", key, ["title": .text(title)])
  }

  private static func topic(
    _ key: Int64, _ content: String, _ date: Int64?, _ presenter: String, _ email: String?,
    in list: Int64?
  ) -> Object {
    Object(
      "Topic", key,
      [
        "content": .text(content), "dateCreated": date.map { .integer($0) },
        "presenterName": .text(presenter), "presenterEmail": email.map { .text($0) },
        "topicList": list.map { .integer($0) },
      ])
  }
}
