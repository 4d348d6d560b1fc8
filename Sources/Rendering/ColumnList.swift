/// Words in columns, sorted downwards, as a shell lists the files of a folder.
///
/// ```swift
/// ColumnList.text(["diff", "hash", "load"], columns: 12, rows: 24)  // "diff  load\nhash\n"
/// ```
package enum ColumnList {
  /// - Parameter rows: The height of the screen: if there are more words, the first are shown with
  ///     the number of the others.
  package static func text(_ items: [String], columns: Int, rows: Int) -> String {
    let shown = items.map(\.escapingControlCharacters)
    let width = (shown.map(\.displayWidth).max() ?? 0) + 2
    let perLine = max(1, (columns + 2) / width)
    let room = max(1, rows - 3) * perLine
    let kept = Array(shown.prefix(room))
    let height = (kept.count + perLine - 1) / perLine
    var text = ""
    for row in 0..<height {
      let line = stride(from: row, to: kept.count, by: height).map { kept[$0] }
      for word in line.dropLast() {
        text += word + String(repeating: " ", count: width - word.displayWidth)
      }
      text += (line.last ?? "") + "\n"
    }
    if kept.count < shown.count { text += "… and \(shown.count - kept.count) more\n" }
    return text
  }
}
