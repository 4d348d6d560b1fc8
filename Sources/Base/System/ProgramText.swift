internal import CTexts

/// The texts among the sources that are part of the program, so that it needs no other files.
package enum ProgramText {
  /// The text of a file in `Sources/CTexts/texts.c`.
  ///
  /// ```swift
  /// ProgramText.text(of: "glossary.md").hasPrefix("# ")
  /// ```
  ///
  /// - Parameter file: Its name without folders. One that is not in `texts.c` stops the program.
  package static func text(of file: String) -> String {
    guard let text = strata_text(file) else { preconditionFailure("\(file) is not in texts.c") }
    return String(cString: text)
  }
}
