internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

/// The pieces of a digest as table rows of at most 80 columns, independent of the length of names.
struct HashRows {
  /// The number of bytes per line.
  private static let chunk = 8
  /// The columns for the meaning: 80 minus the bytes, the digest so far, the margin and the gaps.
  private static let meaningWidth = 41
  /// The number of columns per line.
  static let width = 80

  /// The bytes and meaning of a piece, in as many rows as needed.
  static func cells(_ piece: HashStep.Piece, _ role: StyledText.Role = .plain) -> [[StyledText]] {
    let bytes = lines(of: piece)
    let meaning = StyledText(piece.meaning, role).wrapped(to: meaningWidth, indent: 2)
    return (0..<max(bytes.count, meaning.count)).map { index in
      [
        StyledText(index < bytes.count ? bytes[index] : "", role),
        index < meaning.count ? meaning[index] : "",
      ]
    }
  }

  /// The first bytes of a digest of another subject, or the bytes in hexadecimal.
  private static func lines(of piece: HashStep.Piece) -> [String] {
    if piece.field.source != nil, let hash = VersionHash(bytes: piece.bytes) {
      return ["<\(hash.short) …>"]
    }
    return stride(from: 0, to: piece.bytes.count, by: chunk).map { start in
      piece.bytes[start..<min(start + chunk, piece.bytes.count)]
        .map { CollectionOfOne($0).hex }.joined(separator: " ")
    }
  }
}

extension HashRows {
  /// A line wrapped to at most 80 columns; empty for an empty line.
  static func wrapped(_ line: StyledText) -> [StyledText] {
    line.isEmpty ? [] : line.wrapped(to: width, indent: 4)
  }
}
