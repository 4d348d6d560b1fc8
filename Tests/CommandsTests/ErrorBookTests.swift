import Foundation
import StrataBase
import TestSupport
import Testing

@testable import StrataCommands

@Suite("The ids of errors in the help")
struct ErrorBookTests {
  /// Every id that stands as a literal in the sources.
  private static func written() throws -> Set<String> {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    let literal = /\bid: (?:[a-z.A-Z =]+\? )?"([a-z]+\.[A-Za-z]+)"/
    let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    return try Set(
      names.filter { $0.hasSuffix(".swift") }.flatMap { name in
        try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8)
          .matches(of: literal).map { String($0.1) }
      })
  }

  @Test("every id of an error or warning has a page")
  func complete() throws {
    let known = Set(ErrorBook.ids + RuleBook.pages.map(\.id))
    let written = try Self.written()
    #expect(written.count > 150)
    #expect(written.subtracting(known).sorted() == [])
  }

  @Test("an id has a page; a misspelled id suggests the nearest one")
  func pages() throws {
    let session = TestSession(in: try TemporaryFolder())
    let answer = session("help session.pathRefused")
    #expect(answer.status == .done)
    #expect(answer.output.contains("session.pathRefused  path refused"))
    #expect(
      session("help session.pathRefsed").diagnostics.contains("did you mean session.pathRefused?"))
    #expect(session("help stagse").diagnostics.contains("did you mean stages?"))
    #expect(ErrorBook.ids.allSatisfy { ErrorBook.page(of: $0) != nil })
    #expect(Set(ErrorBook.ids).count == ErrorBook.ids.count)
  }

  @Test("a title has the words of its id; only an acronym keeps its capitals")
  func titles() throws {
    let session = TestSession(in: try TemporaryFolder())
    for (id, title) in [
      ("migration.appendNeedsSQLite", "append needs SQLite"), ("model.notAModel", "not a model"),
      ("archive.notAKeyedArchive", "not a keyed archive"), ("file.twice", "twice"),
    ] {
      #expect(session("help \(id)").output.hasPrefix("\(id)  \(title)\n"))
    }
    // A rule's page has a title of its own.
    let ruled = Set(RuleBook.pages.map(\.id))
    for id in ErrorBook.ids where !ruled.contains(id) {
      let title = session("help \(id)").output.prefix { $0 != "\n" }.dropFirst(id.count + 2)
      let words = title.split(separator: " ")
      #expect(words.joined().lowercased() == id.drop { $0 != "." }.dropFirst().lowercased())
      #expect(words.allSatisfy { $0.count > 1 || $0 == "a" }, "\(title)")
    }
  }
}
