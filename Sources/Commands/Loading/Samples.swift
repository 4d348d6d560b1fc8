internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSamples
internal import Synchronization

/// The command `samples [--write FOLDER]`.
struct Samples: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "samples",
    abstract: "Lists the built-in samples, or writes the models as bundles.",
    discussion: """
      A sample store is named wherever a store is: `rows sample:Kitchen Recipe`. It cannot be changed; \
      `create FILE --copy sample:Kitchen` makes a copy that can.
      """)
  static let changesFiles = true
  static let examples = [CommandExample("the built-in samples", "samples")]

  @Option(
    .folder,
    "Write each sample model as an .xcdatamodeld, with its mapping models, policies and stages, into this folder, which is created if it does not exist."
  )
  var write: String?
  @Flag(help: "Replace existing files.") var force = false
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    if let write { return try Self.write(to: write, force: force, in: session) }
    let rows: [[StyledText]] = Sample.all.map { sample in
      [
        StyledText(Session.samplePrefix + sample.name, .name),
        StyledText(Phrase.count(sample.bundle.versions.count, "version")),
        StyledText(
          sample.mappings.isEmpty
            ? "" : Phrase.count(sample.mappings.count, "mapping model")),
        StyledText(sample.summary),
      ]
    }
    let stores: [[StyledText]] = SampleStore.all.map { store in
      [
        StyledText(Session.samplePrefix + store.name, .name),
        "store", StyledText("\(store.sample.name)/\(store.version)"),
        StyledText(store.summary),
      ]
    }
    let items =
      Sample.all.map { LoadedItem(name: $0.name, kind: .bundle($0.bundle)) }
      + SampleStore.all.map { LoadedItem(name: $0.name, kind: .store("")) }
    return Outcome(.table(rows: rows + stores), json: items.json(\.json))
  }

  private typealias MappingDocuments = [(name: String, bytes: [UInt8])]
  private static let encoded = Mutex<MappingDocuments?>(nil)

  /// The mapping models of all samples as Xcode's documents: they never change and take most of the time.
  private static func mappingDocuments(in session: Session) throws -> MappingDocuments {
    if let known = encoded.withLock({ $0 }) { return known }
    let documents = try Sample.all.flatMap(\.mappings).map { mapping in
      let file = MappingFile(name: mapping.name, source: .embedded(mapping.text))
      return (mapping.name, try MappingWriter(session.mapping(of: file)).xcodeDocument())
    }
    encoded.withLock { $0 = documents }
    return documents
  }

  private static func write(
    to folder: String, force: Bool, in session: Session
  ) throws -> Outcome {
    _ = try session.absolutePath(folder)
    var written: [String] = []
    var writer = ModelFolderWriter()
    for sample in Sample.all {
      let bundle = "\(folder)/\(sample.name).xcdatamodeld"
      let path = try session.newPath(bundle, as: .model, force: force, isPart: true)
      for version in sample.bundle.versions {
        let name = "\(version.name).xcdatamodel"
        try WrittenKind.model.check("\(path)/\(name)", typedAs: "\(bundle)/\(name)")
        try writer.write(version.read().document, to: "\(path)/\(name)")
      }
      writer.setCurrentVersion(sample.bundle.currentVersionName ?? "", ofBundle: path)
      written.append(bundle)
    }
    let mappings = try mappingDocuments(in: session).map { mapping in
      let path = "\(folder)/\(mapping.name)\(Session.xcodeMappingExtension)"
      return (
        name: path,
        path: try session.newPath(path, as: .mappingModel, force: force, isPart: true),
        bytes: mapping.bytes
      )
    }
    let texts = Sample.all.flatMap { sample in
      [
        (sample.policies, Session.policyExtension, WrittenKind.policies),
        (sample.stages, Session.stagesExtension, .stages),
      ].filter { !$0.0.isEmpty }.map { (name: sample.name + $0.1, text: $0.0, kind: $0.2) }
    }.map { (path: "\(folder)/\($0.name)", text: $0.text, kind: $0.kind) }
    let files = try texts.map { file in
      (
        name: file.path,
        path: try session.newPath(file.path, as: file.kind, force: force, isPart: true),
        bytes: Array(file.text.utf8)
      )
    }
    try writer.commit()
    var update = FolderUpdate()
    for mapping in mappings {
      update.write(mapping.bytes, to: "\(mapping.path)/\(MappingDocument.fileName)")
    }
    for file in files { update.write(file.bytes, to: file.path) }
    try update.commit()
    written += (mappings + files).map(\.name)
    return Outcome(.lines(written.map { StyledText("wrote \($0)") }), json: written.json)
  }
}
