internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite

extension SchemaWriter {
  /// The condition of a partial index; `nil` for predicates without proven SQL.
  ///
  /// Source: the schemas of system libraries that `SchemaTests` reads.
  func conditionSQL(_ text: String, of entity: String) -> String? {
    guard let predicate = try? Predicate(parsing: text) else { return nil }
    return conditionSQL(predicate, of: entity)
  }

  private func conditionSQL(_ predicate: Predicate, of entity: String) -> String? {
    switch predicate {
    case .and(let parts): return compound(parts, " AND ", of: entity)
    case .or(let parts): return compound(parts, " OR ", of: entity)
    case .comparison(let comparison): return conditionSQL(comparison, of: entity)
    case .constant, .not: return nil
    }
  }

  private func compound(_ parts: [Predicate], _ word: String, of entity: String) -> String? {
    let conditions = parts.compactMap { conditionSQL($0, of: entity) }
    return conditions.count == parts.count ? "(\(conditions.joined(separator: word)))" : nil
  }

  private func conditionSQL(_ comparison: Comparison, of entity: String) -> String? {
    guard comparison.modifier == .direct, !comparison.ignoresCase, !comparison.ignoresDiacritics,
      case .keyPath(of: nil, let path) = comparison.left, path.count == 1,
      let column = columnName(of: path[0], in: entity)?.plainOrQuoted,
      case .constant(let value) = comparison.right
    else { return nil }
    let number: String
    switch (value, comparison.operator) {
    case (.null, .equal): return "\(column) IS NULL"
    case (.null, .notEqual): return "\(column) IS NOT NULL"
    case (.integer(let integer), _): number = String(integer)
    case (.real(let real), _) where real.isFinite: number = String(real)
    default: return nil
    }
    switch comparison.operator {
    case .equal: return "\(column) = \(number)"
    case .notEqual: return "\(column) <> \(number)"
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      return "\(column) \(comparison.operator.rawValue) \(number)"
    default: return nil
    }
  }
}
