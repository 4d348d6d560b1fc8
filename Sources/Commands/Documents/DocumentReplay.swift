internal import StrataArchives
internal import StrataBase
internal import StrataNotebook
internal import StrataObjectModel
internal import StrataRendering

/// The result of replaying one document.
struct DocumentReplay: Sendable {
  /// A document to replay, or the error that prevented reading it.
  struct Source: Sendable {
    /// The name as the user typed it.
    var name: String
    /// The path of the file; `nil` for standard input.
    var path: String?
    /// The folder argument in which the document was found; links in its path must not lead out of it. `nil`
    /// if the document itself was named.
    var foundIn: ReadableFolders?
    var isOfFolder: Bool { foundIn != nil }
    var contents: Result<(document: SessionDocument, folder: String), Diagnostic>
  }

  let source: Source
  private(set) var report: Result<ReplayReport, Diagnostic>
  /// The version hashes of the stores whose values each answer contains.
  let shownStores: [Set<[String: VersionHash]>]
  /// The number of answers that were recorded in the document.
  private(set) var updated = 0
  /// The number of these whose values are hidden, as by `save`.
  private(set) var hidden = 0
  /// The error that prevented updating the document.
  private(set) var updateProblem: Diagnostic?

  /// - Parameter replay: The settings of the replay; the folder is that of the document.
  init(_ source: Source, by replay: PrivateReplay) {
    self.source = source
    var shownStores: [Set<[String: VersionHash]>] = []
    report = source.contents.flatMap { document, folder in
      var replay = replay
      replay.folder = folder
      replay.readable.add(folder)
      return Result {
        try replay.report(of: document) { shownStores.append($0?.shownStores ?? []) }
      }.mapError { error in
        let diagnostic = Diagnostic(of: error)
        return diagnostic.location == nil ? diagnostic : diagnostic.located(in: source.name)
      }
    }
    self.shownStores = shownStores
  }

  /// - Throws: An error that stops the replay of all documents.
  func checkingInterruption() throws(Diagnostic) -> DocumentReplay {
    if case .failure(Interruption.interrupted) = report { throw Interruption.interrupted }
    return self
  }

  // MARK: Recording new answers

  /// Records new answers in the document.
  ///
  /// - Parameters:
  ///   - prompt: Asks the user about each change; `nil` accepts all changes.
  ///   - reveals: Whether new answers keep values of users' own stores.
  /// - Returns: Whether the user has quit.
  mutating func update(
    prompting prompt: Session.Prompt?, revealing reveals: Bool, _ session: Session
  ) -> Bool {
    guard case .success((let document, _)) = source.contents,
      case .success(let report) = report, let path = source.path
    else { return false }
    let (acceptedOutputs, hasQuit) =
      prompt.map {
        AnswerReview(of: report, in: source.name, session.renderer).acceptedOutputs(prompting: $0)
      }
      ?? (report.outputs.filter { report.commands[$0.key].verdict.isUpdate }, false)
    do {
      try record(acceptedOutputs, from: report, into: document, at: path, revealing: reveals)
    } catch {
      updateProblem = Diagnostic(of: error)
      updateProblem?.location?.file = source.name
    }
    return hasQuit
  }

  private mutating func record(
    _ accepted: [Int: RecordedOutput], from report: ReplayReport, into document: SessionDocument,
    at path: String, revealing reveals: Bool
  ) throws {
    guard !accepted.isEmpty else { return }
    let digests = report.digests(accepting: accepted)
    // Values that the document already shows stay visible.
    let hidden = accepted.keys.filter { index in
      !reveals && document.entries[index].recorded == nil
        && Session.hasOwnStore(shownStores[index])
    }
    let renewed = try document.recording(accepted, digests: digests)
      .hiding(Set(hidden), digests: digests)
    let foundIn = source.foundIn ?? ReadableFolders.current
    let bytes = ReadableFolders.$current.withValue(foundIn) { try? FileBytes.read(path) }
    guard let bytes, bytes.elementsEqual(document.text.utf8) else {
      throw Diagnostic(
        id: "file.changed", what: "the document has changed since it was replayed",
        location: Location(file: source.name), fix: "replay it again")
    }
    if renewed != document {
      try FolderUpdate.write(Array(renewed.text.utf8), to: path)
    }
    (updated, self.hidden) = (accepted.count, hidden.count)
    self.report = .success(report.compared(with: renewed))
  }

  var hasUnfulfilledExpectation: Bool {
    guard case .success(let report) = report else { return false }
    return report.commands.contains { $0.answer.expectation == .unfulfilled }
  }

  func status(by rules: ReplayRules) -> ExitStatus {
    guard case .success(let report) = report, updateProblem == nil else { return .failed }
    return report.passes(by: rules) ? .done : .no
  }
}
