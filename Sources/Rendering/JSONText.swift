package import StrataBase
internal import StrataEssentials

/// The `--json` form of the output: keys sorted, indented by two spaces per level.
package enum JSONText {
  /// - Returns: The payload's JSON and a line feed.
  package static func of(_ payload: any Encodable) -> String {
    if let value = payload as? JSONValue {
      return value.text.escapingControlCharactersAsJSON + "\n"
    }
    if let lines = payload as? JSONLines {
      return lines.values.map { $0.line.escapingControlCharactersAsJSON + "\n" }.joined()
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    // Payloads are plain values without infinities, so encoding cannot fail.
    guard let data = try? encoder.encode(payload) else {
      preconditionFailure("a payload that is no JSON")
    }
    let text = String(decoding: data, as: UTF8.self)
    return text.escapingControlCharactersAsJSON + "\n"
  }

  /// A diagnostic as `{"error": {…}}`, so that programs need not parse messages.
  package static func of(_ diagnostic: Diagnostic) -> String {
    of([diagnostic.severity.rawValue: DiagnosticPayload(diagnostic)])
  }
}

/// The JSON shape of a diagnostic.
package struct DiagnosticPayload: Encodable, Sendable {
  package var id: String
  package var what: String
  package var location: String?
  /// The typed text, and the byte range that the diagnostic is about.
  package var excerpt: ExcerptPayload?
  package var fix: String?
  /// The former name of `fix`.
  package var legacyFix: String?
  package var notes: [String]

  package init(_ diagnostic: Diagnostic) {
    id = diagnostic.id
    what = diagnostic.what
    location = diagnostic.location?.description
    excerpt = diagnostic.excerpt.map {
      ExcerptPayload(text: $0.text, from: $0.range.lowerBound, to: $0.range.upperBound)
    }
    fix = diagnostic.fix
    legacyFix = diagnostic.fix
    notes = diagnostic.notes
  }

  private enum CodingKeys: String, CodingKey {
    case id, what
    case location = "where"
    case excerpt, fix
    case legacyFix = "mend"
    case notes
  }
}

/// The JSON shape of an excerpt.
package struct ExcerptPayload: Encodable, Sendable {
  package var text: String
  package var from: Int
  package var to: Int
}
