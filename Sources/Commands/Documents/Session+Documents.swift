internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataNotebook

extension Session {
  private static func text(_ bytes: [UInt8]) throws(Diagnostic) -> String {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw Diagnostic(
        id: "script.notText", what: "not a script or notebook: the file is not text",
        fix: "name a .strata or .md file")
    }
    return text
  }

  /// The scripts and notebooks in a folder and its subfolders, sorted by name, without hidden ones; `nil` if
  /// the path is not a folder.
  func documents(inFolder typed: String) throws(Diagnostic) -> [String]? {
    let path = try path(typed)
    guard try kind(path, typedAs: typed) == .folder else { return nil }
    let prefix = typed.hasSuffix("/") ? typed : typed + "/"
    let documents = documents(in: path, "")
    guard !documents.isEmpty else {
      throw Diagnostic(
        id: "script.noDocuments", what: "the folder contains no scripts or notebooks",
        location: Location(file: typed), fix: "name a folder with .strata or .md files")
    }
    return documents.sorted().map { prefix + $0 }
  }

  /// The documents of an open folder, by relative path; a folder that cannot be listed is a warning.
  private func documents(in folder: String, _ prefix: String) -> [String] {
    listedNames(in: folder).filter { !$0.hasPrefix(".") }.flatMap { name in
      let path = "\(folder)/\(name)"
      // A link to a folder is not followed.
      if FileStatus(path)?.kind == .folder { return documents(in: path, "\(prefix)\(name)/") }
      return SessionForm.form(forPath: name) == nil || Self.isFolder(path) ? [] : [prefix + name]
    }
  }

  /// The path of a folder named by the user.
  func folder(named typed: String) throws(Diagnostic) -> String {
    let path = try path(typed)
    guard try kind(path, typedAs: typed) == .folder else {
      throw Diagnostic(
        id: "file.noFolder", what: "there is no such folder", location: Location(file: typed),
        fix: "name an existing folder")
    }
    return path
  }

  private static func isFolder(_ path: String) -> Bool {
    (try? OpenedPath.kind(path)) == .folder
  }

  /// Reads a script or notebook; `-` is standard input. Without a known extension, a document with a block of
  /// commands is a notebook.
  func document(_ file: String) throws -> (document: SessionDocument, folder: String) {
    if file == "-" {
      guard replayDepth == 0, runningScripts.isEmpty else {
        throw Diagnostic(
          id: "script.noInput", what: "a document cannot read standard input",
          fix: "name the file")
      }
      let text = String(decoding: try FileBytes.standardInput(), as: UTF8.self)
      do {
        return (try SessionDocument(reading: text, form: SessionForm.form(ofText: text)), folder)
      } catch {
        throw error.diagnostic.located(in: "standard input")
      }
    }
    let path = try path(file)
    try checkForm(of: file, path)
    let text: String
    do {
      text = try Self.text(FileBytes.read(path, limit: SessionLimits.documentBytes))
    } catch FileError.tooLarge(_, let size, let limit) {
      throw NotebookError.documentTooLarge(bytes: size, limit: limit).diagnostic.located(in: file)
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: file)
    }
    let form = SessionForm.form(forPath: file) ?? SessionForm.form(ofText: text)
    do {
      let document = try SessionDocument(reading: text, form: form)
      let original = overlay?.original(path) ?? path
      return (document, URL(fileURLWithPath: original).deletingLastPathComponent().path)
    } catch {
      throw error.diagnostic.located(in: file)
    }
  }

  /// Without a known extension, any text that is not a loadable file is a document.
  private func checkForm(of file: String, _ path: String) throws(Diagnostic) {
    guard SessionForm.form(forPath: file) == nil else { return }
    let content = try? FileContent(of: path)
    let isLoadable =
      content.map { content in
        [.store, .model, .mappingModel].contains(where: content.isOf) && !content.isOf(.document)
      } ?? ((try? recognise(file)) != nil)
    guard isLoadable else { return }
    throw Diagnostic(
      id: "script.unknownForm", what: "\(file) is neither a script nor a notebook",
      fix: "did you mean `load \(CommandLineLexer.quoted(file))`?")
  }

  /// The id of the error for a replay that is nested too deeply.
  static let replayRefused = "session.replayRefused"

  /// A document may replay others, which cannot replay further documents.
  func checkReplayDepth() throws(Diagnostic) {
    guard replayDepth > 1 else { return }
    throw Diagnostic(
      id: Self.replayRefused,
      what: "a document that is replayed by another document cannot replay a third one",
      fix: "`replay a.strata b.strata` replays them side by side")
  }

  /// The maximum number of documents started by the documents of a session.
  private static let nestedLimit = 1000

  /// Prevents endless recursion of documents.
  func checkNesting(of path: String) throws(Diagnostic) {
    guard !runningScripts.isEmpty else { return }
    nestedScriptCount += 1
    if runningScripts.contains(path) {
      throw Diagnostic(
        id: "script.cycle", what: "the script is already running: it would run itself forever",
        location: Location(file: shown(path)), fix: "remove the command from it")
    }
    if nestedScriptCount > Self.nestedLimit {
      throw Diagnostic(
        id: "script.tooMany", what: "the scripts have started more than \(Self.nestedLimit) others",
        location: Location(file: shown(path)), fix: "nest fewer scripts")
    }
  }
}
