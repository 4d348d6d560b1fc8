extension String {
  /// The text as one word of a POSIX shell, for a command that a user pastes.
  ///
  /// ```swift
  /// "it's $HOME".shellQuoted  // "'it'\\''s $HOME'"
  /// ```
  package var shellQuoted: String {
    let isPlain = !isEmpty && unicodeScalars.allSatisfy { Self.plainScalars.contains($0) }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }

  /// Whether the text can be shown and pasted as it is: no control characters, and none that change the direction of text.
  package var isPastable: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
      default: true
      }
    }
  }

  private static let plainScalars = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,-".unicodeScalars)
}
