internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

extension HopRunner {
  /// Runs the hops with the way of the migration.
  ///
  /// If a hop stops the migration, nothing that the hops created is kept.
  ///
  /// - Parameters:
  ///     - pending: A stage whose scripts an interrupted migration has not run.
  ///     - versionName: The current version of the store.
  func run(
    _ hops: [MigrationPlan.Hop], after pending: MigrationStage?, from path: String,
    at versionName: String, _ method: MigrationMethod
  ) throws -> (results: [HopResult], rehearsalSize: RehearsalSize?) {
    do {
      switch method {
      case .inPlace:
        if let refused = try foreseenRefusal(path, by: hops, after: pending, at: versionName) {
          return (refused, nil)
        }
        return (try change(path, by: hops, after: pending, at: versionName), nil)
      case .rehearsal: return try rehearse(path, by: hops, after: pending, at: versionName)
      case .replacement(let aside):
        guard StoreForm(of: path) == .xml else {
          return (try replace(path, by: hops, settingAside: aside), nil)
        }
        return (try replaceDocument(path, by: hops, settingAside: aside), nil)
      case .output(let target, let replacing):
        guard !hops.isEmpty else { return ([], nil) }
        let (results, warnings) = try create(
          NewStoreFile(path: target, replacing: replacing), from: path, by: hops)
        noteCommit(target, at: hops.last?.to.name, isDone: true, warnings)
        return (results, nil)
      case .rehearsedOutput(let target):
        guard !hops.isEmpty else { return ([], nil) }
        let workspace = try Workspace()
        let output = workspace.path(ofStore: "output") + (NewStoreFile.isXML(target) ? ".xml" : "")
        let (results, _) = try create(
          NewStoreFile(path: output, replacing: false), from: path, by: hops)
        return (results, RehearsalSize(in: workspace.folder))
      case .append(let target):
        var runner = self
        runner.appendTarget = target
        return (try runner.append(path, by: hops, to: target), nil)
      }
    } catch let refused as Refused {
      return (refused.results, nil)
    } catch let error where method == .inPlace && (hops.count > 1 || hops.first?.stage != nil) {
      throw try telling(where: path, hops, error)
    } catch _ where Interruption.isRequested {
      throw Interruption.leaving(session.shown(path))
    } catch let error as StoreError {
      let target: String
      switch method {
      case .output(let new, _): target = new
      case .append(let grown): target = grown
      default: throw error.diagnostic.located(in: session.shown(path))
      }
      let isOfSource =
        switch error {
        case .missingExternalFile, .badExternalReference: true
        default: false
        }
      throw error.diagnostic.located(in: session.shown(isOfSource ? path : target))
    }
  }

  /// The results of hops in place of which a later one stops or is refused; `nil` where none is.
  ///
  /// Each hop is a transaction of its own, and so is each change of a script, so the store would be left between two
  /// versions: what `--strict` refuses, it refuses before the first one.
  private func foreseenRefusal(
    _ path: String, by hops: [MigrationPlan.Hop], after pending: MigrationStage?,
    at versionName: String
  ) throws -> [HopResult]? {
    let runsScripts = hops.contains {
      $0.stage.map { !$0.will.scripts.isEmpty || !$0.did.scripts.isEmpty } == true
    }
    guard !strict.isEmpty, hops.count > 1 || runsScripts || pending != nil else { return nil }
    var unobserved = self
    (unobserved.isObserved, unobserved.isProof, unobserved.keeper) = (false, false, nil)
    var results = try unobserved.rehearse(path, by: hops, after: pending, at: versionName).results
    guard results.last?.stops == true else { return nil }
    for index in results.indices { results[index].isForeseen = true }
    return results
  }

  /// Creates the new store of the last hop, unless a hop stops.
  ///
  /// - Returns: With the results, the errors that occurred after the file was at its path.
  private func create(
    _ file: NewStoreFile, from path: String, by hops: [MigrationPlan.Hop]
  ) throws -> (results: [HopResult], warnings: [Diagnostic]) {
    guard let model = hops.last?.to.model else { return ([], []) }
    var (runner, results) = (self, [HopResult]())
    runner.makesDocument = NewStoreFile.isXML(file.path)
    let warnings = try file.create(of: model) { staged in
      results = try runner.migrate(path, by: hops, into: staged)
      if results.last?.stops == true { throw Refused(results: results) }
    }
    // In a new document, objects have its ids.
    if runner.makesDocument, let last = results.indices.last {
      results[last].report.noteNewKeys()
    }
    return (results, warnings)
  }

  /// The error that stopped several hops in place, with the version that the store is at now.
  private func telling(
    where path: String, _ hops: [MigrationPlan.Hop], _ error: any Error
  ) throws -> Diagnostic {
    guard var diagnostic = (error as? any DiagnosticError)?.diagnostic else { throw error }
    // The cause of the error can also prevent reading the store.
    let hashes = (try? SQLiteStore(reading: session.writable(path)))?.metadata.versionHashes
    let versions = hops.prefix(1).map(\.from) + hops.map(\.to)
    let here = versions.last { $0.model.versionHashes() == hashes }
    let name = session.shown(path)
    if diagnostic.location == nil { diagnostic.location = Location(file: name) }
    if Interruption.isRequested { diagnostic = Interruption.interrupted }
    guard let here, here.name != versions.first?.name else {
      if Interruption.isRequested { return Interruption.leaving(name) }
      diagnostic.notes.append("\(name) is still at \(versions.first?.name ?? "its model")")
      return diagnostic
    }
    diagnostic.notes.append("\(name) is now at \(here.name); the same command continues from there")
    if let kept = keeper?.name { diagnostic.notes.append("the old store is kept as \(kept)") }
    return diagnostic
  }

