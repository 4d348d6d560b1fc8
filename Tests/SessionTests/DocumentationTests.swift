import Foundation
import StrataArchives
import StrataBase
import StrataNotebook
import TestSupport
import Testing

@testable import StrataCommands

/// The pages of the documentation: made from the definitions where that can be, and replayed where they
/// show sessions.
///
/// With `RECORD_SESSIONS=1` in the environment they are written anew, and the tests fail all the same:
/// a page is read before it is believed.
@Suite("Documentation", .serialized)
struct DocumentationTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static var isRecording: Bool {
    ProcessInfo.processInfo.environment["RECORD_SESSIONS"] == "1"
  }

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
  }

  /// The README and every page in `Docs`.
  static var pages: [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent("Docs").path)
    return ["README.md"]
      + (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "Docs/" + $0 }
  }

  @Test(
    "a generated page is up to date",
    arguments: [
      ("Docs/COMMANDS.md", CommandReference.markdown), ("Docs/strata.1", ManualPage.roff),
      ("Docs/GLOSSARY.md", { Glossary.markdown }),
    ]
      as [(String, @Sendable () throws -> String)])
  func generated(name: String, make: @Sendable () throws -> String) throws {
    let generated = try make()
    guard !Self.isRecording else {
      try generated.write(
        to: Self.root.appendingPathComponent(name), atomically: true, encoding: .utf8)
      Issue.record("\(name) was written anew: read it, then run the test without RECORD_SESSIONS")
      return
    }
    let old = (try? Self.text(name)) ?? ""
    let difference = RecordedOutput(text: old).compare(to: RecordedOutput(text: generated))
    let isSame = old == generated
    #expect(
      isSame,
      "\(name) is behind the definitions: RECORD_SESSIONS=1 makes it anew\n\(difference?.unified().joined(separator: "\n") ?? "")"
    )
  }

  @Test("every session on every page gives the recorded answers", arguments: pages)
  func replays(page: String) throws {
    let session = TestSession(Session(folder: Self.root.path))
    let update = Self.isRecording ? " --update --all" : ""
    let replay = session("replay '\(page)'\(update)")
    #expect(replay.status == .done && !Self.isRecording, "\(replay.output)\(replay.diagnostics)")
    #expect(!replay.output.contains("not recorded"), "\(replay.output)")
  }

  @Test("the pictures of the guide are those that its commands write")
  func pictures() throws {
    let docs = Self.root.appendingPathComponent("Docs")
    let guide = try SessionDocument(reading: Self.text("Docs/GUIDE.md"), form: .markdown)
    let replay = PrivateReplay(folder: docs.path, readable: ReadableFolders([docs.path]))
    let export = try NotebookExport(
      of: guide, named: "GUIDE.md", .init(asks: false, reveals: false), by: replay)
    #expect(export.warnings.isEmpty, "\(export.warnings)")
    var shown = 0
    for case .command(let entry, let results) in export.cells {
      for case .picture(let svg, _) in results {
        let name = try #require(entry.command.split(separator: " ").first { $0.hasSuffix(".svg") })
        let file = docs.appendingPathComponent(String(name))
        shown += 1
        if Self.isRecording { try svg.write(to: file, atomically: true, encoding: .utf8) }
        #expect(try svg == String(contentsOf: file, encoding: .utf8), "\(name)")
        #expect(guide.text.contains("](\(name))"), "\(name) is not shown")
      }
    }
    #expect(shown == 5 && !Self.isRecording)
  }

  @Test("the page on JSON shows the shape of every command's answer")
  func everyShape() throws {
    let document = try SessionDocument(reading: Self.text("Docs/JSON.md"), form: .markdown)
    let shown = Set(
      document.entries.filter { $0.command.contains("--json") }
        .compactMap { $0.command.split(separator: " ").first.map(String.init) })
    #expect(Set(CommandTable.names).subtracting(shown) == [])
  }

  @Test("every command on the pages for build servers can be parsed")
  func recipes() throws {
    var count = 0
    let pages = try Self.text("Docs/CI.md") + "\n" + Self.text("Docs/FOR-BUILD-SERVERS.md")
    for line in pages.split(separator: "\n") {
      let content = line.drop { " -$".contains($0) }
      let call = content.hasPrefix("run: ") ? content.dropFirst(5) : content
      guard call.hasPrefix("strata ") || call.hasPrefix("strata-program/strata ") else { continue }
      count += 1
      guard case .complete(let parts) = CommandLineLexer.tokens(of: String(call)) else {
        Issue.record("\(line)")
        continue
      }
      if case .usage(let diagnostic) = CommandLineParser.parse(parts.dropFirst().map(\.text)) {
        Issue.record("\(line): \(diagnostic)")
      }
    }
    #expect(count >= 6)
  }

  @Test("links between the pages are valid", arguments: pages)
  func links(page: String) throws {
    let folder = Self.root.appendingPathComponent(page).deletingLastPathComponent()
    for match in try Self.text(page).matches(of: #/\]\(([^)#:]+)(#[^)]*)?\)/#) {
      let target = folder.appendingPathComponent(String(match.1))
      #expect(FileManager.default.fileExists(atPath: target.path), "\(page): \(match.1)")
    }
  }

  @Test(
    "groff formats the manual page without warnings",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
  func manual() throws {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/groff")
    process.arguments = [
      "-man", "-ww", "-K", "utf8", "-T", "utf8", "-P-c", "-P-b", "-P-o", "-P-u",
      Self.root.appendingPathComponent("Docs/strata.1").path,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaints = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(complaints == "")
    for name in CommandTable.names { #expect(text.contains(name)) }
  }
}
