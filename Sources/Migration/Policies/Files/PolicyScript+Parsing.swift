public import StrataBase
internal import StrataExpressions

extension PolicyScript {
  /// Reads the policies of a file.
  ///
  /// - Throws: ``PolicyScriptError`` with its line.
  public static func policies(parsing text: String) throws(PolicyScriptError) -> [PolicyScript] {
    guard text.utf8.count <= sizeLimit else {
      throw PolicyScriptError(line: 1, what: "the file has more than \(sizeLimit) bytes")
    }
    var policies: [PolicyScript] = []
    var headings: Set<PolicyScript> = []
    var selectors: Set<String> = []
    for (number, isIndented, line) in lines(of: text) {
      guard isIndented else {
        let policy = try heading(line, number)
        guard headings.insert(policy).inserted else {
          throw PolicyScriptError(line: number, what: "there are two policies \(policy.name)")
        }
        selectors = []
        policies.append(policy)
        continue
      }
      guard !policies.isEmpty else {
        throw PolicyScriptError(
          line: number, what: "this belongs to no policy", mend: "policy NAME")
      }
      var reader = StatementReader(line, number)
      if let method = try reader.method() {
        guard selectors.insert(method.selector).inserted else {
          throw PolicyScriptError(
            line: number, what: "there are two methods \(method.selector)")
        }
        policies[policies.count - 1].methods.append(method)
      } else {
        policies[policies.count - 1].statements.append(try reader.statement())
      }
    }
    return policies
  }

  /// `policy NAME [for MAPPING] [in MODEL] [from VERSION] [to VERSION]`
  private static func heading(
    _ line: String, _ number: Int
  ) throws(PolicyScriptError) -> PolicyScript {
    let parts: [String: WritableKeyPath<Condition, String?>] = [
      "for": \.entityMapping, "in": \.mappingModel, "from": \.source, "to": \.destination,
    ]
    let words = PolicyText.words(line)
    guard words.count >= 2, words[0] == "policy" else {
      throw PolicyScriptError(
        line: number, what: "a policy begins here: policy NAME",
        mend: "move what it does in by two spaces")
    }
    var policy = PolicyScript(name: words[1], statements: [])
    var rest = words.dropFirst(2)
    while let word = rest.popFirst() {
      guard let part = parts[word], policy.condition[keyPath: part] == nil,
        let name = rest.popFirst()
      else {
        throw PolicyScriptError(
          line: number, what: "the policy \(words[1]) is for what stands behind its name",
          mend: "policy NAME for ENTITY-MAPPING in MAPPING-MODEL from VERSION to VERSION")
      }
      policy.condition[keyPath: part] = name
    }
    return policy
  }

  static let sizeLimit = 1_000_000

  /// The lines that say something, those that go on joined.
  static func lines(
    of text: String
  ) -> [(number: Int, isIndented: Bool, line: String)] {
    var lines: [(number: Int, isIndented: Bool, line: String)] = []
    var margin = 0
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = raw.withoutComment
      let indent = line.prefix { $0 == " " || $0 == "\t" }.count
      let content = line.drop { $0.isWhitespace }
      guard !content.isEmpty else { continue }
      let words = PolicyText.trimmed(String(content))
      if lines.last?.isIndented == true, indent > margin {
        lines[lines.count - 1].line += " " + words
      } else {
        lines.append((index + 1, indent > 0, words))
        margin = indent
      }
    }
    return lines
  }
}

/// Why a file of policies or stages cannot be read.
public struct PolicyScriptError: Error, Hashable, Sendable {
  public enum Subject: String, Sendable {
    case policies, stages
  }

  public var line: Int
  public var subject: Subject
  var what: String
  var mend: String?

  init(_ subject: Subject = .policies, line: Int, what: String, mend: String? = nil) {
    self.subject = subject
    self.line = line
    self.what = what
    self.mend = mend
  }
}

extension PolicyScriptError: DiagnosticError {
  public var diagnostic: Diagnostic {
    Diagnostic(
      id: subject == .policies ? "policy.syntax" : "stages.syntax", what: what,
      location: Location(line: line), mend: mend ?? "`help \(subject)` shows every form")
  }
}

/// Reads one statement of a policy.
struct StatementReader {
  private var rest: String
  private let number: Int

  init(_ line: String, _ number: Int) {
    rest = line
    self.number = number
  }