  /// Creates the store of the last hop beside the old one, checks it, and replaces the old one.
  private func replace(
    _ given: String, by hops: [MigrationPlan.Hop], settingAside aside: String?
  ) throws -> [HopResult] {
    let replacement = try StoreReplacement(of: session.writable(given))
    let results = try migrate(
      replacement.path, by: hops, into: replacement.stagedPath, isReplacing: true)
    guard let last = results.last, !last.stops else { return results }
    let objects = last.report.entities.reduce(0) { $0 + $1.created }
    let faults = try replacement.faults(last.hop.to.model, objects: objects)
    guard faults.isEmpty else { throw MigrationError.notAsPlanned(faults) }
    try Interruption.check()
    let warnings = try replacement.commit(settingAside: aside)
    noteCommit(given, at: last.hop.to.name, isDone: true, warnings)
    return results
  }

  /// Records that a store is at another version: the program can end before its output says so.
  ///
  /// - Parameters:
  ///   - isDone: Whether it was the last hop.
  ///     - warnings: The errors after the commit.
  func noteCommit(
    _ path: String, at version: String?, isDone: Bool, _ warnings: [Diagnostic] = []
  ) {
    let name = session.shown(path)
    for var warning in warnings {
      if warning.location == nil { warning.location = Location(file: name) }
      session.running?.warnings?.add(warning)
    }
    guard let version else { return }
    session.noteDone("\(isDone ? "migration complete: " : "")\(name) is at \(version)")
  }

  /// Adds the objects of the last hop's store to an existing store.
  private func append(
    _ path: String, by hops: [MigrationPlan.Hop], to target: String
  ) throws -> [HopResult] {
    guard let model = hops.last?.to.model else { return [] }
    let workspace = try Workspace()
    let partPath = workspace.path(ofStore: "part")
    let (results, placeholders) =
      (try makePart(path, by: hops, of: model, in: workspace, into: partPath, for: target))
    guard results.last?.stops == false else { return results }
    try Interruption.check()
    let part = try StoreReader(SQLiteStore(reading: partPath), model: model)
    var warnings: [Diagnostic] = []
    _ = try StoreAppending(to: target, model: model, log: session.running?.statements)
      .append(part, placeholders) { links in
        guard !links.isEmpty else { return }
        if strict.contains(.links) { throw replaced(links, in: target, severity: .error) }
        warnings = [replaced(links, in: target, severity: .warning)]
      }
    noteCommit(target, at: hops.last?.to.name, isDone: true, warnings)
    _ = consume workspace
    return results
  }

  /// Policies that link objects of the target anew, which then lose the objects that they had.
  private func replaced(
    _ links: [StoreAppending.ReplacedLinks], in target: String, severity: Diagnostic.Severity
  ) -> Diagnostic {
    let count = Phrase.count(links.reduce(0) { $0 + $1.count }, "link")
    let name = session.shown(target)
    return Diagnostic(
      id: "migration.appendReplacesLinks", severity: severity,
      what: severity == .error
        ? "refused by --strict: policies would replace \(count) of \(name), which is unchanged"
        : "policies have replaced \(count) of \(name)",
      location: Location(file: name),
      fix: "let the policies link only objects that have no other yet, or new ones",
      notes: links.map { "\($0.relationship): \(Phrase.count($0.count, "link"))" })
  }

  /// Creates the store with the added objects, with placeholders for objects of the target that policies find.
  private func makePart(
    _ path: String, by hops: [MigrationPlan.Hop], of model: ObjectModel,
    in workspace: borrowing Workspace,
    into output: String, for target: String
  ) throws -> (results: [HopResult], placeholders: ObjectPlaceholders) {
    let existing = ExistingObjects(
      try StoreReader(SQLiteStore(reading: target), model: model))
    var runner = self
    runner.existing = existing
    var results = try runner.migrate(path, by: hops, in: workspace, into: output).results
    if let last = results.indices.last { results[last].report.noteNewKeys() }
    if let last = results.indices.last, results[last].report.isPart {
      for index in results[last].report.unmapped.indices {
        let entity = results[last].report.unmapped[index].entity
        guard model[entity] != nil else { continue }
        results[last].report.unmapped[index].present = try existing.count(of: entity)
      }
    }
    try existing.checkUnchanged()
    return (results, existing.placeholders)
  }

  /// Writes the document of the last hop over that of an XML store, atomically.
  private func replaceDocument(
    _ given: String, by hops: [MigrationPlan.Hop], settingAside aside: String?
  ) throws -> [HopResult] {
    let path = RealPath.resolving(try session.writable(given))
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return try FolderLock.whileAlone(in: folder) {
      guard let model = hops.last?.to.model else { return [] }
      let old = try XMLStore(reading: path)
      var results: [HopResult] = []
      let document = try NewStoreFile.document(of: model, replacing: old.database) { output in
        results = try migrate(path, by: hops, into: output)
        if results.last?.stops == true { throw Refused(results: results) }
      }
      try Interruption.check()
      try old.checkUnchanged()
      try aside.map { try old.keep(at: $0) }
      do {
        try document.write(to: path, replacing: true)
      } catch {
        // This is only a hard link to the file that is still at its path.
        if let aside { try? FileManager.default.removeItem(atPath: aside) }
        throw error
      }
      noteCommit(given, at: hops.last?.to.name, isDone: true)
      return results
    }
  }

  /// The error that the migration stopped: no store is created.
  private struct Refused: Error {
    var results: [HopResult]
  }
}
