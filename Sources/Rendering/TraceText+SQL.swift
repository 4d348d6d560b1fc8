package import StrataBase
internal import StrataEssentials

extension TraceText {
  /// The lines of a statement at an SQLDebug level, in Core Data's formats.
  ///
  /// - Level 1: the statement when it begins, and its duration when it has ended.
  /// - Level 2: the bound values, and the number of rows.
  /// - Level 3: the rows; if there are many, the first.
  /// - Level 4: SQLite's query plan. Core Data's own lines are not known: the format is Strata's.
  ///
  /// A level includes the lines of the lower levels, with one exception: the line with the number of rows
  /// at level 2 has a different end from level 3 on, where the rows follow.
  ///
  /// Statements that correspond to Core Data's have Core Data's tag, all others Strata's.
  ///
  /// Times, and values without `revealing`, are shown only live: a saved answer contains zero
  /// and the type of the value instead.
  ///
  /// Source: `Docs/Facts/debug-logs.md`, sections 2 and 3, shapes 13, 24 to 26, 28 to 31, 42.
  package static func sqlLines(
    _ event: TraceEvent.Kind, level: Int, revealing: Bool
  ) -> [StyledText] {
    guard level > 0 else { return [] }
    return switch event {
    case .sqlBegan(let statement): beginning(of: statement, level, revealing)
    case .sqlEnded(let statement): end(of: statement, level, revealing)
    default: []
    }
  }

  private static func beginning(
    of statement: TraceStatement, _ level: Int, _ isRevealed: Bool
  ) -> [StyledText] {
    var lines = [line(statement, "sql: ", StyledText(statement.sql))]
    if level > 3 {
      lines += statement.plan.map {
        line(statement, "annotation: ", StyledText("query plan: \($0)"))
      }
    }
    if level > 1 {
      lines += statement.bindings.enumerated().map { index, value in
        line(
          statement, "details: ", StyledText("SQLite bind[\(index)] = ") + value.text(isRevealed))
      }
    }
    return lines
  }

  private static func end(
    of statement: TraceStatement, _ level: Int, _ isRevealed: Bool
  ) -> [StyledText] {
    func annotation(_ text: StyledText) -> StyledText { line(statement, "annotation: ", text) }
    let time = StyledText(live: statement.seconds.text(digits: 4), kept: "0.0000")
    guard statement.isFetch else { return [annotation("sql execution time: " + time + "s")] }
    let count = statement.rowCount
    var lines = [annotation("sql connection fetch time: " + time + "s")]
    if let found = statement.count {
      return lines + [
        annotation(
          "total count request execution time: " + time + StyledText("s for count of \(found)."))
      ]
    }
    lines.append(
      annotation("total fetch execution time: " + time + StyledText("s for \(count) rows.")))
    guard level > 1 else { return lines }
    let returned =
      "fetch using NSSQLiteStatement <\(pointer(to: statement))>"
      + (statement.entity.map { " on entity '\($0)'" } ?? "")
      + " with sql text '\(statement.sql)' returned \(count) rows"
    guard level > 2 else { return lines + [annotation(StyledText(returned))] }
    lines.append(annotation(StyledText(returned + " with values: (")))
    for row in statement.rows {
      var text = StyledText("    ")
      for (index, value) in row.enumerated() {
        text += (index > 0 ? ", " : "") + value.text(isRevealed)
      }
      lines.append(text)
    }
    if statement.rows.count < count {
      lines.append(StyledText("    … \(count - statement.rows.count) more"))
    }
    return lines + [")"]
  }

  private static func line(
    _ statement: TraceStatement, _ prefix: String, _ text: StyledText
  ) -> StyledText {
    StyledText("\(statement.tag.rawValue): \(prefix)", .faint) + text
  }

  /// A stand-in for the address of a statement: the same for the same SQL text, wherever it runs.
  private static func pointer(to statement: TraceStatement) -> String {
    // FNV-1a.
    let hash = statement.sql.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return "0x6000" + String(hash & 0xffff_ffff | 1 << 32, radix: 16).dropFirst()
  }
}

extension TraceValue {
  /// A bound value in Core Data's format: text in quotes.
  func text(_ isRevealed: Bool) -> StyledText {
    let (shown, kind) =
      switch self {
      case .null: ("nil", "nil")
      case .integer(let number): (String(number), "(integer)")
      case .real(let number): (String(number), "(real)")
      case .text(let text): ("\"\(text)\"", "(text of \(text.utf8.count) bytes)")
      case .bytes(let count): ("(\(count) bytes)", "(\(count) bytes)")
      }
    return isRevealed ? StyledText(shown) : StyledText(live: shown, kept: kind)
  }
}
