internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

/// `lock [FOLDER]`
struct Lock: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "lock",
    abstract: "Records the shipped model versions of a project without release tags.",
    discussion: """
      Adds the versions of all model bundles below a folder to the file strata.lock in it, with Core Data's version \
      hashes; run it for each release, and commit the file. `check` reads it beside the release tags: \
      it reports a version that was edited or deleted since, and lines of the file that were changed.

      Existing lines are kept. A version that was edited since it was locked is an error; --force replaces its \
      lines. To retire a version that no user has any more, replace `shipped` and its hashes in the file by \
      retired "reason".
      """)
  static let changesFiles = true
  static let examples: [CommandExample] = []

  @Argument(.folder, "The folder; by default the folder of the session.") var folder: String = "."
  @Option(
    help: ArgumentHelp(
      "The release that contains the new versions; by default the name of the current version.",
      valueName: "name"))
  var release: String?
  @Flag(help: "Replace the lines of versions that were edited.") var force = false
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    if let release, release.allSatisfy(\.isWhitespace) {
      throw ValidationError("--release needs a name")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    let root = try session.projectRoot(folder)
    let project = try ProjectState(at: root, findsStores: false, in: session)
    guard let first = project.bundles.first else {
      throw Diagnostic(
        id: "check.nothing", what: "there is no model bundle to lock",
        location: Location(file: session.shown(root)),
        fix: "name the folder of a project with an .xcdatamodeld")
    }
    if let problem = project.bundles.flatMap(\.problems).first {
      throw problem.asError("", fix: "repair it, then lock again")
    }
    let names = project.bundles.map(\.name)
    guard Set(names).count == names.count else {
      throw Diagnostic(
        id: "lock.sameName", what: "several bundles have the same name, such as \(first.name)",
        location: Location(file: session.shown(root)),
        fix: "lock the folder of each bundle by itself")
    }
    let old = try LockFile.read(at: root, in: session)
    var lock = old ?? LockFile()
    var (added, replaced): ([String], [String]) = ([], [])
    let models = lock.models(of: project.bundles)
    for bundle in project.bundles {
      let name = models[bundle.path]?.name ?? bundle.name
      for version in bundle.versions.sorted(by: { $0.name.precedesByNumber($1.name) }) {
        let hashes = version.model.versionHashes()
        let model = lock[name]
        if let known = model?.version(named: version.name) {
          guard let label = known.release, known.hashes != hashes else { continue }
          guard force else { throw edited(version.name, label, in: session) }
          lock.ship(version.name, of: name, hashes, in: label)
          replaced.append(version.name)
        } else if model?.versions.contains(where: { $0.hashes == hashes }) != true {
          lock.ship(
            version.name, of: name, hashes,
            in: release ?? bundle.current?.name ?? version.name)
          added.append(version.name)
        }
      }
    }
    let json: JSONValue = ["added": added, "replaced": replaced]
    let warnings = project.unread.sorted { $0.key.precedesInBytes($1.key) }.map { path, problem in
      var problem = problem
      problem.location?.file = session.shown("\(root)/\(path)")
      return problem
    }
    guard !added.isEmpty || !replaced.isEmpty else {
      return Outcome(
        .line(StyledText(LockFile.fileName, .name) + StyledText(" is up to date")),
        json: json, warnings: warnings)
    }
    try FolderUpdate.write(
      Array(lock.text.utf8),
      to: try session.newPath("\(folder)/\(LockFile.fileName)", as: nil, force: true))
    let changes = [("added", added), ("replaced", replaced)].filter { !$0.1.isEmpty }
      .map { "\($0.0) \(Phrase.list($0.1))" }
    return Outcome(
      .line(
        "wrote " + StyledText(LockFile.fileName, .name)
          + StyledText(": \(changes.joined(separator: "; "))")), json: json,
      warnings: warnings)
  }

  private func edited(
    _ version: String, _ release: String, in session: Session
  ) -> Diagnostic {
    let command = CommandLineLexer.line(
      of: ["lock"] + (folder == "." ? [] : [folder]) + ["--force"])
    return Diagnostic(
      id: "lock.edited", what: "\(version) shipped in \(release) and was edited since",
      location: Location(
        file: ProjectState.relative(session.shown("\(folder)/\(LockFile.fileName)"), to: ".")),
      fix: "restore it, and make changes in a new version; if it did not ship: `\(command)`")
  }
}
