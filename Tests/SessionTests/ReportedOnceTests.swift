import Foundation
import StrataNotebook
import TestSupport
import Testing

/// In every recorded answer, what is wrong or lost is told once.
@Suite("Facts reported once in recorded answers")
struct ReportedOnceTests {
  private static var sessions: [RecordedSession] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    return RecordedSession.all()
      + RecordedSession.all(beside: folder.appending(path: "CorpusTests/x.swift").path)
  }

  /// The findings of an answer as `rule place`, with one for each place that stands in a line.
  private static func findings(_ lines: [String]) -> [String] {
    lines.flatMap { line -> [String] in
      guard let match = line.wholeMatch(of: /\s*(?:error|warning|note): (.*)  \[([\w.]+)\]/) else {
        return []
      }
      // The place, where there is one, and the message.
      let parts = match.1.components(separatedBy: "  ")
      return (parts.count > 1 ? parts[0].components(separatedBy: ", ") : parts)
        .map { "\(match.2) \($0)" }
    }
  }

  /// The properties that a receipt calls lost or removed, by hop.
  private static func lostProperties(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      line.wholeMatch(of: /([\w.]+\.\w+) +\d+ .*(?:lost|removed).*/).map { String($0.1) }
    }
  }

  /// The answers of `migrate` hop by hop: each begins with its two models.
  private static func hops(_ lines: [String]) -> [[String]] {
    var hops: [[String]] = [[]]
    for line in lines {
      if line.contains(/^\S+ -> \S+  (?:in place|in three passes)/) { hops.append([]) }
      hops[hops.count - 1].append(line)
    }
    return hops
  }

  @Test("no finding and no loss is reported twice in an answer")
  func once() throws {
    var (findingCount, lossCount) = (0, 0)
    for session in Self.sessions {
      let text = try String(contentsOfFile: session.path, encoding: .utf8)
      for entry in try SessionDocument(reading: text, form: .markdown).entries {
        guard let lines = entry.recorded?.lines else { continue }
        for hop in Self.hops(lines) {
          let place = "\(session): \(entry.command)"
          let findings = Self.findings(hop)
          #expect(Set(findings).count == findings.count, "\(place): \(findings)")
          let lost = Self.lostProperties(hop)
          #expect(Set(lost).count == lost.count, "\(place): \(lost)")
          // A warning of a loss that the receipt counts would tell it again.
          for property in lost {
            #expect(!findings.contains { $0.hasSuffix(" \(property)") }, "\(place): \(property)")
          }
          findingCount += findings.count
          lossCount += lost.count
        }
      }
    }
    #expect(findingCount > 20 && lossCount > 5, "\(findingCount) findings, \(lossCount) losses")
  }
}
