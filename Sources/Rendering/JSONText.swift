internal import Foundation
public import StrataBase

/// The `--json` twin of what a person reads: keys sorted, two spaces for each level.
public enum JSONText {
  /// - Returns: The payload's JSON and a line feed.
  public static func of(_ payload: any Encodable) -> String {
    if let value = payload as? JSONValue {
      return value.text.escapingControlCharactersAsJSON + "\n"
    }
    if let lines = payload as? JSONLines {
      return lines.values.map { $0.line.escapingControlCharactersAsJSON + "\n" }.joined()
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    // Payloads are plain values of the program's own, without infinities: encoding them cannot fail.
    guard let data = try? encoder.encode(payload) else {
      preconditionFailure("a payload that is no JSON")
    }
    let text = String(decoding: data, as: UTF8.self)
    return text.escapingControlCharactersAsJSON + "\n"
  }

  /// A diagnostic as `{"error": {…}}`, so that a program never has to parse prose.
  public static func of(_ diagnostic: Diagnostic) -> String {
    of([diagnostic.severity.rawValue: DiagnosticPayload(diagnostic)])
  }
}

/// The JSON shape of a diagnostic.
public struct DiagnosticPayload: Encodable, Sendable {
  public var id: String
  public var what: String
  public var location: String?
  /// What was typed, and the bytes of it that are meant.
  public var excerpt: ExcerptPayload?
  public var fix: String?
  /// What `fix` was called before.
  public var mend: String?
  public var notes: [String]

  public init(_ diagnostic: Diagnostic) {
    id = diagnostic.id
    what = diagnostic.what
    location = diagnostic.location?.description
    excerpt = diagnostic.excerpt.map {
      ExcerptPayload(text: $0.text, from: $0.range.lowerBound, to: $0.range.upperBound)
    }
    fix = diagnostic.mend
    mend = diagnostic.mend
    notes = diagnostic.notes
  }

  private enum CodingKeys: String, CodingKey {
    case id, what
    case location = "where"
    case excerpt, fix, mend, notes
  }
}

/// The JSON shape of an excerpt.
public struct ExcerptPayload: Encodable, Sendable {
  public var text: String
  public var from: Int
  public var to: Int
}
