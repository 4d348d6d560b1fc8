import Foundation
import StrataBase
import StrataCommands
import StrataNotebook
import StrataRendering

/// A recorded session of the tests: a notebook whose answers must come out again, byte for byte.
///
/// With `RECORD_SESSIONS=1` in the environment the file is rewritten with what came out, and the test
/// fails all the same: a recording is read before it is believed.
package struct RecordedSession: Sendable, CustomStringConvertible {
  package let path: String

  package var description: String { URL(fileURLWithPath: path).lastPathComponent }

  /// Every notebook in the folder `Sessions` beside a test file.
  package static func all(beside file: String = #filePath) -> [RecordedSession] {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent("Sessions")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().map {
      RecordedSession(path: folder.appendingPathComponent($0).path)
    }
  }

  package init(path: String) {
    self.path = path
  }

  /// Replays the session in `folder`.
  ///
  /// - Returns: The differences as text; empty where there are none.
  package func differences(in folder: String) throws -> String {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let document = try SessionDocument(reading: text, form: .markdown)
    let session = Session(folder: folder)
    let evaluator = CommandEvaluator(session: session)
    let report = SessionReplay.run(document) { entry in
      Answer(evaluator.evaluate(line: entry.command).answer.output)
    }
    if ProcessInfo.processInfo.environment["RECORD_SESSIONS"] == "1" {
      let rewritten = try document.recording(report.outputs)
      try rewritten.text.write(toFile: path, atomically: true, encoding: .utf8)
      return "the session was recorded anew: read it, then run the test without RECORD_SESSIONS"
    }
    return report.commands.map { command in
      let place = "\(command.entry.line): \(command.entry.command)"
      guard command.entry.recorded != nil else { return "\(place): not recorded\n" }
      return command.verdict.difference.map { difference in
        "\(place)\n" + difference.unified().map { "  \($0)\n" }.joined()
      } ?? ""
    }.joined()
  }
}
