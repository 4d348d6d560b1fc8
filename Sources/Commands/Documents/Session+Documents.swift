internal import Foundation
internal import StrataArchives
internal import StrataDiagnostics
internal import StrataNotebook

extension Session {
  /// Reads a script or notebook; `-` is standard input, a script.
  func document(_ file: String) throws -> (document: SessionDocument, folder: String) {
    if file == "-" {
      let text = String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
      return (try SessionDocument(reading: text, form: .script), folder)
    }
    let path = try path(file)
    let text: String
    do {
      text = String(decoding: try FileBytes.read(path), as: UTF8.self)
    } catch {
      throw error.diagnostic.located(in: file)
    }
    let form = SessionForm.form(forPath: file) ?? .script
    do {
      let document = try SessionDocument(reading: text, form: form)
      return (document, URL(fileURLWithPath: path).deletingLastPathComponent().path)
    } catch {
      throw error.diagnostic.located(in: file)
    }
  }
}
