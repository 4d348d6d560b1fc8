internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataExpressions
internal import StrataMigration
internal import StrataObjectModel

/// A stages file of a project.
struct ProjectStages {
  let name: String
  let path: String
  private let script: Result<StageScript, Diagnostic>
  private let folder: String
  private let access: FileAccess

  init(_ path: String, named name: String, _ access: FileAccess) {
    (self.name, self.path, self.access) = (name, path, access)
    folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do {
      try access.check(path)
      let text = try LineLanguage.stages.text(of: FileBytes.read(path))
      script = .success(try StageScript(parsing: text))
    } catch let error as any DiagnosticError {
      script = .failure(error.diagnostic)
    } catch {
      script = .failure(Diagnostic(id: "stages.unreadable", what: "\(error)"))
    }
  }

  /// Whether the file itself has no error.
  var isReadable: Bool { (try? script.get()) != nil }

  /// The stages between versions of a bundle.
  ///
  /// - Throws: ``Diagnostic`` if the bundle does not have the named versions, or a script does not exist.
  func stages(
    among versions: [NamedModel], _ policies: PolicyRegistry
  ) throws(Diagnostic) -> [MigrationStage] {
    let script = try script.get()
    let stages: [MigrationStage]
    do {
      stages = try script.resolved(among: versions, policies: policies, folder: folder)
    } catch {
      throw error.diagnostic
    }
    try stages.checkScripts(access) { ProjectState.relative($0, to: folder) }
    return stages
  }

  /// The bundle whose versions the stages name; without one, the error.
  func item(among bundles: [ProjectBundle]) -> ProjectItem {
    for bundle in bundles {
      guard let versions = bundle.stagedVersions[name] else { continue }
      return ProjectItem(
        kind: .stages, name: name,
        serves: bundles.count == 1 ? versions : "\(versions) of \(bundle.name)")
    }
    let problem: Diagnostic? =
      if case .failure(let error) = script { error } else {
        bundles.lazy.compactMap { $0.stageProblems[name] }.first
      }
    return ProjectItem(
      kind: .stages, name: name, serves: problem?.what ?? "names versions of no bundle here",
      isFaulty: true)
  }
}
