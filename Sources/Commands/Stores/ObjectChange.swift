internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// What `insert` and `delete` have in common.
extension Session {
  /// Whether a store is an XML document, which is rewritten as a whole; otherwise it is a SQLite store.
  ///
  /// - Throws: ``StoreError/binaryReadOnly``.
  func isWritableXML(_ path: String) throws(StoreError) -> Bool {
    let form = StoreForm(of: path)
    guard form != .binary else { throw .binaryReadOnly }
    return form == .xml
  }
}

extension Session {
  /// The file of a store that is to be changed, its model, and an entity of the model.
  func changeable(
    _ store: String, model: String?, entity: String
  ) throws -> (path: String, model: ObjectModel, entity: Entity) {
    let path = try writable(self.store(store).path)
    let model = try reader(of: store, model: model).model
    return (path, model, try model.existingEntity(entity))
  }

  /// The outcome of a change of a store.
  ///
  /// - Parameter unchanged: The JSON for a change that Core Data would not save, without the problems.
  func outcome(
    ofChanging path: String, orRefusing what: String,
    _ unchanged: JSONValue.Members, _ change: () throws -> Outcome
  ) throws -> Outcome {
    do {
      return try change()
    } catch let refusal as RefusedChange {
      return refusal.outcome(what, unchanged)
    } catch let error as StoreError {
      throw error.diagnostic.located(in: shown(path))
    }
  }
}

extension XMLStore {
  /// Rewrites the document of an XML store, alone in its folder.
  static func rewrite<Answer>(
    _ path: String, _ change: (XMLStore) throws -> (Answer, XMLDatabase)
  ) throws -> Answer {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return try FolderLock.whileAlone(in: folder) {
      let (answer, document) = try change(XMLStore(reading: path))
      try document.write(to: path, replacing: true)
      return answer
    }
  }
}

extension RefusedChange {
  /// The output of a change that was not made, after which a script stops.
  fileprivate func outcome(_ what: String, _ unchanged: JSONValue.Members) -> Outcome {
    Outcome(
      .stack([
        .line(
          StyledText(what, .error)
            + StyledText(": Core Data would not save this; the store is unchanged")),
        problems.view,
      ]), json: .object(unchanged + ["problems": problems.validationJSON]), status: .failed)
  }
}
