internal import StrataArchives
internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering

/// Writes a mapping model as Xcode's document, as text or as a skeleton of its policies, by the file name.
struct MappingWriter {
  private let named: TypedMapping
  /// The mapping model before the update of its hashes.
  private var old: MappingModel?
  /// The properties that cannot be inferred and were left out.
  private var leftOut: [(location: String, text: String)] = []

  /// - Parameter old: The mapping model before the update of its hashes.
  init(_ named: TypedMapping, since old: MappingModel? = nil) {
    self.named = named
    self.old = old
  }

  /// The mapping model between two models, as a start for its author.
  init(
    startingFrom source: NamedModel, to destination: NamedModel,
    references: (source: String, destination: String)
  ) {
    let mapping = MappingModel(
      startingFrom: MatchableModel(source.model), to: MatchableModel(destination.model))
    leftOut = Inference(from: source.model, to: destination.model).obstacles.compactMap {
      obstacle in
      guard case .incompatibleTypes(let old, let new) = obstacle.inferenceRule else { return nil }
      return (obstacle.location.description, "\(obstacle.location), \(old) -> \(new)")
    }
    named = TypedMapping(
      name: "\(source.versionName)To\(destination.versionName)",
      document: MappingDocument(
        mapping, sourcePath: references.source, destinationPath: references.destination,
        sourceModel: source.model, destinationModel: destination.model),
      source: source, destination: destination, references: references)
  }

  func write(to typed: String, force: Bool, in session: Session) throws -> Outcome {
    let name = typed.hasSuffix("/") ? String(typed.dropLast()) : typed
    var update = FolderUpdate()
    var note = StyledText("")
    var warnings = named.warnings
    try named.mapping.checkCounts()
    if name.hasSuffix(Session.xcodeMappingExtension) {
      let bytes = try xcodeDocument()
      if try !Self.holdsModels(bytes) {
        let isKnown = named.document.sourceModel != nil
        note = StyledText(
          "; without the models, which are \(isKnown ? "left out" : "not known")", .faint)
        warnings.append(
          Diagnostic(
            id: "mapping.withoutHashes", severity: .warning,
            what:
              "\(name) has no version hashes, by which Core Data chooses a mapping model for a store\(isKnown ? ": they follow from its models, which are too large, or have a derived or composite attribute, whose form in an .xcmappingmodel is not known" : "")",
            fix: isKnown
              ? "open it in Xcode and save it, which adds the models"
              : "name both models: `mapping write MAPPING \(CommandLineLexer.quoted(name)) --from VERSION --to VERSION --force`"
          ))
      }
      let path = try session.newPath(name, as: .mappingModel, force: force)
      update.write(bytes, to: "\(path)/\(MappingDocument.fileName)")
    } else if name.hasSuffix(Session.mappingTextExtension) {
      let path = try session.newPath(name, as: .mappingModel, force: force)
      let (text, isWhole) = text(in: session)
      update.write(Array(text.utf8), to: path)
      if !isWhole {
        warnings.append(
          Diagnostic(
            id: "mapping.unknownOmissions", severity: .warning,
            what:
              "a property that \(named.name) does not map is mapped automatically by the text: which these are is not known without the models",
            fix: "`load` the bundle with both versions, then write the text again with --force"))
      }
    } else if name.hasSuffix(Session.policyExtension) {
      return try writePolicies(to: name, force: force, in: session)
    } else {
      throw Diagnostic(
        id: "command.usage", what: "\(typed) is not a valid name for a mapping model",
        fix:
          "end the name in \(Session.xcodeMappingExtension), in \(Session.mappingTextExtension) for the text form, or in \(Session.policyExtension) for a skeleton of its policies"
      )
    }
    try update.commit()
    let count = named.mapping.entityMappings.count
    return Outcome(
      .line(
        "wrote " + StyledText(name, .name)
          + StyledText(": \(Phrase.count(count, "entity mapping"))") + note
          + StyledText(changes.map { "; \($0)" } ?? "")
          + StyledText(
            leftOut.isEmpty
              ? "" : "; to be mapped by hand: \(leftOut.map(\.text).joined(separator: ", "))",
            .warning)),
      json: ["path": name], warnings: warnings + faults(in: name))
  }

  /// The changes of an update: `new hashes in BookToBook, BookToBook.author is mapped automatically`.
  private var changes: String? {
    guard let old else { return nil }
    let pairs = zip(old.entityMappings, named.mapping.entityMappings)
    let stale = pairs.filter {
      $0.sourceHash != $1.sourceHash || $0.destinationHash != $1.destinationHash
    }.map(\.1.name)
    let added = pairs.flatMap { before, after in
      let known = Set((before.attributeMappings + before.relationshipMappings).map(\.name))
      return (after.attributeMappings + after.relationshipMappings).map(\.name)
        .filter { !known.contains($0) }.map { "\(after.name).\($0)" }
    }
    let clauses = [
      stale.isEmpty ? "no hash changed" : "new hashes in \(Phrase.list(stale))",
      added.isEmpty
        ? nil : "\(Phrase.list(added)) \(added.count == 1 ? "is" : "are") mapped automatically",
    ]
    return clauses.compactMap { $0 }.joined(separator: ", ")
  }

