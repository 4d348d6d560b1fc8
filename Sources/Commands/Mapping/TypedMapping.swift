internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel

/// A mapping model with the name that the user typed and the models that it names.
struct TypedMapping {
  var name: String
  var document: MappingDocument
  /// The models that the mapping model names or contains.
  var source: NamedModel?
  var destination: NamedModel?
  /// The references to these models in the session, if they can be resolved.
  var references: (source: String, destination: String)?

  /// The properties that its author omits, by entity mapping.
  var omitted: [String: Set<String>] = [:]

  /// The text that it was read from, if the text names no models: omitted properties are resolved later.
  var script: MappingScript?

  /// Whether it is a user's text, which Core Data cannot read; the texts of samples stand for compiled files
  /// that it can read.
  var isText = false

  /// The file that it was read from; `nil` for a generated mapping model.
  var file: MappingFile?

  /// The folder of its file.
  var folder: String? { file?.folder }

  var mapping: MappingModel { document.mapping }

  /// The direction, `from Model4 to Model5`, if known.
  var direction: String? {
    guard let source, let destination else { return nil }
    return "from \(source.name) to \(destination.name)"
  }

  /// The path of its file as a user types it.
  var shownPath: String?

  /// The mapping model for a choice among several, named by its file.
  var forChoice: NamedMappingModel {
    NamedMappingModel(
      name: name.split(separator: "/").last.map(String.init) ?? name, mapping: mapping,
      isReadByCoreData: !isText, source: document.sourcePath == nil ? nil : source,
      destination: document.destinationPath == nil ? nil : destination, path: shownPath)
  }

  /// The mapping model for a migration between two given models.
  ///
  /// - Throws: ``LineError`` if the text omits properties that the destination does not have.
  func forChoice(from source: NamedModel, to destination: NamedModel) throws -> NamedMappingModel {
    var chosen = forChoice
    chosen.isReadByCoreData = true
    if let script {
      chosen.mapping = try script.mapping(
        from: MatchableModel(source.model), to: MatchableModel(destination.model))
    }
    return chosen
  }

  /// Updates the hashes to those of the current models; expressions are kept.
  ///
  /// - Parameter old: The destination model in the file.
  mutating func refresh(since old: ObjectModel?) {
    guard let source, let destination else { return }
    document.mapping = mapping.refreshed(
      from: MatchableModel(source.model), to: MatchableModel(destination.model), since: old)
  }

  /// The warnings about content of its file that Strata ignores.
  var warnings: [Diagnostic] {
    document.leftOut.sorted().map {
      Diagnostic(
        id: "mapping.leftOut", severity: .warning, what: "\(name) contains \($0), which is ignored",
        fix: "keep the file: a copy written by Strata does not contain it")
    }
  }

  /// The error that it has no entity mapping of this name.
  func unknown(entityMapping name: String) -> Diagnostic {
    let names = mapping.entityMappings.map(\.name)
    return Diagnostic(
      id: "mapping.unknownEntityMapping", what: "\(self.name) has no entity mapping \(name)",
      fix: NearestName.of(name, in: names).map(NearestName.question)
        ?? "it has \(Phrase.list(names))")
  }
}
