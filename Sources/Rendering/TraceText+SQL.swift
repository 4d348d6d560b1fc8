internal import Foundation
package import StrataBase

extension TraceText {
  /// The lines of a statement at an SQLDebug level, in the shapes that Core Data prints.
  ///
  /// - Level 1: the statement where it begins, and how long it took where it has ended.
  /// - Level 2: what is bound to it, and how many rows came.
  /// - Level 3: the rows; of many, the first.
  /// - Level 4: how SQLite goes about it. No paste of Core Data's own lines is known: these are Strata's.
  ///
  /// The lines of a level are those of the level below and more, but for one: the line that counts the rows
  /// at level 2 ends otherwise from level 3 on, where the rows follow.
  ///
  /// Core Data's tag is on the statements that stand for its own, Strata's on all others.
  ///
  /// Times, and values without `revealing`, are only for those who look on: an answer that is kept has zero
  /// and the kind of the value in their place.
  ///
  /// Source: facts on debug logs, sections 2 and 3, shapes 13, 24 to 26, 28 to 31, 42.
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
    let time = StyledText(live: String(format: "%.4f", statement.seconds), kept: "0.0000")
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
      for (place, value) in row.enumerated() {
        text += (place > 0 ? ", " : "") + value.text(isRevealed)
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

  /// What stands for the address of a statement: the same for the same text, wherever it is run.
  private static func pointer(to statement: TraceStatement) -> String {
    // FNV-1a.
    let hash = statement.sql.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return "0x6000" + String(format: "%08llx", hash & 0xffff_ffff)
  }
}

extension TraceValue {
  /// As Core Data shows what is bound: text in quotes.
  fileprivate func text(_ isRevealed: Bool) -> StyledText {
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
