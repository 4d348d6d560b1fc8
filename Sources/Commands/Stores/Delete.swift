internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// `delete STORE ENTITY KEY`
struct Delete: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "delete",
    abstract: "Deletes one object from a store by the delete rules of the model.",
    discussion: """
      Cascade deletes the objects of the relationship too, Deny refuses while there are any, Nullify clears \
      their inverse, and No Action leaves it: the answer names the keys that remain. An XML store cannot \
      keep them: they are cleared. The objects that lose one are validated as by Core Data. The key is not \
      used again. The deletion is one transaction. The tables of persistent history are not changed.
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample(
      "a recipe and its ingredients", "create kitchen.sqlite --copy sample:Kitchen",
      "delete kitchen.sqlite Recipe p3", "rows kitchen.sqlite Chef")
  ]

  @Argument(.store, "The store.") var store: String
  @Argument(.entity, "The entity of the object, or an ancestor of it; or the object: Topic/p3.")
  var entity: String
  @Argument(.objectKey, "The object, as `rows` shows its key: p3.") var key: String?
  @Option(.model, "The model that wrote the store, if it is neither cached nor loaded.")
  var model: String?
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard (key == nil) == (ObjectRef(entity) != nil) else {
      throw ValidationError("name one object, by entity and key or as Topic/p3")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    let object = ObjectRef(entity)
    let entity = object?.entity ?? entity
    let key = key ?? "p\(object?.key ?? 0)"
    let (path, model, _) = try session.changeable(store, model: model, entity: entity)
    let number = try ObjectNames(model: model, storePath: path).key(key, of: entity)
    let none: JSONValue = []
    return try session.outcome(
      ofChanging: path, orRefusing: "not deleted",
      ["deleted": none, "changed": none, "keysLeft": none]
    ) {
      let result = try Interruption.inOrder {
        try perform(StoreDeletion(entity, number), at: path, model, session)
      }
      session.noteDone("deleted \(entity) p\(number) from \(session.shown(path))")
      return outcome(of: result)
    }
  }

  private func perform(
    _ deletion: StoreDeletion, at path: String, _ model: ObjectModel, _ session: Session
  ) throws -> StoreDeletion.Result {
    guard try session.isWritableXML(path) else {
      return try deletion.perform(at: path, model: model, log: session.running?.statements)
    }
    return try XMLStore.rewrite(path) { xml in try deletion.perform(on: xml, model: model) }
  }

  private func outcome(of result: StoreDeletion.Result) -> Outcome {
    func names(_ objects: some Sequence<ObjectRef>) -> [String] {
      objects.map { "\($0.entity) p\($0.key)" }
    }
    let (deleted, changed) = (names(result.deleted), names(result.changed))
    var text = "deleted " + StyledText(deleted[0], .name)
    if deleted.count > 1 {
      text += StyledText("; by Cascade also \(Phrase.list(Array(deleted.dropFirst())))")
    }
    if !changed.isEmpty { text += StyledText("; changed \(Phrase.list(changed))") }
    return Outcome(
      .line(text),
      json: [
        "deleted": deleted, "changed": changed, "keysLeft": result.left.map(\.location),
      ],
      warnings: result.left.map(\.warning))
  }
}

extension StoreDeletion.LeftKey {
  fileprivate var location: String { "\(object.entity) p\(object.key) \(relationship)" }

  fileprivate var warning: Diagnostic {
    Diagnostic(
      id: "store.keyLeft", severity: .warning,
      what:
        "still has the key p\(destination.key) of a deleted \(destination.entity): "
        + (hasInverse
          ? "the delete rule of the inverse is No Action"
          : "without an inverse, Core Data does not clear it"),
      location: Location(element: location),
      fix: hasInverse
        ? "clear the relationship before the object is deleted, or change the rule to Nullify"
        : "give the relationship an inverse")
  }
}
