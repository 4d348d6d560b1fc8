import Foundation
import StrataNotebook

/// A recorded terminal session: a Markdown file with `keys` blocks and, below each, the `screen` that
/// they must lead to.
///
/// In a keys block, text is typed and `<Enter>`, `<Tab>`, `<C-c>` … are pressed; line feeds mean
/// nothing. After `<Enter>` the next prompt is waited for, after `<C-m>` not; `<prompt>` waits for it too.
/// `<resize 60x20>` changes the window, `<start NAME=VALUE …>` starts the program anew (words
/// without `=` are its arguments), `<paste 40 LINE>` pastes a line forty times at once,
/// `<block LINE\nLINE>` pastes lines as a terminal that marks them, and
/// `<wait TEXT>` waits until the text is on the screen. On a screen, `...` stands for any lines and
/// `[..]` for anything in a line.
///
/// With `RECORD_SESSIONS=1` in the environment the screens are rewritten, and the test fails all the
/// same: a recording is read before it is believed.
package struct TerminalRecording: Sendable, CustomStringConvertible {
  private enum Block {
    case prose([String])
    case keys([String])
    case screen([String])
  }

  package let path: String

  package var description: String { URL(fileURLWithPath: path).lastPathComponent }

  /// Every recording in the folder `Sessions` beside a test file.
  package static func all(beside file: String) -> [TerminalRecording] {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent("Sessions")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().map {
      TerminalRecording(path: folder.appendingPathComponent($0).path)
    }
  }

  /// Plays the session in `folder`.
  ///
  /// - Returns: The first screen that differs, as text; empty where all are as recorded.
  package func differences(in folder: String) throws -> String {
    let isRecording = ProcessInfo.processInfo.environment["RECORD_SESSIONS"] == "1"
    let window = TerminalWindow(folder: folder)
    var blocks = try Self.blocks(of: String(contentsOfFile: path, encoding: .utf8))
    try window.start()
    for index in blocks.indices {
      switch blocks[index] {
      case .prose: continue
      case .keys(let lines): try Self.press(lines.joined(), in: window)
      case .screen(let expected):
        if isRecording {
          blocks[index] = .screen(try Self.settledScreen(of: window))
        } else if let difference = try Self.wait(for: expected, in: window) {
          return "screen \(index): \n" + difference.joined(separator: "\n")
        }
      }
    }
    guard isRecording else { return "" }
    try Self.text(of: blocks).write(toFile: path, atomically: true, encoding: .utf8)
    return "the session was recorded anew: read it, then run the test without RECORD_SESSIONS"
  }

  // MARK: Keys

  private static func press(_ keys: String, in window: TerminalWindow) throws {
    var rest = keys[...]
    while !rest.isEmpty {
      guard rest.first == "<", let end = rest.firstIndex(of: ">") else {
        let text = rest.first == "<" ? rest.prefix(1) : rest.prefix { $0 != "<" }
        try window.type(String(text))
        rest = rest.dropFirst(text.count)
        continue
      }
      try perform(rest[rest.index(after: rest.startIndex)..<end], in: window)
      rest = rest[rest.index(after: end)...]
    }
  }

  private static func perform(_ token: Substring, in window: TerminalWindow) throws {
    let parts = token.split(separator: " ", maxSplits: 1).map(String.init)
    let argument = parts.count > 1 ? parts[1] : ""
    switch parts.first ?? "" {
    case "resize":
      let size = argument.split(separator: "x").compactMap { Int($0) }
      try window.resize(columns: size[0], rows: size[1])
    case "start":
      let parts = argument.split(separator: " ").map(String.init)
      try window.start(
        environment: parts.filter { $0.contains("=") },
        arguments: parts.filter { !$0.contains("=") })
    case "paste":
      let parts = argument.split(separator: " ", maxSplits: 1)
      let line = String(parts[1]) + "\n"
      try window.paste(String(repeating: line, count: Int(parts[0]) ?? 1))
    case "block":
      try window.paste(argument.replacing("\\n", with: "\n"), isMarked: true)
    case "wait":
      try poll { try window.screen().contains { $0.contains(argument) } ? true : nil }
    case "Enter":
      // A person waits for the answer before typing on; `<C-m>` does not.
      try window.press("Enter")
      try waitForPrompt(in: window)
    case "prompt": try waitForPrompt(in: window)
    case "C-c":
      // The terminal throws away what it has not handed over yet: what was typed must be there.
      let before = try stillScreen(of: window)
      try window.press("C-c")
      try poll(patience: 3) { try window.screen() == before ? nil : true }
    case let key: try window.press(key)
    }
  }

  private static func waitForPrompt(in window: TerminalWindow) throws {
    try poll { try isReady(window.screen().last ?? "") ? true : nil }
    // The prompt is there a moment before the line editor has the terminal.
    Thread.sleep(forTimeInterval: 0.05)
  }

  /// The screen once it has not changed for a moment.
  private static func stillScreen(of window: TerminalWindow) throws -> [String] {
    var earlier = try window.screen()
    for _ in 0..<10 {
      Thread.sleep(forTimeInterval: 0.3)
      let now = try window.screen()
      if now == earlier { break }
      earlier = now
    }
    return earlier
  }

  private static func isReady(_ line: String) -> Bool {
    ["strata>", "   ...>"].contains(line) || line.hasPrefix("[status")
      || line.hasPrefix("(") && line.hasSuffix(")>")
  }

  // MARK: Screens

  /// How long anything may take to appear.
  private static let patience = 60.0

  /// The difference that is still there after a long time; `nil` as soon as there is none.
  private static func wait(
    for expected: [String], in window: TerminalWindow
  ) throws -> [String]? {
    let wanted = RecordedOutput(lines: expected)
    var last: [String]?
    let isThere: Bool? = try poll {
      let difference = wanted.compare(to: RecordedOutput(lines: try window.screen()))
      last = difference?.unified(context: 30)
      return difference == nil ? true : nil
    }
    return isThere == true ? nil : last
  }

  /// The screen once it changes no more.
  private static func settledScreen(of window: TerminalWindow) throws -> [String] {
    var earlier: [String] = []
    for _ in 0..<60 {
      Thread.sleep(forTimeInterval: 0.7)
      let now = try window.screen()
      if now == earlier { break }
      earlier = now
    }
    return earlier
  }

  @discardableResult
  private static func poll<Value>(
    patience: Double = patience, _ look: () throws -> Value?
  ) throws -> Value? {
    let deadline = Date().addingTimeInterval(patience)
    while true {
      if let value = try look() { return value }
      guard Date() < deadline else { return nil }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  // MARK: The file

  private static func blocks(of text: String) -> [Block] {
    var blocks: [Block] = []
    var lines: [String] = []
    var fence: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      switch (fence, line) {
      case (nil, "```keys"), (nil, "```screen"):
        blocks.append(.prose(lines))
        lines = []
        fence = line
      case ("```keys"?, "```"):
        blocks.append(.keys(lines))
        lines = []
        fence = nil
      case ("```screen"?, "```"):
        blocks.append(.screen(lines))
        lines = []
        fence = nil
      default: lines.append(line)
      }
    }
    return blocks + [.prose(lines)]
  }

  private static func text(of blocks: [Block]) -> String {
    blocks.map { block in
      switch block {
      case .prose(let lines): lines.joined(separator: "\n")
      case .keys(let lines): "\n```keys\n" + lines.map { $0 + "\n" }.joined() + "```\n"
      case .screen(let lines): "\n```screen\n" + lines.map { $0 + "\n" }.joined() + "```\n"
      }
    }.joined()
  }
}
