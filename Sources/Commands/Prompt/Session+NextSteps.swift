internal import StrataBase
internal import StrataObjectModel
package import StrataRendering

extension Session {
  /// What to try, as a table.
  package func suggestion(_ title: String) -> View {
    .table(
      columns: [.init(title), .init("")],
      rows: nextSteps.map { [StyledText($0.command, .name), StyledText($0.meaning)] })
  }

  /// Three commands that fit what is loaded, and what each is for.
  var nextSteps: [(command: String, meaning: String)] {
    func command(_ words: String...) -> String { CommandLineLexer.line(of: words) }
    guard !isStepping else {
      return [
        ("next", "one entity mapping, or one statement"),
        ("explain", "what the next step is for"),
        ("source", "the current object in the old store"),
      ]
    }
    let store = loaded.last { $0.kind.form == .store }?.name
    let model = loaded.last { $0.kind.form == .model }
    if let store {
      let entity = storeModel(store)?.entityNames.first
      return [
        entity.map { (command("rows", store, $0), "its objects") } ?? (
          command("show", store), "what it contains"
        ),
        (command("identify", store), "the version that wrote it"),
        model.map { (command("plan", store, "--to", $0.name), "how it is migrated") }
          ?? ("load MODEL", "the model to migrate it to"),
      ]
    }
    guard let model else {
      return [
        ("load sample:Topics", "five versions of a small model"),
        ("lesson versions", "why a store and a model do not fit"),
        ("load PATH", "your .xcdatamodeld, .momd or store"),
      ]
    }
    let names = namesByLength().compactMap { name, target -> String? in
      guard case .version(_, let bundle?) = target, model.kind == .bundle(bundle),
        name.hasPrefix(model.name + "/")
      else { return nil }
      return name
    }.sorted { $0.precedesByNumber($1) }.suffix(2)
    return [
      (command("show", model.name), "its entities and properties"),
      names.count == 2
        ? (
          command("diff", names.first ?? "", names.last ?? ""), "what changed between two versions"
        )
        : (command("hash", model.name), "its version hashes"),
      ("load STORE", "a store of the app; `help create` makes one"),
    ]
  }
}
