/// Follows the quotes of a line, scalar by scalar: a mark behind a quote is no part of the quote.
package struct QuoteTracker {
  private var quote: Unicode.Scalar?
  private var isEscaped = false

  package init() {}

  /// Goes past the next scalar.
  ///
  /// - Returns: Whether it stands outside of quotes, and is none itself.
  package mutating func goesOutside(_ scalar: Unicode.Scalar) -> Bool {
    guard let open = quote else {
      if scalar == "\"" || scalar == "'" { quote = scalar }
      return quote == nil
    }
    if isEscaped {
      isEscaped = false
    } else if scalar == "\\" {
      isEscaped = true
    } else if scalar == open {
      quote = nil
    }
    return false
  }
}

extension Substring {
  /// A line without the comment at its end: `#` with white space, or nothing, on either side of it,
  /// outside quotes.
  package var withoutComment: Substring {
    let scalars = unicodeScalars
    var quotes = QuoteTracker()
    var isAfterSpace = true
    for place in scalars.indices {
      let scalar = scalars[place]
      if quotes.goesOutside(scalar), scalar == "#", isAfterSpace {
        let next = scalars.index(after: place)
        if next == scalars.endIndex || scalars[next].properties.isWhitespace {
          return self[..<place]
        }
      }
      isAfterSpace = scalar.properties.isWhitespace
    }
    return self
  }
}
