/// Small turns of phrase that several commands share.
enum Words {
  /// `1 entity`, `3 entities`.
  static func count(_ number: Int, _ singular: String, _ plural: String) -> String {
    "\(number) \(number == 1 ? singular : plural)"
  }

  /// `Topic`, `Topic and TopicList`, `A, B and C`.
  static func list(_ names: [String]) -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}
