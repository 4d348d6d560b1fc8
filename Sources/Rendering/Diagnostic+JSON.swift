package import StrataBase

extension Diagnostic {
  /// The `--json` form of an error, `{"error": {…}}`, so that programs need not parse messages.
  package var named: JSONValue { [severity.rawValue: json] }

  /// `mend` is the former name of `fix`.
  package var json: JSONValue {
    // The typed text, and the byte range that the diagnostic is about.
    let excerpt: JSONValue? = excerpt.map {
      ["text": $0.text, "from": $0.range.lowerBound, "to": $0.range.upperBound]
    }
    return .object(withoutNull: [
      "id": id, "what": what, "code": code?.rawValue, "where": location?.description,
      "excerpt": excerpt, "fix": fix,
      "mend": fix, "notes": notes,
    ])
  }
}
