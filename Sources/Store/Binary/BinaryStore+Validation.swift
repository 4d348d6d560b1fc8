package import StrataBase
package import StrataObjectModel

extension BinaryStore {
  /// Problems: a link without the inverse link, a highest key below one in use, and bytes after the end.
  ///
  /// Source: in each of five documents both ends refer to each other, the header's key is at least the highest in
  /// use, and the metadata ends with the file.
  package func problems(of model: ObjectModel, named name: String) -> [Finding] {
    headerRules.map { Finding($0, store: name) }
      + ((try? links(in: model).oneSided()) ?? [])
  }

  private var headerRules: [ValidationRule] {
    var rules: [ValidationRule] = []
    if let last = nodes.last, highestKey < UInt64(clamping: last.key) {
      rules.append(
        .documentHighestKey(recorded: Int64(clamping: highestKey), actual: last.key))
    }
    if trailingBytes > 0 { rules.append(.trailingBytes(trailingBytes)) }
    return rules
  }
}
