/// The text of an expression or a predicate, in which keys can be replaced without changing anything else.
package struct ExpressionText {
  private let text: [UInt8]
  private let tokens: [ExpressionToken]

  /// - Returns: `nil` for a text that cannot be read.
  package init?(_ text: String) {
    self.text = Array(text.utf8)
    guard let tokens = try? ExpressionLexer.tokens(of: self.text) else { return nil }
    self.tokens = tokens
  }

  /// The text with other keys.
  ///
  /// ```swift
  /// ExpressionText("lowercase:(owner.name)")?.renaming { $0.map { $0 == "name" ? "title" : $0 } }
  /// // lowercase:(owner.title)
  /// ```
  ///
  /// - Parameter renamed: The new keys of a key path of the object; the same number.
  package func renaming(_ renamed: (_ keys: [String]) -> [String]) -> String {
    var result = text
    for path in paths.reversed() {
      for (key, new) in zip(path, renamed(path.map(\.name))).reversed() where key.name != new {
        result.replaceSubrange(key.range, with: new.utf8)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether each occurrence of a key path of this key alone is behind the operator IN.
  package func occurrences(of key: String) -> [Bool] { places(of: key).map(\.isBehindIn) }

  /// The text with another text in place of each key path of this key alone.
  package func replacing(
    _ key: String, with replacement: (_ isBehindIn: Bool) -> String
  ) -> String {
    var result = text
    for place in places(of: key).reversed() {
      result.replaceSubrange(place.range, with: replacement(place.isBehindIn).utf8)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func places(of key: String) -> [(range: Range<Int>, isBehindIn: Bool)] {
    paths.filter { $0.map(\.name) == [key] }.map { path in
      let before = tokens[..<path[0].token].last { $0.kind != .symbol("(") }
      return (path[0].range, before?.keyword == "IN")
    }
  }

  private struct Key {
    var name: String
    /// In UTF-8 bytes of the text, without a number sign.
    var range: Range<Int>
    /// The index of its token.
    var token: Int
  }

  /// The keys of each path of the object; none of a variable or of another value.
  private var paths: [[Key]] {
    var paths: [[Key]] = []
    var index = 0
    while index < tokens.count {
      var path: [Key] = []
      let isOfObject =
        !isSymbol(index - 1, ".") || index > 1 && tokens[index - 2].keyword == "SELF"
      while let key = key(at: index) {
        path.append(key)
        guard isSymbol(index + 1, "."), index + 2 < tokens.count else { break }
        index += 2
      }
      index += 1
      if !path.isEmpty, isOfObject { paths.append(path) }
    }
    return paths
  }

  private func key(at index: Int) -> Key? {
    guard case .name(let name, let isKey) = tokens[index].kind, tokens[index].keyword == nil,
      !isSymbol(index + 1, "(")
    else { return nil }
    let range = tokens[index].range
    return Key(
      name: name, range: isKey ? range.lowerBound + 1..<range.upperBound : range, token: index)
  }

  private func isSymbol(_ index: Int, _ symbol: String) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .symbol(symbol)
  }
}
