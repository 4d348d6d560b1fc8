internal import StrataMigration
internal import StrataObjectModel

/// Names for commands that are printed: what answers call a model leads to it only where its bundle is loaded.
extension Session {
  /// How a store is named in a printed command: by its path as the user named it, not by the name of the file alone.
  ///
  /// - Parameter name: How answers call it.
  func typable(store name: String, _ path: String) -> String {
    CommandLineLexer.quoted(loaded.contains { $0.name == name } ? name : shown(path))
  }

  /// The advice to load a bundle; `nil` in a shell command, after which nothing stays loaded.
  var loadingAdvice: String? { keepsAnswers ? "`load <bundle>`" : nil }

  /// The same plan, whose models can be named on a command line.
  ///
  /// - Parameter references: How the user named the store and the models.
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
    func leads(_ text: String) -> Bool {
      (try? self.model(text))?.model.versionHashes() == hashes
    }
    guard !leads(model.name) else { return model }
    let versions = references.map { reference in
      let bundle = BundleForm.parts(ofPath: reference)?.bundle ?? reference
      return "\(bundle.hasSuffix("/") ? String(bundle.dropLast()) : bundle)/\(model.versionName)"
    }
    var typable = model
    typable.reference = (versions + references).first(where: leads)
    return typable
  }
}
