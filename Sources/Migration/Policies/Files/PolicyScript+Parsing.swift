package import StrataExpressions

extension PolicyScript {
  /// Reads the policies of a file.
  package static func policies(parsing text: String) throws(LineError) -> [PolicyScript] {
    var policies: [PolicyScript] = []
    var headings: Set<PolicyScript> = []
    var selectors: Set<String> = []
    for line in try LineLanguage.policy.lines(of: text) {
      guard line.isIndented else {
        let policy = try PolicyScript(heading: line)
        guard headings.insert(policy).inserted else {
          throw line.problem(
            "there are two policies \(policy.name)",
            fix: "delete one, or limit one by for, in, from or to")
        }
        selectors = []
        policies.append(policy)
        continue
      }
      guard !policies.isEmpty else {
        throw line.expected("a policy first", fix: "begin with: policy NAME")
      }
      if let parts = try line.match("method SELECTOR = EXPRESSION") {
        let method = try Method(parts[0], value: parts[1].expression(), in: line)
        guard selectors.insert(method.selector).inserted else {
          throw line.problem("there are two methods \(method.selector)", fix: "delete one of them")
        }
        policies[policies.count - 1].methods.append(method)
      } else {
        policies[policies.count - 1].statements.append(try Statement(parsing: line))
      }
    }
    return policies
  }

  /// `policy NAME [for MAPPING] [in MODEL] [from VERSION] [to VERSION]`
  private init(heading: LinePart) throws(LineError) {
    let parts: [String: WritableKeyPath<Condition, String?>] = [
      "for": \.entityMapping, "in": \.mappingModel, "from": \.source, "to": \.destination,
    ]
    var rest = heading
    guard rest.takeWord() == "policy" else {
      throw heading.expected(
        "a policy: policy NAME", fix: "indent the statements of a policy by two spaces")
    }
    guard let name = rest.takeWord() else { throw rest.expected("the name of the policy") }
    self.init(name: name, statements: [])
    while !rest.isEmpty {
      let start = rest
      guard let word = rest.takeWord(), let part = parts[word], condition[keyPath: part] == nil
      else {
        throw start.expected(
          "for, in, from or to, each once",
          fix: "policy NAME for ENTITY-MAPPING in MAPPING-MODEL from VERSION to VERSION")
      }
      guard let value = rest.takeWord() else { throw rest.expected("a name after \(word)") }
      condition[keyPath: part] = value
    }
  }
}

extension PolicyScript.Method {
  /// - Parameters:
  ///   - head: `join:$a with:$b`, or a name alone.
  ///   - line: The whole line.
  fileprivate init(_ head: LinePart, value: Expression, in line: LinePart) throws(LineError) {
    self.init(selector: head.text, parameters: [], value: value, position: line)
    guard selector.contains(where: { $0 == " " || $0 == ":" }) else { return }
    selector = ""
    for part in head.slice.split(separator: " ") {
      let pieces = part.split(separator: ":", maxSplits: 1)
      guard pieces.count == 2, pieces[1].hasPrefix("$"), pieces[1].count > 1,
        !parameters.contains(String(pieces[1].dropFirst()))
      else {
        throw head[part.startIndex..<part.endIndex].expected(
          "NAME:$VALUE, with another value each time",
          fix: "write it as: method NAME:$VALUE NAME:$VALUE = EXPRESSION")
      }
      selector += pieces[0] + ":"
      parameters.append(String(pieces[1].dropFirst()))
    }
  }
}

extension PolicyScript.Statement {
  /// `[in CALL:] VERB …`
  fileprivate init(parsing line: LinePart) throws(LineError) {
    guard let parts = try line.match("in CALL: STATEMENT") else {
      let verb = try PolicyScript.Verb(parsing: line)
      self.init(call: verb.calls[0], verb: verb, position: line)
      return
    }
    guard let call = Call(rawValue: parts[0].text) else {
      throw parts[0].problem(
        "there is no pass \(parts[0].text)",
        fix: Call.allCases.map { "in \($0.rawValue):" }.joined(separator: ", "))
    }
    self.init(call: call, verb: try PolicyScript.Verb(parsing: parts[1]), position: line)
    guard verb.calls.contains(call) else {
      throw parts[0].problem(
        "this statement is not allowed in \(call.rawValue)",
        fix: "it is allowed in \(verb.calls.map(\.rawValue).joined(separator: ", "))")
    }
  }
}
