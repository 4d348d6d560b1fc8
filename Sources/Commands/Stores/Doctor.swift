internal import ArgumentParser
internal import Foundation
internal import StrataDiagnostics
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// `doctor [PATH] [--mend] [--discard-old]`
struct Doctor: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Finds what an interrupted migration or a crash has left, and the safe way out.",
    discussion: """
      Looks at a store, or at all stores of a folder, and at what lies beside them: destinations that were \
      being made, journals without a store or of another one, old stores set aside, tables that a migration \
      in place has left, binary data that is missing or that no store names. Nothing is changed unless \
      --mend is given, which does only what loses nothing; --discard-old removes the old stores that \
      migrations have set aside. Exit status 1 means that something is left to mend.
      """)
  static let effect = CommandEffect.writesStore
  static let examples = [
    CommandExample(
      "after a migration",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2", "doctor lists.sqlite",
      "doctor lists.sqlite --discard-old")
  ]

  @Argument(
    help: ArgumentHelp("A store, or a folder with stores.", valueName: "path"),
    completion: .file())
  var path: String
  @Flag(help: "Take the ways out that lose nothing.") var mend = false
  @Flag(help: "Remove the old stores that migrations have set aside.") var discardOld = false
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let place = try place(in: session)
    do {
      let examination = try FolderExamination(of: place.folder, store: place.store)
      guard place.store == nil || !examination.stores.isEmpty || !examination.findings.isEmpty
      else {
        // Says what it is instead.
        _ = try SQLiteStore(reading: "\(place.folder)/\(place.store ?? "")")
        throw StoreError.notFound
      }
      var entries: [Entry] = []
      for finding in examination.findings {
        entries.append(Entry(finding: finding, isMended: try treat(finding)))
      }
      // What was mended may have hidden something: a store that came back, a WAL that is gone.
      if entries.contains(where: \.isMended) {
        let known = Set(entries.map(\.finding))
        let left = try FolderExamination(of: place.folder, store: place.store)
        entries += left.findings.filter { !known.contains($0) }.map { Entry(finding: $0) }
        return report(entries, left.stores, place, session)
      }
      return report(entries, examination.stores, place, session)
    } catch let error as StoreError {
      throw error.diagnostic.located(in: path)
    }
  }

  private struct Entry {
    var finding: StoreFinding
    var isMended = false
  }

  private func treat(_ finding: StoreFinding) throws -> Bool {
    if discardOld, finding.canBeDiscarded {
      try finding.discard()
      return true
    }
    guard mend, finding.canBeMended else { return false }
    try finding.mend()
    return true
  }

  /// The folder to look through, and the only store of it that is meant.
  private func place(in session: Session) throws -> (folder: String, store: String?) {
    let found = try? session.store(path)
    let typed = try found?.path ?? session.path(path)
    let path = mend || discardOld ? try session.writable(typed) : typed
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    if isThere, isFolder.boolValue {
      try session.access.checkFolder(url.path)
      return (url.path, nil)
    }
    return (url.deletingLastPathComponent().path, url.lastPathComponent)
  }

  // MARK: The answer

  private func report(
    _ entries: [Entry], _ stores: [String], _ place: (folder: String, store: String?),
    _ session: Session
  ) -> Outcome {
    func name(_ path: String) -> String {
      path.hasPrefix(place.folder + "/") ? String(path.dropFirst(place.folder.count + 1)) : path
    }
    let open = entries.filter { !$0.isMended && !$0.finding.isExpected }
    let summary: StyledText
    if stores.isEmpty, entries.isEmpty {
      summary = StyledText("no store here, and nothing that one has left", .warning)
    } else if open.isEmpty {
      summary =
        StyledText("well", .good) + StyledText(": \(Words.count(stores.count, "store", "stores"))")
    } else {
      summary = StyledText(
        "\(Words.count(open.count, "thing", "things")) to mend"
          + (open.contains { $0.finding.canBeMended } ? ": --mend does what loses nothing" : ""),
        .error)
    }
    return Outcome(
      .stack(
        entries.map { entry in
          let finding = entry.finding
          return .lines([
            StyledText(name(finding.path), .name)
              + StyledText("  \(finding.words)", finding.isExpected ? .plain : .warning),
            StyledText(entry.isMended ? "  done" : "  way out", entry.isMended ? .good : .faint)
              + StyledText(
                ": \(entry.isMended && finding.isExpected ? "it goes" : finding.wayOut)", .faint),
          ])
        } + [.line(summary)]),
      payload: DoctorPayload(
        stores: stores,
        findings: entries.map { entry in
          DoctorPayload.Finding(
            id: entry.finding.id, file: name(entry.finding.path), what: entry.finding.words,
            wayOut: entry.finding.wayOut, losesNothing: entry.finding.canBeMended,
            mended: entry.isMended)
        }),
      status: open.isEmpty ? .done : .no)
  }
}

/// The JSON shape of `doctor`.
struct DoctorPayload: Encodable, Sendable {
  struct Finding: Encodable, Sendable {
    var id: String
    var file: String
    var what: String
    var wayOut: String
    /// Whether --mend takes the way out.
    var losesNothing: Bool
    var mended: Bool
  }

  var stores: [String]
  var findings: [Finding]
}
