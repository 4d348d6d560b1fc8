internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel

/// A mapping model that was read, under the name that its user gave it, with the models that it names.
struct NamedMapping {
  var name: String
  var document: MappingDocument
  /// The models that the mapping model itself names or holds.
  var source: NamedModel?
  var destination: NamedModel?
  /// What the session calls these models, where it can be asked for them.
  var references: (source: String, destination: String)?

  /// Properties that its author leaves out on purpose, by entity mapping.
  var omitted: [String: Set<String>] = [:]

  /// The text that it was read from, where it names no models: what it leaves out waits for some.
  var script: MappingScript?

  /// Whether it is a text that a user wrote, which Core Data cannot read; the texts of samples stand for files
  /// that it can.
  var isText = false

  /// Where it was read from; `nil` for what was made here.
  var file: MappingFile?

  /// The folder that holds its file.
  var folder: String? { file?.folder }

  var mapping: MappingModel { document.mapping }

  /// `from Model4 to Model5`, where it says.
  var direction: String? {
    guard let source, let destination else { return nil }
    return "from \(source.name) to \(destination.name)"
  }

  /// As a user names its file.
  var shownPath: String?

  /// For choosing among several: by the name of its file.
  var forChoice: NamedMappingModel {
    NamedMappingModel(
      name: name.split(separator: "/").last.map(String.init) ?? name, mapping: mapping,
      isReadByCoreData: !isText, source: document.sourcePath == nil ? nil : source,
      destination: document.destinationPath == nil ? nil : destination, path: shownPath)
  }

  /// For a migration between two models by the user's own choice.
  ///
  /// - Throws: ``LineError`` where the text leaves out properties that the destination lacks.
  func forChoice(from source: NamedModel, to destination: NamedModel) throws -> NamedMappingModel {
    var chosen = forChoice
    chosen.isReadByCoreData = true
    if let script {
      chosen.mapping = try script.mapping(
        from: MatchableModel(source.model), to: MatchableModel(destination.model))
    }
    return chosen
  }

  /// Puts in the hashes of its models as they are now; expressions stay.
  ///
  /// - Parameter old: The destination as its file has it.
  mutating func refresh(since old: ObjectModel?) {
    guard let source, let destination else { return }
    document.mapping = mapping.refreshed(
      from: MatchableModel(source.model), to: MatchableModel(destination.model), since: old)
  }

  /// What of its file is not in it.
  var warnings: [Diagnostic] {
    document.leftOut.sorted().map {
      Diagnostic(
        id: "mapping.leftOut", severity: .warning, what: "\(name) holds \($0), which is left out",
        fix: "keep the file: what is written of it here lacks that")
    }
  }

  /// Says that it has no such entity mapping.
  func unknown(entityMapping name: String) -> Diagnostic {
    let names = mapping.entityMappings.map(\.name)
    return Diagnostic(
      id: "mapping.unknownEntityMapping", what: "\(self.name) has no entity mapping \(name)",
      fix: NearestName.of(name, in: names).map(NearestName.question)
        ?? "it has \(Words.list(names))")
  }
}
