internal import StrataObjectModel

/// The objects that an answer showed, which `_` means in the next line.
struct ShownObjects: Sendable, Hashable {
  var store = ""
  var entity = ""
  var keys: [Int64] = []

  /// Whether a command asks the same store and compares with objects of the same entity or one of its hierarchy:
  /// those that it asks for, or those of a relationship.
  func isMeant(by words: [String], in session: Session) -> Bool {
    guard words.count > 2, words[1] == store || session.isSameStore(words[1], store) else {
      return false
    }
    guard let model = session.storeModel(store) else { return true }
    let comparison = /([\w.]+)\s*(?:IN|==?|!=|<>)\s*_(?![\w.])/.ignoresCase()
    return words.allSatisfy { word in
      word.matches(of: comparison).allSatisfy { match in
        Self.entity(at: match.1, from: words[2], in: model).map { other in
          model.rootName(of: other) == model.rootName(of: entity)
        } ?? true
      }
    }
  }

  /// The entity of the objects at a key path; `nil` if it leads to none.
  private static func entity(
    at path: Substring, from entity: String, in model: ObjectModel
  ) -> String? {
    path.split(separator: ".").reduce(Optional(entity)) { entity, key in
      guard let entity, key.uppercased() != "SELF" else { return entity }
      return model.relationship(String(key), of: entity)?.property.destinationName
    }
  }
}

extension Session {
  fileprivate func isSameStore(_ name: String, _ other: String) -> Bool {
    guard let path = try? store(name).path else { return false }
    return path == (try? store(other).path)
  }
}
