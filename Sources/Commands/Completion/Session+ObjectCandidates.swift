internal import StrataObjectModel
internal import StrataStore

/// The names of a store, as the preceding arguments choose it.
extension Session {
  /// The properties that can continue the last of several sort keys or columns.
  func keyPathCandidates(
    of text: String, in scope: ConditionScope?
  ) -> [Completion.Candidate] {
    let path = text.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
    let before = String(text.dropLast(path.count))
    return scope?.keyCandidates(of: path).map { candidate in
      var candidate = candidate
      candidate.ending = .continues
      return candidate.after(before)
    } ?? []
  }

  /// The words, tables and columns that can continue a query.
  func queryCandidates(of text: String, store: String) -> [Completion.Candidate] {
    let word = text.suffix(text.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.count)
    let before = String(text.dropLast(word.count))
    return (SQLCommand.words + SQLCommand.names(for: text, of: store, in: self))
      .filter { $0.lowercased().hasPrefix(word.lowercased()) }
      .map { .init(before + $0, $0.hasSuffix("(") ? .continues : .phrase, after: before) }
  }

  /// `Topic`, `Topic.title` and `Topic/p3.title`.
  func elementCandidates(of word: String, in model: ObjectModel) -> [Completion.Candidate] {
    guard let dot = word.lastIndex(of: ".") else {
      return model.entityNames.map { .init($0, .mayContinue) }
    }
    let (place, entity) = (String(word[...dot]), String(word[..<dot].prefix { $0 != "/" }))
    return ConditionScope(object: .init(name: entity, model: model)).keyCandidates(of: "")
      .map { .init(place + $0.name, after: place) }
  }

  /// The model of a store, or of a store of the stepper.
  func storeModel(_ store: String) -> ObjectModel? {
    try? reading(store, model: nil) { $0.model }
  }

  /// The names of the entities of the store, if it is the only argument.
  func entityNames(after arguments: [String]) -> [String] {
    guard arguments.count == 1 else { return [] }
    return storeModel(arguments[0])?.entityNames ?? []
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
    guard arguments.count > 1, let model = storeModel(arguments[0]) else { return [] }
    let attributes = model.allAttributes(of: arguments[1]).map(\.property)
      .filter { !$0.isTransient && !$0.isDerived }.flatMap { model.storedNames(of: $0) }
    return (attributes + model.allRelationships(of: arguments[1]).map(\.property.name))
      .map { $0 + "=" }.filter { key in !arguments.contains { $0.hasPrefix(key) } }
      .map { .init($0, .continues) }
  }
}
