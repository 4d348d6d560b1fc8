internal import StrataMigration
internal import StrataObjectModel

/// Names for printed commands: the name of a model in answers is usable only if its bundle is loaded.
extension Session {
  /// The name of a store in a printed command: the path as the user typed it, not only the file name.
  ///
  /// - Parameter name: The name in answers.
  func typable(store name: String, _ path: String) -> String {
    CommandLineLexer.quoted(loaded.contains { $0.name == name } ? name : shown(path))
  }

  /// The advice to load a bundle; `nil` in a shell command, because nothing remains loaded after it.
  var loadingAdvice: String? { keepsAnswers ? "`load <bundle>`" : nil }

  /// The plan with names of models that can be used on a command line.
  ///
  /// - Parameter references: The references to the store and the models as the user typed them.
  func typable(_ plan: MigrationPlan, _ references: [String]) -> MigrationPlan {
    var plan = plan
    for index in plan.hops.indices {
      plan.hops[index].from = typable(plan.hops[index].from, references)
      plan.hops[index].to = typable(plan.hops[index].to, references)
    }
    return plan
  }

  func typable(_ model: NamedModel, _ references: [String]) -> NamedModel {
    let hashes = model.model.versionHashes()
    func resolves(_ text: String) -> Bool {
      (try? self.model(text))?.model.versionHashes() == hashes
    }
    guard !resolves(model.name) else { return model }
    let versions = references.map { reference in
      let bundle = BundleForm.parts(ofPath: reference)?.bundle ?? reference
      return "\(bundle.hasSuffix("/") ? String(bundle.dropLast()) : bundle)/\(model.versionName)"
    }
    var typable = model
    typable.reference = (versions + references).first(where: resolves)
    return typable
  }
}
