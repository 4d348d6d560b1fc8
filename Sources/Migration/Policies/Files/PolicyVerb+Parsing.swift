internal import StrataBase
internal import StrataExpressions

extension PolicyScript.Verb {
  /// The keywords at the beginning of statements.
  static let beginnings =
    "skip when, one destination for each, set, split, join, create, find or create, delete when, keep first, require, method"

  /// - Parameter beginnings: The keywords to name in an error.
  init(
    parsing statement: LinePart, beginnings: String = Self.beginnings
  ) throws(LineError) {
    if let parts = try statement.match("skip when PREDICATE") {
      self = .skip(when: try parts[0].predicate())
    } else if let parts = try statement.match("one destination for each EXPRESSION") {
      self = .oneDestination(forEach: try parts[0].expression())
    } else if let parts = try statement.match("set NAME = EXPRESSION") {
      self = try Self.set(parts[0].text, to: parts[1])
    } else if let parts = try statement.match("split EXPRESSION at TEXT into NAMES") {
      let names = parts[2].split(at: ",")
      for (place, name) in names.enumerated()
      where names[..<place].contains(where: { $0.text == name.text }) {
        throw name.problem("\(name.text) gets two parts", fix: "name another attribute")
      }
      self = .split(
        try parts[0].expression(), at: try parts[1].textConstant(), into: names.map(\.text))
    } else if let parts = try statement.match("join EXPRESSIONS with TEXT into NAME") {
      var expressions: [Expression] = []
      for part in parts[0].split(at: ",") { expressions.append(try part.expression()) }
      self = .join(expressions, with: try parts[1].textConstant(), into: parts[2].text)
    } else if let parts = try statement.match("create ENTITY [with VALUES]") {
      self = .make(try PolicyScript.Search(creating: parts))
    } else if let parts = try statement.match("find or create ENTITY where CONDITION [with VALUES]")
    {
      self = .make(try PolicyScript.Search(finding: parts, creates: true))
    } else if let parts = try statement.match("delete when PREDICATE") {
      self = .delete(when: try parts[0].predicate())
    } else if let parts = try statement.match("keep first ORDER") {
      self = try Self.keepFirst(parts[0])
    } else if let parts = try statement.match("require CONDITION") {
      self = try Self.require(parts[0])
    } else {
      throw statement.expected("a statement", fix: "begin with one of: \(beginnings)")
    }
  }

  /// `EXPRESSION`, or `find …` or `create …` for a relationship.
  private static func set(_ name: String, to value: LinePart) throws(LineError) -> Self {
    if value.parts(at: " with ") != nil, let parts = try value.match("create ENTITY with VALUES") {
      .relate(relationship: name, try PolicyScript.Search(creating: parts))
    } else if let parts = try value.match("find or create ENTITY where CONDITION [with VALUES]") {
      .relate(relationship: name, try PolicyScript.Search(finding: parts, creates: true))
    } else if let parts = try value.match("find ENTITY where CONDITION [with VALUES]") {
      .relate(relationship: name, try PolicyScript.Search(finding: parts, creates: false))
    } else {
      .set(attribute: name, try value.expression())
    }
  }

  /// `[of NAME] by KEY [descending]`
  private static func keepFirst(_ order: LinePart) throws(LineError) -> Self {
    let named = try order.match("of NAME by KEY")
    let parts = try named == nil ? order.match("by KEY") : named
    guard let parts, let key = parts.last else {
      throw order.expected("\"by\"", fix: "write it as: keep first of NAME by KEY descending")
    }
    var tokens = key.slice.split(separator: " ")
    let isDescending = tokens.last == "descending"
    if isDescending || tokens.last == "ascending" { tokens.removeLast() }
    guard tokens.count == 1 else {
      throw key.problem("the key must be one word", fix: "keep first by dateCreated descending")
    }
    return .keepFirst(
      of: parts.count > 1 ? parts[0].text : nil,
      by: tokens[0].split(separator: ".").map(String.init), isAscending: !isDescending)
  }

  /// `PREDICATE, "message"`
  private static func require(_ condition: LinePart) throws(LineError) -> Self {
    let parts = condition.split(at: ",")
    guard parts.count > 1, let message = parts.last else {
      throw condition.ending.expected(
        "\",\" and a message", fix: "write it as: require PREDICATE, \"message\"")
    }
    let end = parts[parts.count - 2].slice.endIndex
    return .require(
      try condition[condition.slice.startIndex..<end].predicate(),
      message: try PolicyScript.MessagePart.parts(of: message))
  }
}

extension PolicyScript.Search {
  /// - Parameter parts: An entity, and `NAME = EXPRESSION, …`.
  fileprivate init(creating parts: [LinePart]) throws(LineError) {
    self.init(
      entity: parts[0].text, key: nil, creates: true,
      values: try PolicyScript.Assignment.list(parts[1]))
  }

  /// - Parameter parts: An entity, `NAME == EXPRESSION`, and `NAME = EXPRESSION, …`.
  fileprivate init(finding parts: [LinePart], creates: Bool) throws(LineError) {
    guard creates || parts[2].isEmpty else {
      throw parts[2].problem(
        "find creates no object that could get a value", fix: "write it as: find or create …")
    }
    let key = try parts[1].parts(of: "NAME == EXPRESSION")
    self.init(
      entity: parts[0].text, key: try PolicyScript.Assignment(key), creates: creates,
      values: try PolicyScript.Assignment.list(parts[2]))
  }
}

extension PolicyScript.Assignment {
  fileprivate init(_ parts: [LinePart]) throws(LineError) {
    self.init(attribute: parts[0].text, value: try parts[1].expression())
  }

  /// `NAME = EXPRESSION, NAME = EXPRESSION`
  fileprivate static func list(_ text: LinePart) throws(LineError) -> [Self] {
    var list: [Self] = []
    for part in text.split(at: ",") { list.append(try Self(part.parts(of: "NAME = EXPRESSION"))) }
    return list
  }
}

extension PolicyScript.MessagePart {
  /// `"no presenter for \(title)"`
  fileprivate static func parts(of message: LinePart) throws(LineError) -> [Self] {
    guard message.slice.count > 1, message.slice.hasPrefix("\""), message.slice.hasSuffix("\"")
    else {
      throw message.problem(
        "the message must be in double quotes", fix: "\"no presenter for \\(title)\"")
    }
    var parts: [Self] = []
    var rest = message.slice.dropFirst().dropLast()
    while let mark = rest.firstRange(of: "\\(") {
      guard let end = rest[mark.upperBound...].firstIndex(of: ")") else {
        throw message[mark].problem("the parenthesis is not closed")
      }
      parts.append(.text(String(rest[..<mark.lowerBound])))
      parts.append(.value(try message[mark.upperBound..<end].expression()))
      rest = rest[rest.index(after: end)...]
    }
    return parts + [.text(String(rest))]
  }
}

extension LinePart {
  /// The part as a quoted string.
  fileprivate func textConstant() throws(LineError) -> String {
    guard case .constant(.text(let text)) = try expression() else {
      throw expected("a text in quotes", fix: "for example ' '")
    }
    return text
  }
}
