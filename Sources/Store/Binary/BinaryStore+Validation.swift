package import StrataBase
package import StrataObjectModel

extension BinaryStore {
  /// Problems: a link without the inverse link, a highest key below one in use, and bytes after the end.
  ///
  /// Source: in each of five documents both ends refer to each other, the header's key is at least the highest in
  /// use, and the metadata ends with the file.
  package func problems(of model: ObjectModel, named name: String) -> [Finding] {
    var problems = headerRules.map { Finding($0, store: name) }
    var links = AtomicLinks(
      model: model,
      entities: Dictionary(nodes.map { ($0.key, $0.entity) }, uniquingKeysWith: { $1 }))
    for node in nodes {
      for (name, targets) in node.related {
        guard let relationship = model.relationship(name, of: node.entity) else { continue }
        try? links.add(relationship, from: node.key, to: targets)
      }
    }
    problems += links.oneSided()
    return problems
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
