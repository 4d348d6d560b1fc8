/// The form of a session document: a script or a Markdown notebook.
///
/// **Script** (`.strata`), one command per line:
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
/// **Markdown** (`.md`): prose, and commands in fenced blocks whose info string has `strata` as its first
/// word.
/// ~~~
/// Is the old phone's store still *compatible*?
///
/// ```strata
/// > compare phone Model5
/// not compatible (134100): [..]
/// ? 1
/// ```
/// ~~~
/// - A line that begins with `> ` is a command; the lines up to the next command or the end of the block are
///   its output, and a last line `? N` is its exit status.
/// - Text before the first command of a block, or after an exit status, is an error.
/// - An output line that looks like a command or an exit status (also with backslashes before it) is written
///   with an additional backslash: `\> quoted`, `\? 1`. Other backslashes have no meaning.
/// - A block whose info string begins with `strata fresh` starts a new session, independent of the preceding
///   commands.
/// - An output with a line that would close the block is put in a block with a longer fence.
/// - Fences follow CommonMark: three or more of one of `` ` `` and `~`, indented by three spaces at
///   most, closed by as many or more. Blocks in block quotes, or deeper in lists, are prose.
///
/// **Both:**
/// - A backslash at the end of a line continues the command on the next line; the backslash and the line
///   break are removed. In Markdown, the next line begins with `> ` (or is a bare `>`), which is also
///   removed, or with a space or tab, which is kept.
/// - A command with neither output nor exit status below it is *not recorded*. The exit status is
///   written when it is not 0 or there is no output, so `#? 0` (`? 0`) alone means: recorded, and
///   the output is empty.
/// - Blank lines at the end of an output are ignored.
/// - In a recorded output, a line `...` matches any number of lines, including none, and `[..]` in a line
///   matches any number of characters, including none. After a backslash, `\...` and `\[..]`, they are
///   literal; of several backslashes, one is removed.
/// - An exit status other than 0 without output means: this status with any output.
/// - Lines `#= …` of a script, and a comment `<!-- strata answers … -->` of a notebook, contain the
///   fingerprints of the data of the answers; see ``ReplayVerdict``.
/// - Lines end with a line feed; carriage returns before it belong to the line break. A byte order mark at
///   the beginning is kept and ignored.
package enum SessionForm: String, Sendable, Hashable, CaseIterable {
  case script, markdown

  /// The form for the extension of a file, case-insensitive; `nil` for other extensions.
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

  /// The form of a text without a known extension: a text with a block of commands is a notebook.
  ///
  /// ```swift
  /// SessionForm.form(ofText: "load sample:Topics\n")         // .script
  /// SessionForm.form(ofText: "~~~strata\n> samples\n~~~\n")  // .markdown
  /// ```
  package static func form(ofText text: String) -> SessionForm {
    var scanner = LineScanner(Array(text.utf8))
    // If the scanner fails, the text is too large for either form, and its reader reports that.
    while let line = try? scanner.next() {
      let fence = Fence(opening: scanner.content(of: line), line: line.number)
      if fence?.isSession == true { return .markdown }
    }
    return .script
  }
}
