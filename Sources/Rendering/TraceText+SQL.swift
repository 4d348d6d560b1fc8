internal import Foundation
public import StrataTraceEvents

extension TraceText {
  /// The lines of a statement at an SQLDebug level, in the shapes that Core Data prints.
  ///
  /// - Level 1: the statement, and how long it took.
  /// - Level 2: what is bound to it, and how many rows came.
  /// - Level 3: the rows; of many, the first.
  /// - Level 4: how SQLite goes about it. No paste of Core Data's own lines is known: these are Strata's.
  ///
  /// Times, and values without `revealing`, are only for those who look on: an answer that is kept has zero
  /// and the kind of the value in their place.
  ///
  /// Source: facts on debug logs, sections 2 and 3, shapes 13, 24, 25, 28 to 31, 42.
  public static func sqlLines(
    _ event: TraceEvent, level: Int, revealing: Bool
  ) -> [StyledText] {
    guard level > 0, case .sqlRan(let statement) = event.kind else { return [] }
    var lines = [line("sql: ", StyledText(statement.sql))]
    if level > 3 {
      lines += statement.plan.map { line("annotation: ", StyledText("query plan: \($0)")) }
    }
    if level > 1 {
      lines += statement.bindings.enumerated().map { index, value in
        line("details: ", StyledText("SQLite bind[\(index)] = ") + value.text(revealing))
      }
    }
    let time = StyledText(live: String(format: "%.4f", statement.seconds), kept: "0.0000")
    guard statement.isFetch else {
      return lines + [line("annotation: ", StyledText("sql execution time: ") + time + "s")]
    }
    let count = statement.rowCount
    lines.append(line("annotation: ", StyledText("sql connection fetch time: ") + time + "s"))
    lines.append(
      line(
        "annotation: ",
        StyledText("total fetch execution time: ") + time + StyledText("s for \(count) rows.")))
    guard level > 1 else { return lines }
    let returned =
      "fetch using NSSQLiteStatement <\(pointer(to: statement))>"
      + (statement.entity.map { " on entity '\($0)'" } ?? "")
      + " with sql text '\(statement.sql)' returned \(count) rows"
    guard level > 2 else { return lines + [line("annotation: ", StyledText(returned))] }
    lines.append(line("annotation: ", StyledText(returned + " with values: (")))
    for row in statement.rows {
      var text = StyledText("    ")
      for (place, value) in row.enumerated() {
        text += (place > 0 ? ", " : "") + value.text(revealing)
      }
      lines.append(text)
    }
    if statement.rows.count < count {
      lines.append(StyledText("    … \(count - statement.rows.count) more"))
    }
    return lines + [")"]
  }

  private static func line(_ prefix: String, _ text: StyledText) -> StyledText {
    StyledText("CoreData: \(prefix)", .faint) + text
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
