package import StrataBase
package import StrataObjectModel

extension BinaryStore {
  /// Problems: a link without the inverse link, a highest key below one in use, and bytes after the end.
  ///
  /// Source: in each of five documents both ends refer to each other, the header's key is at least the highest in
  /// use, and the metadata ends with the file.
  package func problems(of model: ObjectModel, named name: String) -> [Finding] {
    var problems = headerRules.map { Finding($0, store: name) }
    let links = Set(
      nodes.flatMap { node in
        node.related.flatMap { name, keys in
          keys.map { Link(key: node.key, name: name, target: $0) }
        }
      })
    for node in nodes {
      for (name, targets) in node.related {
        guard let relationship = model.relationship(name, of: node.entity),
          let inverse = model.inverse(of: relationship.property)?.property.name
        else { continue }
        for target in targets
        where !links.contains(Link(key: target, name: inverse, target: node.key)) {
          problems.append(
            Finding(
              ValidationRule.brokenInverse(key: target), entity: node.entity, key: node.key,
              property: name))
        }
      }
    }
    return problems
  }

  private struct Link: Hashable {
    var key: Int64
    var name: String
    var target: Int64
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
