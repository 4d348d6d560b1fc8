internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// `create STORE --copy STORE`
extension Create {
  /// Copies a store with its external binary data; the copy has the UUID of the original.
  func copy(_ original: String, in session: Session) throws -> Outcome {
    let (name, path) = try session.store(original)
    let target = try session.newPath(self.path, as: .store, force: force)
    try session.checkApart(
      target, self.path, from: path, option: "the copy", isStore: true)
    let metadata = try session.open(path).metadata
    do {
      _ = try Interruption.inOrder {
        try StoreFile.create(at: target, replacing: force) { staged in
          guard session.isAtomicStore(path) else {
            return try session.open(path).copyWhole(to: staged)
          }
          try FileCopy.copy(path, to: staged)
        }
      }
    } catch let error as StoreError {
      throw error.diagnostic.located(in: session.shown(target))
    }
    session.noteDone("created \(session.shown(target))")
    // The name promises another type.
    let isXML = metadata.type == "XML"
    let type =
      NewStoreFile.isXML(target) == isXML
      ? "" : ", \(isXML ? "an XML" : "a \(metadata.type ?? "SQLite")") store"
    return Outcome(
      .line("created " + StyledText(self.path, .name) + StyledText(": a copy of \(name)\(type)")),
      json: .object(withoutNull: [
        "store": self.path, "copyOf": name, "uuid": metadata.uuid,
        "framework": metadata.frameworkVersion,
      ]))
  }
}
