internal import Foundation
internal import StrataArchives
internal import StrataDiagnostics
internal import StrataNotebook

extension Session {
  private static func text(_ bytes: [UInt8]) throws(Diagnostic) -> String {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw Diagnostic(
        id: "script.notText", what: "this is no script: it is not text",
        mend: "name a .strata or .md file")
    }
    return text
  }

  /// Reads a script or notebook; `-` is standard input, a script.
  func document(_ file: String) throws -> (document: SessionDocument, folder: String) {
    if file == "-" {
      let text = String(decoding: try FileBytes.standardInput(), as: UTF8.self)
      return (try SessionDocument(reading: text, form: .script), folder)
    }
    let path = try path(file)
    let text: String
    do {
      text = try Self.text(FileBytes.read(path, limit: SessionLimits.documentBytes))
    } catch FileError.tooLarge(_, let size, let limit) {
      throw NotebookError.documentTooLarge(bytes: size, limit: limit).diagnostic.located(in: file)
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: file)
    }
    let form = SessionForm.form(forPath: file) ?? .script
    do {
      let document = try SessionDocument(reading: text, form: form)
      let original = overlay?.original(path) ?? path
      return (document, URL(fileURLWithPath: original).deletingLastPathComponent().path)
    } catch {
      throw error.diagnostic.located(in: file)
    }
  }

  /// How many documents the documents of a session may start.
  private static let nestedLimit = 1000

  /// Documents that run one another come to an end.
  func checkNesting(of path: String) throws(Diagnostic) {
    guard !runningScripts.isEmpty else { return }
    nestedScriptCount += 1
    if runningScripts.contains(path) {
      throw Diagnostic(
        id: "script.cycle", what: "the script is running already: it would run itself for ever",
        location: Location(file: shown(path)), mend: "take the command out of it")
    }
    if nestedScriptCount > Self.nestedLimit {
      throw Diagnostic(
        id: "script.tooMany", what: "the scripts have started more than \(Self.nestedLimit) others",
        location: Location(file: shown(path)), mend: "let fewer scripts run one another")
    }
  }
}