  mutating func statement() throws(PolicyScriptError) -> PolicyScript.Statement {
    var call: PolicyScript.Statement.Call?
    if take("in ") {
      let (name, after) = try parts(rest, at: ":", wanting: "in creation: …")
      guard let known = PolicyScript.Statement.Call(rawValue: name) else {
        throw problem(
          "\(name) is no pass",
          mend: PolicyScript.Statement.Call.allCases.map { "in \($0.rawValue):" }.joined(
            separator: ", "))
      }
      call = known
      rest = after
    }
    let verb = try verb()
    let calls = verb.calls
    if let call, !calls.contains(call) {
      let others = calls.dropFirst().map(\.rawValue).joined(separator: ", ")
      throw problem(
        "this is done in \(calls[0].rawValue), and not in \(call.rawValue)",
        mend: others.isEmpty ? nil : "it may also be done in \(others)")
    }
    return PolicyScript.Statement(call: call ?? calls[0], verb: verb, line: number)
  }

  mutating func verb() throws(PolicyScriptError) -> PolicyScript.Verb {
    if take("skip when ") { return .skip(when: try predicate(rest)) }
    if take("one destination for each ") {
      return .oneDestination(forEach: try expression(rest))
    }
    if take("set ") { return try set() }
    if take("split ") {
      let (text, after) = try parts(rest, at: " at ", wanting: "split EXPRESSION at ' ' into …")
      let (mark, names) = try parts(after, at: " into ", wanting: "… into NAME, NAME")
      return .split(
        try expression(text), at: try literal(mark), into: PolicyText.split(names, at: ","))
    }
    if take("join ") {
      let (texts, after) = try parts(rest, at: " with ", wanting: "join A, B with ' ' into NAME")
      let (mark, name) = try parts(after, at: " into ", wanting: "… into NAME")
      var expressions: [Expression] = []
      for text in PolicyText.split(texts, at: ",") { expressions.append(try expression(text)) }
      return .join(expressions, with: try literal(mark), into: name)
    }
    if take("create ") {
      let (entity, values) = PolicyText.firstParts(rest, at: " with ") ?? (rest, "")
      return .make(
        PolicyScript.Search(
          entity: entity, key: nil, creates: true, values: try assignments(values)))
    }
    if take("find or create ") { return .make(try search(creates: true)) }
    if take("delete when ") { return .delete(when: try predicate(rest)) }
    if take("keep first ") { return try keepFirst() }
    if take("require ") {
      let pieces = PolicyText.split(rest, at: ",")
      guard pieces.count > 1, let last = pieces.last else {
        throw problem("require PREDICATE, \"what is wrong where it is not so\"")
      }
      let condition = pieces.dropLast().joined(separator: ", ")
      return .require(try predicate(condition), message: try message(last))
    }
    let verbs = [
      "skip when", "one destination for each", "set", "split", "join", "create",
      "find or create", "delete when", "keep first", "require", "method",
    ]
    throw problem(
      "\(rest.prefix(30)) is nothing that a policy does", mend: verbs.joined(separator: ", "))
  }

  private mutating func set() throws(PolicyScriptError) -> PolicyScript.Verb {
    let (name, after) = try parts(rest, at: "=", wanting: "set NAME = EXPRESSION")
    rest = after
    if PolicyText.firstParts(rest, at: " with ") != nil, take("create ") {
      let (entity, values) = try parts(rest, at: " with ", wanting: "create ENTITY with NAME = …")
      let search = PolicyScript.Search(
        entity: entity, key: nil, creates: true, values: try assignments(values))
      return .relate(relationship: name, search)
    }
    let creates = take("find or create ")
    guard creates || take("find ") else {
      return .set(attribute: name, try expression(rest))
    }
    return .relate(relationship: name, try search(creates: creates))
  }

  /// `ENTITY where NAME == EXPRESSION with …`
  private func search(creates: Bool) throws(PolicyScriptError) -> PolicyScript.Search {
    let (entity, condition) = try parts(
      rest, at: " where ", wanting: "find or create ENTITY where NAME == EXPRESSION")
    var (wanted, others) = (condition, "")
    if let found = PolicyText.firstParts(condition, at: " with ") { (wanted, others) = found }
    let (attribute, value) = try parts(
      wanted, at: "==", wanting: "… where NAME == EXPRESSION")
    return PolicyScript.Search(
      entity: entity,
      key: PolicyScript.Assignment(attribute: attribute, value: try expression(value)),
      creates: creates, values: try assignments(others))
  }

