import Foundation
import StrataCommands
import Testing

/// No message names an option that the command lacks.
@Suite("Options that messages name")
struct AdvisedOptionTests {
  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  /// The commands whose messages a file has, where it defines none itself: an option that a fix names without a
  /// command must be one of each.
  private static let users: [String: [String]] = [
    "Migration/MigrationError+Diagnostic.swift": migrations,
    "Commands/Mapping/MappingAdvice.swift": migrations,
    "Commands/Migrating/PolicyAdvice.swift": migrations,
    "Commands/Migrating/StrategyOptions.swift": migrations,
    "Commands/Migrating/MigrationEnds.swift": migrations,
    "Commands/Migrating/MigrationMethod.swift": ["migrate"],
    "Commands/Migrating/MethodComparison.swift": ["migrate"],
    "Archives/FileError.swift": ["replay"],
    "Commands/Check/GitError+Check.swift": ["check"],
    "Commands/Check/RevisionBundle.swift": ["check"],
    "Commands/Browsing/PredicateOptions.swift": [
      "rows", "count", "validate", "insert", "delete", "expect", "compare",
    ],
    "Commands/Mapping/MappingGroup.swift": ["infer"],
    "Commands/Session/Session+References.swift": ["hash"],
    "Commands/Session/Session+Loading.swift": ["write", "create", "save", "migrate", "infer"],
  ]
  private static let migrations = ["plan", "migrate", "debug"]

  private static func has(_ command: String, _ option: String) -> Bool {
    CommandShape.named(command)?.options.contains { $0.name == option } == true
  }

  /// What stands between double quotes in a line of Swift.
  private static func literals(_ line: Substring) -> [Substring] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset % 2 == 1 ? $0.element : nil }
  }

  @Test("a command in a fix is in backticks, which keep it on one line")
  func quotedCommands() throws {
    let names = Set(CommandTable.names + ["mkdir", "git"])
    let files = FileManager.default.enumerator(atPath: Self.sources.path)
    var fixes = 0
    while let file = files?.nextObject() as? String {
      guard file.hasSuffix(".swift") else { continue }
      let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /fix:\s*"([^"]*)"/) {
        fixes += 1
        for part in match.1.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where part.offset % 2 == 0 {
          for word in part.element.matches(of: /[a-z]: ([a-z]+) [^ ]/)
          where names.contains(String(word.1)) {
            Issue.record("\(file): \(match.1)")
          }
        }
      }
    }
    #expect(fixes > 100, "\(fixes)")
  }

  @Test("commands in the texts of help have the options shown")
  func texts() throws {
    let folder = Self.sources.appending(path: "Commands/Texts")
    var shown = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /`([a-z]+) ([^`]*)`/)
      where CommandTable.names.contains(String(match.1)) {
        for option in match.2.matches(of: /(?:^|\s)(--[a-z][a-z-]*)/) {
          shown += 1
          #expect(Self.has(String(match.1), String(option.1)), "\(file): \(match.0)")
        }
      }
    }
    #expect(shown > 10, "\(shown)")
  }

  @Test(
    "commands in messages have the options shown; fixes name options of their command"
  )
  func known() throws {
    let names = Set(CommandTable.names)
    var (shown, advised) = (0, 0)
    let files = FileManager.default.enumerator(atPath: Self.sources.path)
    while let file = files?.nextObject() as? String {
      guard file.hasSuffix(".swift") else { continue }
      let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      guard text.utf8.contains(UInt8(ascii: "-")), text.contains("--") else { continue }
      let own = text.matches(of: /\.command\(\s*"([\w-]+)"/).map { String($0.1) }
      var isFix = false
      for line in text.split(separator: "\n") where !line.contains("///") {
        isFix = line.contains("fix:") || isFix && !line.contains(")") && !line.contains("@")
        guard line.contains("--") else { continue }
        for whole in Self.literals(line) {
          // Options of git are its own.
          let literal = whole.replacing(/git [a-z-]+( [^,;`]*)?/, with: "")
          guard literal.contains("--") else { continue }
          for (index, part) in literal.split(separator: "`", omittingEmptySubsequences: false)
            .enumerated()
          {
            let options = part.matches(of: /(?:^|\s)(--[a-z][a-z-]*)/).map { String($0.1) }
            guard !options.isEmpty else { continue }
            let first = part.split(separator: " ").first.map(String.init) ?? ""
            if index % 2 == 1, names.contains(first) {
              shown += 1
              for option in options where !Self.has(first, option) {
                Issue.record("\(file): `\(first)` has no \(option)")
              }
            } else if isFix {
              advised += 1
              let users = own.isEmpty ? Self.users[file] ?? [] : own
              let written = literal.split { !$0.isLetter }.map(String.init).filter(names.contains)
              for option in options where !written.contains(where: { Self.has($0, option) }) {
                let having = users.filter { Self.has($0, option) }
                #expect(
                  own.isEmpty ? !users.isEmpty && having.count == users.count : !having.isEmpty,
                  "\(file): which command has \(option)? \(part)")
              }
            }
          }
        }
      }
    }
    #expect(shown > 10 && advised > 20, "\(shown) \(advised)")
  }
}
