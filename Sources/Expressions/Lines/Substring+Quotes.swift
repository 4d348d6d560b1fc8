extension Substring {
  /// The first index outside quotes, and not at a quote, that satisfies a condition.
  ///
  /// It compares scalars, not characters: a combining mark after a quote is not part of the quote.
  func firstIndexOutsideQuotes(where condition: (Index) -> Bool) -> Index? {
    quotes(until: condition).found
  }

  /// The index of a quote that is not closed.
  var unclosedQuote: Index? { quotes { _ in false }.open }

  private func quotes(until condition: (Index) -> Bool) -> (found: Index?, open: Index?) {
    var quote: Unicode.Scalar?
    var start: Index?
    var isEscaped = false
    for index in unicodeScalars.indices {
      let scalar = unicodeScalars[index]
      if isEscaped {
        isEscaped = false
      } else if quote != nil {
        if scalar == quote { quote = nil } else { isEscaped = scalar == "\\" }
      } else if scalar == "\"" || scalar == "'" {
        (quote, start) = (scalar, index)
      } else if condition(index) {
        return (index, nil)
      }
    }
    return (nil, quote == nil ? nil : start)
  }

  /// A line without the comment at its end: `#` with white space, or nothing, on either side of it,
  /// outside quotes.
  var withoutComment: Substring {
    let comment = firstIndexOutsideQuotes { index in
      unicodeScalars[index] == "#"
        && unicodeScalars[..<index].last?.properties.isWhitespace != false
        && unicodeScalars[index...].dropFirst().first?.properties.isWhitespace != false
    }
    return comment.map { self[..<$0] } ?? self
  }
}