  /// `method join:$a with:$b = EXPRESSION`; `nil` for anything else.
  mutating func method() throws(PolicyScriptError) -> PolicyScript.Method? {
    guard take("method ") else { return nil }
    let form = "method NAME:$VALUE NAME:$VALUE = EXPRESSION"
    let (head, value) = try parts(rest, at: "=", wanting: form)
    var selector = ""
    var parameters: [String] = []
    for part in head.split(separator: " ") {
      let pieces = part.split(separator: ":", maxSplits: 1).map(String.init)
      guard pieces.count == 2, pieces[1].hasPrefix("$"), pieces[1].count > 1,
        !parameters.contains(String(pieces[1].dropFirst()))
      else {
        guard !head.contains(" "), !head.contains(":") else {
          throw problem("this is written as: \(form)")
        }
        return PolicyScript.Method(
          selector: head, parameters: [], value: try expression(value))
      }
      selector += pieces[0] + ":"
      parameters.append(String(pieces[1].dropFirst()))
    }
    return PolicyScript.Method(
      selector: selector, parameters: parameters, value: try expression(value))
  }

  /// `NAME = EXPRESSION, NAME = EXPRESSION`
  private func assignments(
    _ text: String
  ) throws(PolicyScriptError) -> [PolicyScript.Assignment] {
    var values: [PolicyScript.Assignment] = []
    for part in PolicyText.split(text, at: ",") {
      let (name, value) = try parts(part, at: "=", wanting: "with NAME = EXPRESSION")
      values.append(PolicyScript.Assignment(attribute: name, value: try expression(value)))
    }
    return values
  }

  private mutating func keepFirst() throws(PolicyScriptError) -> PolicyScript.Verb {
    var name: String?
    if take("of ") {
      let (relationship, after) = try parts(rest, at: " by ", wanting: "keep first of NAME by KEY")
      (name, rest) = (relationship, "by " + after)
    }
    guard take("by ") else { throw problem("keep first by KEY, or keep first of NAME by KEY") }
    var words = rest.split(separator: " ").map(String.init)
    let isDescending = words.last == "descending"
    if isDescending || words.last == "ascending" { words.removeLast() }
    guard words.count == 1 else { throw problem("the key is one word: keep first by dateCreated") }
    return .keepFirst(
      of: name, by: words[0].split(separator: ".").map(String.init), isAscending: !isDescending)
  }

  // MARK: Pieces

  private mutating func take(_ words: String) -> Bool {
    guard rest.hasPrefix(words) else { return false }
    rest = PolicyText.trimmed(String(rest.dropFirst(words.count)))
    return true
  }

  private func parts(
    _ text: String, at mark: String, wanting form: String
  ) throws(PolicyScriptError) -> (String, String) {
    guard let found = PolicyText.firstParts(text, at: mark), !found.0.isEmpty, !found.1.isEmpty
    else { throw problem("this is written as: \(form)") }
    return found
  }

  private func problem(_ what: String, mend: String? = nil) -> PolicyScriptError {
    PolicyScriptError(line: number, what: what, mend: mend)
  }

  private func expression(_ text: String) throws(PolicyScriptError) -> Expression {
    do {
      return try Expression(parsing: text)
    } catch {
      throw problem("\(text): \(error.diagnostic.what)", mend: error.diagnostic.mend)
    }
  }

  private func predicate(_ text: String) throws(PolicyScriptError) -> Predicate {
    do {
      return try Predicate(parsing: text)
    } catch {
      throw problem("\(text): \(error.diagnostic.what)", mend: error.diagnostic.mend)
    }
  }

  private func literal(_ text: String) throws(PolicyScriptError) -> String {
    guard case .constant(.text(let literal)) = try expression(text) else {
      throw problem("\(text) is no text", mend: "write it in quotes: ' '")
    }
    return literal
  }

  /// `"no presenter for \(title)"`
  private func message(_ text: String) throws(PolicyScriptError) -> [PolicyScript.MessagePart] {
    guard text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else {
      throw problem("what is wrong stands in double quotes: \"no presenter for \\(title)\"")
    }
    var parts: [PolicyScript.MessagePart] = []
    var rest = text.dropFirst().dropLast()
    while let mark = rest.firstRange(of: "\\(") {
      guard let end = rest[mark.upperBound...].firstIndex(of: ")") else {
        throw problem("a \\( in the text is not closed")
      }
      parts.append(.text(String(rest[..<mark.lowerBound])))
      parts.append(.value(try expression(String(rest[mark.upperBound..<end]))))
      rest = rest[rest.index(after: end)...]
    }
    return parts + [.text(String(rest))]
  }
}
