internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// `insert STORE ENTITY KEY=VALUE…`
struct Insert: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "insert", abstract: "Inserts one object into a store, validated as by Core Data.",
    discussion: """
      Values are written as `rows` shows them: 5, 2.5, YES, 2001-01-31T12:00:00Z, a UUID; binary data as \
      0x00ff or @file; nil is nil. For a String, @file is the UTF-8 text of a file; @@ begins a text with @. \
      The value of a relationship is one or more keys: topicList=p1, topics=p1,p4. Other properties get their \
      default values. The insertion is one transaction. The tables of persistent history are not changed.
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample(
      "a topic in a list", "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "insert lists.sqlite Topic content='How hashes work' presenterName=Ben topicList=p1",
      "rows lists.sqlite Topic --where \"content CONTAINS 'hashes'\"")
  ]

  @Argument(.store, "The store.") var store: String
  @Argument(.entity, "The entity.") var entity: String
  @Argument(.keyValue, "Its values: key=value.") var values: [String] = []
  @Option(.model, "The model that wrote the store, if it is neither cached nor loaded.")
  var model: String?
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let (path, model, found) = try session.changeable(store, model: model, entity: entity)
    guard !found.isAbstract else {
      throw Diagnostic(
        id: "store.abstractEntity", what: "\(entity) is abstract: it has no objects of its own",
        fix: "name one of \(Phrase.list(model.subentityNames(of: entity)))")
    }
    var insertion = StoreInsertion(entity)
    let names = ObjectNames(model: model, storePath: path)
    for text in values { try take(text, names, into: &insertion, session) }
    return try session.outcome(
      ofChanging: path, orRefusing: "not inserted",
      ["entity": entity, "changed": [] as JSONValue]
    ) {
      let (key, changed) = try Interruption.inOrder {
        try perform(insertion, at: path, model, session)
      }
      session.noteDone("inserted \(entity) p\(key) into \(session.shown(path))")
      let others = changed.map { "\($0.entity) p\($0.key)" }
      return Outcome(
        .line(
          "inserted " + StyledText("\(entity) p\(key)", .name)
            + StyledText(others.isEmpty ? "" : "; changed \(Phrase.list(others))")),
        json: ["entity": entity, "key": key, "changed": others])
    }
  }

  private func perform(
    _ insertion: StoreInsertion, at path: String, _ model: ObjectModel, _ session: Session
  ) throws -> (key: Int64, changed: [ObjectRef]) {
    guard try session.isWritableXML(path) else {
      return try insertion.perform(at: path, model: model, log: session.running?.statements)
    }
    return try XMLStore.rewrite(path) { xml in
      let (key, changed, document) = try insertion.perform(on: xml, model: model)
      return ((key, changed), document)
    }
  }

  private func take(
    _ text: String, _ objects: ObjectNames, into insertion: inout StoreInsertion,
    _ session: Session
  ) throws {
    let model = objects.model
    guard let sign = text.firstIndex(of: "=") else {
      throw Diagnostic(
        id: "command.usage", what: "\(text) is not key=value", fix: "example: name=Alesha")
    }
    let name = String(text[..<sign])
    let value = String(text[text.index(after: sign)...])
    guard insertion.attributes[name] == nil, insertion.relationships[name] == nil else {
      throw Diagnostic(
        id: "store.givenTwice", what: "\(name) is given twice", fix: "omit one of them")
    }
    if let relationship = model.relationship(name, of: entity)?.property {
      guard !relationship.isTransient else { throw notStored("\(entity).\(name)") }
      insertion.relationships[name] = try keys(value, of: relationship, objects)
      return
    }
    let attributes = model.allAttributes(of: entity).map(\.property)
    // An element of a composite attribute is named by its key path, place.street, or only by its name if no other
    // attribute or element has it.
    let stored = attributes.flatMap { model.storedAttributes(of: $0) }
    let elements = stored.filter { $0.name.hasSuffix(".\(name)") }
    guard
      let attribute = stored.first(where: { $0.name == name })
        ?? (elements.count == 1 ? elements[0] : nil)
    else {
      let names = stored.map(\.name) + model.allRelationships(of: entity).map(\.property.name)
      throw ModelEditError.unknownProperty(
        name, entity: entity, near: NearestName.of(name, in: names))
    }
    guard !attribute.isTransient, !attribute.isDerived else {
      throw notStored("\(entity).\(name)", isDerived: attribute.isDerived)
    }
    let typed = try TypedValue.parse(value, as: attribute, named: name) { file in
      do {
        return try FileBytes.read(session.path(file))
      } catch let error as FileError {
        throw error.diagnostic
      }
    }
    insertion.attributes[attribute.name] = typed
    guard case .real(let number) = typed, attribute.type == .decimal,
      TextualValue.areDifferent(decimals: value, String(number))
    else { return }
    session.warnOfRounding(to: number, name)
  }

  private func notStored(_ property: String, isDerived: Bool = false) -> Diagnostic {
    Diagnostic(
      id: "store.notStored", what: "\(property) is \(isDerived ? "derived" : "transient")",
      fix: "omit it: \(isDerived ? "the store computes it" : "it is not stored")")
  }

  private func keys(
    _ text: String, of relationship: Relationship, _ objects: ObjectNames
  ) throws -> [Int64] {
    guard text != "nil" else { return [] }
    let keys = try text.split(separator: ",").map { word in
      try objects.key(word.trimmed, of: relationship.destinationName)
    }
    guard Set(keys).count == keys.count else {
      throw Diagnostic(
        id: "store.givenTwice", what: "\(relationship.name) names an object twice",
        fix: "omit one of them")
    }
    guard relationship.isToMany || keys.count < 2 else {
      throw Diagnostic(
        id: "store.toOne",
        what: "\(entity).\(relationship.name) is a to-one relationship",
        fix: "name one key")
    }
    return keys
  }
}
