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
    let json: JSONValue = [diagnostic.severity.rawValue: diagnostic.json]
    return of(SortedJSON(json))
  }
}

extension Diagnostic {
  /// `mend` is the former name of `fix`.
  package var json: JSONValue {
    // The typed text, and the byte range that the diagnostic is about.
    let excerpt: JSONValue? = excerpt.map {
      ["text": $0.text, "from": $0.range.lowerBound, "to": $0.range.upperBound]
    }
    return .object(withoutNull: [
      "id": id, "what": what, "where": location?.description, "excerpt": excerpt, "fix": fix,
      "mend": fix, "notes": notes,
    ])
  }
}
