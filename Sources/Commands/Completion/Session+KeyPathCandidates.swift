internal import StrataObjectModel
internal import StrataStore

extension Session {
  /// The properties that can continue the last key path in a predicate or list of sort keys.
  ///
  /// - Parameters:
  ///   - text: The typed part: `content = 'a' AND topicList.ti`.
  func keyPathCandidates(
    of text: String, entity: String, store: String
  ) -> [Completion.Candidate] {
    guard let model = (try? objects(of: store))?.model else { return [] }
    let path = text.suffixOfKeyPath
    var keys = path.split(separator: ".", omittingEmptySubsequences: false)
    keys.removeLast()
    var owner = entity
    for key in keys {
      guard let relationship = model.relationship(String(key), of: owner) else { return [] }
      owner = relationship.property.destinationName
    }
    let before = text.dropLast(path.count) + keys.map { $0 + "." }.joined()
    let names =
      model.allAttributes(of: owner).filter { !$0.property.isTransient }.map(\.property.name)
      + model.allRelationships(of: owner).map(\.property.name)
    return names.map { .init(before + $0, .continues) }
  }

  /// The names of the entities of the store, if it is the only argument.
  func entityNames(after arguments: [String]) -> [String] {
    guard arguments.count == 1 else { return [] }
    return (try? objects(of: arguments[0]))?.model.entityNames ?? []
  }

  /// The first keys of the objects of an entity, if a store and the entity are the only arguments.
  func objectKeys(after arguments: [String]) -> [String] {
    guard arguments.count == 2, let objects = try? objects(of: arguments[0]),
      objects.model[arguments[1]] != nil
    else { return [] }
    var keys: [String] = []
    try? objects.forEach(StoreQuery(entity: arguments[1])) { object in
      keys.append("p\(object.key)")
      return keys.count < 100
    }
    return keys
  }

  /// `name=` for each property that is not yet among the arguments, which begin with a store and an entity.
  func keyCandidates(after arguments: [String]) -> [Completion.Candidate] {
    guard arguments.count > 1, let model = try? reader(of: arguments[0]).model else { return [] }
    let attributes = model.allAttributes(of: arguments[1]).map(\.property)
      .filter { !$0.isTransient && !$0.isDerived }.flatMap { model.storedNames(of: $0) }
    return (attributes + model.allRelationships(of: arguments[1]).map(\.property.name))
      .map { $0 + "=" }.filter { key in !arguments.contains { $0.hasPrefix(key) } }
      .map { .init($0, .continues) }
  }
}

extension String {
  /// The longest suffix of the text that can be a key path.
  fileprivate var suffixOfKeyPath: Substring {
    let end = reversed().prefix { $0.isLetter || $0.isNumber || "_.".contains($0) }.count
    return suffix(end)
  }
}