  /// The warnings about mappings of elements that an edit has removed.
  private func faults(in path: String) -> [Diagnostic] {
    guard old != nil, let source = named.source, let destination = named.destination else {
      return []
    }
    let errors = MappingLint(
      [named.mapping], from: MatchableModel(source.model), to: MatchableModel(destination.model)
    ).findings.filter { $0.severity == .error }
    guard !errors.isEmpty else { return [] }
    return [
      Diagnostic(
        id: "mapping.refreshedWithErrors", severity: .warning,
        what:
          "\(path) does not fit these models yet: \(Phrase.count(errors.count, "error"))",
        fix: "`mapping lint \(CommandLineLexer.quoted(path))` lists them")
    ]
  }

  /// Writes a skeleton of the policies that the mapping model names.
  private func writePolicies(
    to name: String, force: Bool, in session: Session
  ) throws -> Outcome {
    let skeleton = PolicySkeleton(
      of: named.mapping, named: named.forChoice.name, from: named.source?.model,
      to: named.destination?.model)
    guard !skeleton.text.isEmpty else {
      throw Diagnostic(
        id: "mapping.noPolicies", what: "no entity mapping of \(named.name) names a policy",
        fix: "it needs no policy file")
    }
    try FolderUpdate.write(
      Array(skeleton.text.utf8), to: try session.newPath(name, as: .policies, force: force))
    let count = named.mapping.entityMappings.count { $0.policyName != nil }
    return Outcome(
      .line(
        "wrote " + StyledText(name, .name)
          + StyledText(
            ": \(Phrase.count(count, "policy", "policies")) with the default behavior of the mapping model"
          )), json: ["path": name])
  }

  /// The text with the hashes of its models, and with their names in the session if they can be resolved; and whether
  /// it has all properties without mappings.
  private func text(in session: Session) -> (text: String, isWhole: Bool) {
    guard
      let references = named.references ?? session.names(ofModelsOf: named)
        ?? typedReferences(in: session),
      let destination = named.destination ?? (try? session.model(references.destination))
    else { return (MappingText(named.mapping, omitted: omitted ?? [:]).text, omitted != nil) }
    let models = MappingText.Models(
      references.source, references.destination, destination.model)
    return (MappingText(named.mapping, models: models).text, true)
  }

  /// The references of a text, if they name models here too.
  private func typedReferences(in session: Session) -> (source: String, destination: String)? {
    guard named.isText, let source = named.document.sourcePath,
      let destination = named.document.destinationPath, (try? session.model(source)) != nil,
      (try? session.model(destination)) != nil
    else { return nil }
    return (source, destination)
  }

  /// The properties without mappings, by entity mapping, if no model in the session tells them; `nil` if the file does
  /// not either: a compiled one contains no models.
  private var omitted: [String: Set<String>]? {
    if named.isText { return named.omitted }
    return (named.destination?.model ?? named.document.destinationModel).map { destination in
      Dictionary(
        first: named.mapping.entityMappings.map {
          ($0.name, MappingText.unmapped(in: $0, of: destination))
        })
    }
  }

  /// The bytes of Xcode's document.
  func xcodeDocument() throws -> [UInt8] {
    var document = named.document
    document.sourcePath = document.sourcePath.map(Self.projectPath)
    document.destinationPath = document.destinationPath.map(Self.projectPath)
    // The identifier depends on the content only, so that writing it again changes nothing.
    var random = SeededRandom(seed: MappingText(named.mapping).text)
    return try document.xcodeDocument(uuid: random.uuidText()).encoded()
  }

  /// The project path of a reference: `Topics.xcdatamodeld/Model1.xcdatamodel` for `Topics/Model1`.
  private static func projectPath(_ reference: String) -> String {
    let end = BundleForm.source.versionExtension
    guard !reference.hasSuffix(end) else { return reference }
    let prefix = [Session.samplePrefix, Session.trialPrefix].first { reference.hasPrefix($0) }
    let plain = String(reference.dropFirst(prefix?.count ?? 0))
    let parts = plain.split(separator: "/").map(String.init)
    guard parts.count > 1 else { return plain + end }
    let bundle = BundleForm.source.bundleExtension
    let folder = parts[parts.count - 2]
    let named = folder.hasSuffix(bundle) ? folder : folder + bundle
    return (parts.dropLast(2) + [named, parts[parts.count - 1] + end]).joined(separator: "/")
  }

  private static func holdsModels(_ bytes: [UInt8]) throws -> Bool {
    try MappingDocument(reading: bytes).sourceModel != nil
  }
}
