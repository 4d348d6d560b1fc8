internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataValues

/// What an attribute of the destination gets from a row of the source, in SQL.
extension Witness {
  /// - Returns: `nil` where that cannot be said; whether the value itself can be, or only whether there is
  ///   one.
  func value(
    of leaf: Attribute, in mapping: EntityMapping, _ names: StoreNames
  ) -> (sql: String, isCounted: Bool)? {
    let owner = String(leaf.name.prefix { $0 != "." })
    let missing = (leaf.storedDefault.sqlLiteral, false)
    guard !leaf.isDerived, !means.changedAttributes.contains(owner),
      let source = mapping.sourceName
    else { return nil }
    guard let expression = mapping.attributeMappings.last(where: { $0.name == owner })?.expression
    else { return missing }
    guard case .keyPath(of: .variable("source"), let keys) = expression, let first = keys.first,
      !means.changedAttributes.contains(first)
    else { return nil }
    let (path, leaves) = (keys.joined(separator: "."), names.leaves(of: source))
    guard let old = leaves.first(where: { $0.name == path + leaf.name.dropFirst(owner.count) })
    else {
      // An element that the composite attribute did not have.
      return leaves.contains { $0.name.hasPrefix(path + ".") } ? missing : nil
    }
    guard let column = names.column(of: old.name, in: source),
      let fitting = Self.converted(column, from: old.type, to: leaf.type)
    else { return nil }
    let isFile = old.allowsExternalBinaryStorage || leaf.allowsExternalBinaryStorage
    guard !leaf.isOptional, leaf.storedDefault != .null else { return (fitting, isFile) }
    let filled = "coalesce(\(fitting), \(missing.0))"
    // Inference fills what was missing only where it was allowed to be.
    return means.isInferred && !old.isOptional
      ? ("CASE WHEN \(column) NOT NULL THEN \(filled) END", isFile) : (filled, isFile)
  }

  /// A number as another type stores it: whole ones cut towards zero; what does not fit is missing.
  private static func converted(
    _ column: String, from old: AttributeType, to new: AttributeType
  ) -> String? {
    let whole: [AttributeType: Int] = [.integer16: 15, .integer32: 31, .integer64: 63]
    let numbers = Set(whole.keys).union([.boolean, .decimal, .double, .float])
    guard old != new else { return column }
    guard numbers.contains(old), numbers.contains(new) else { return nil }
    if new == .boolean { return "\(column) <> 0" }
    if new == .decimal { return column }
    guard let bits = whole[new] else { return "CAST(\(column) AS REAL)" }
    let (low, high) =
      bits == 63
      ? (">= -9223372036854775808.0", "< 9223372036854775808.0")
      : ("> \(-(1 << bits) - 1)", "< \(1 << bits)")
    return "CASE WHEN \(column) \(low) AND \(column) \(high) THEN CAST(\(column) AS INTEGER) END"
  }
}
