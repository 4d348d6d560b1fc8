internal import StrataObjectModel
internal import StrataRendering

/// The pieces of a digest as rows of a table that fits 80 columns, whatever the length of names.
struct HashRows {
  /// Bytes in a line.
  private static let chunk = 8
  /// Columns for the meaning: 80 less the bytes, the digest so far, the margin and the gaps.
  private static let meaningWidth = 41
  /// Columns of a line.
  static let width = 80

  /// Bytes and meaning of a piece, as many rows as they need.
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

  /// A digest of another subject by its first bytes, other bytes in hexadecimal.
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
  /// A line as lines of at most 80 columns; none for an empty one.
  static func wrapped(_ line: StyledText) -> [StyledText] {
    line.isEmpty ? [] : line.wrapped(to: width, indent: 4)
  }
}
