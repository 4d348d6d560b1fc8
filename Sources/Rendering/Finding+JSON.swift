package import StrataBase

extension Finding {
  /// - Parameter formerKeys: Additional keys, from before all findings had one shape. Own keys hide them.
  package func json(formerKeys: JSONValue.Members = [:]) -> JSONValue {
    let own: JSONValue.Members = [
      "rule": id, "severity": severity.rawValue, "code": code?.rawValue, "place": location.json,
      "message": reason, "fixes": fixes.map(\.json), "evidence": evidence.json,
    ]
    return .object(withoutNull: formerKeys + own)
  }
}

extension FindingLocation {
  /// The object is its primary key.
  fileprivate var json: JSONValue {
    .object(withoutNull: [
      "bundle": bundle, "version": version, "entity": entity, "property": property,
      "mapping": mapping, "store": store, "object": object, "file": file, "line": line,
    ])
  }
}

extension Fix {
  /// The score of a guess is from 0 to 1.
  fileprivate var json: JSONValue {
    .object(withoutNull: [
      "text": text, "commands": commands, "verified": isVerified,
      "othersRemain": proof == .partly ? true : nil, "score": score,
      "evidence": evidence.isEmpty ? nil : evidence,
    ])
  }
}

extension FindingEvidence {
  fileprivate var json: JSONValue? {
    guard self != FindingEvidence() else { return nil }
    return .object(withoutNull: [
      "count": count, "unit": unit?.rawValue,
      "objects": keys.isEmpty ? nil : keys.map { "p\($0)" },
      "programs": programs.isEmpty ? nil : programs,
    ])
  }
}
