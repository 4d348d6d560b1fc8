internal import StrataObjectModel

/// The objects that an answer showed, which `_` means in the next line.
struct ShownObjects: Sendable, Hashable {
  var store = ""
  var entity = ""
  var keys: [Int64] = []

  /// Whether a command asks the same store and, if it compares the objects themselves, the same entity or one of its
  /// hierarchy.
  func isMeant(by words: [String], in session: Session) -> Bool {
    guard words.count > 2, words[1] == store || session.isSameStore(words[1], store) else {
      return false
    }
    guard words.contains(where: { $0.contains(/\bSELF\s*(IN|==?|!=|<>)\s*_/.ignoresCase()) }),
      words[2] != entity, let model = session.storeModel(store)
    else { return true }
    return model.rootName(of: words[2]) == model.rootName(of: entity)
  }
}

extension Session {
  fileprivate func isSameStore(_ name: String, _ other: String) -> Bool {
    guard let path = try? store(name).path else { return false }
    return path == (try? store(other).path)
  }
}
