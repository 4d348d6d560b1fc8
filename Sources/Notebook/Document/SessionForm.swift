/// How a session is written down: as a script or as a Markdown notebook.
///
/// **Script** (`.strata`), one command a line:
/// ```
/// #!/usr/bin/env -S strata run
/// # Blank lines and comments are kept.
/// hash Model1 \
///   --json
/// #| {"model": "Model1", [..]}
/// compare phone Model5
/// #| not compatible (134100): [..]
/// #? 1
/// load phone.sqlite
/// #? 0
/// ```
/// - A line whose first character other than a space or tab is `#` is a comment.
/// - Lines that begin `#| `, and bare `#|` lines, directly below a command are its recorded output;
///   a line `#? N` below them is its exit status. These two beginnings are never comments.
///
/// **Markdown** (`.md`): prose, and the same in fenced blocks whose info string has `strata` as its
/// first word.
/// ~~~
/// Is the old phone's store still *compatible*?
///
/// ```strata
/// > compare phone Model5
/// not compatible (134100): [..]
/// ? 1
/// ```
/// ~~~
/// - A line that begins `> ` is a command; what stands below it up to the next command or the end
///   of the block is its output, a last line `? N` its exit status.
/// - Text that stands before the first command of a block, or below an exit status, is an error.
/// - An output line that itself reads like a command or an exit status (also with backslashes
///   before it) is written with one backslash more: `\> quoted`, `\? 1`. No other backslash means
///   anything.
/// - The commands of a block whose info string begins `strata fresh` are a session of their own,
///   which knows nothing of those above.
/// - An output with a line that would close the block is put in a block with a longer fence.
/// - Fences follow CommonMark: three or more of one of `` ` `` and `~`, indented by three spaces at
///   most, closed by as many or more. Blocks in block quotes, or deeper in lists, are prose.
///
/// **Both:**
/// - A backslash at the end of a line continues the command on the next; backslash and line break
///   vanish and nothing else changes. In Markdown the next line begins with `> ` (or is a bare
///   `>`), which vanishes too, or with a space or tab, which stays.
/// - A command with neither output nor exit status below it is *not recorded*. The exit status is
///   written when it is not 0 or there is no output, so `#? 0` (`? 0`) alone means: recorded, and
///   the output is empty.
/// - Blank lines at the end of an output do not count.
/// - In a recorded output a line `...` stands for any number of lines, also none, and `[..]` inside
///   a line for any run of characters, also none. Behind a backslash, `\...` and `\[..]`, they stand for
///   themselves; of several backslashes one goes.
/// - An exit status other than 0 alone means: this status, whatever is said along with it.
/// - Lines `#= …` of a script, and a comment `<!-- strata answers … -->` of a notebook, hold the
///   fingerprints of the answers as data; see ``ReplayReport/Change``.
/// - Lines end with a line feed; carriage returns before it belong to the line break. A byte order
///   mark at the beginning is kept and means nothing.
package enum SessionForm: String, Sendable, Hashable, Codable, CaseIterable {
  case script, markdown

  /// The form that a file's extension says, whatever its letter case; `nil` for another extension.
  ///
  /// ```swift
  /// SessionForm.form(forPath: "Lessons/First.md")  // .markdown
  /// SessionForm.form(forPath: "phone.sqlite")      // nil
  /// ```
  package static func form(forPath path: String) -> SessionForm? {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    switch (String(name[name.index(after: dot)...]) ?? "").lowercased() {
    case "strata": return .script
    case "md", "markdown": return .markdown
    default: return nil
    }
  }

  /// The form that a text itself says, where no extension does: a block of commands makes it a
  /// notebook.
  ///
  /// ```swift
  /// SessionForm.form(ofText: "load sample:Topics\n")         // .script
  /// SessionForm.form(ofText: "~~~strata\n> samples\n~~~\n")  // .markdown
  /// ```
  package static func form(ofText text: String) -> SessionForm {
    var scanner = LineScanner(Array(text.utf8))
    // Where the scanner gives up, the text is too large for either form: its reader says so.
    while let line = try? scanner.next() {
      let fence = Fence(opening: scanner.content(of: line), line: line.number)
      if fence?.isSession == true { return .markdown }
    }
    return .script
  }
}
