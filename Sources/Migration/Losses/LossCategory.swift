public import StrataDiagnostics

/// What a migration can lose, in the kinds that `--strict` refuses.
public enum LossCategory: String, Sendable, Hashable, CaseIterable {
  /// Objects of which no destination object is created, and rows of no entity.
  case rows
  /// Values of removed attributes, numbers that do not fit and truncated fractions.
  case values
  /// Links between objects, and the order of links.
  case links
  /// Objects that the new model does not allow to be saved as they are.
  case valid
  /// History, and an app's own triggers, views, indexes and columns.
  case extras
}

/// How much a hop loses, by category.
///
/// ```swift
/// LossCounts(report, values: losses).amounts(in: [.rows, .links])  // of rows and links only
/// ```
public struct LossCounts: Sendable, Hashable {
  /// What is counted: a category may have several units.
  public enum Unit: Sendable, Hashable, CaseIterable {
    case row, value, number, fraction, link, order, invalidObject, extra

    public var category: LossCategory {
      switch self {
      case .row: .rows
      case .value, .number, .fraction: .values
      case .link, .order: .links
      case .invalidObject: .valid
      case .extra: .extras
      }
    }
  }

  private var counts: [Unit: Int] = [:]

  /// - Parameter values: What ``LossFinder`` finds besides numbers.
  public init(_ report: MigrationReport, values: [Finding]) {
    counts[.row] = report.lost + report.strayRows
    counts[.link] = report.links.reduce(0) { $0 + $1.lost }
    counts[.extra] = report.extras.count
    for loss in report.numbers + report.uncopied + values {
      // Links are counted by the migration itself.
      guard let unit = loss.unit else { continue }
      counts[unit, default: 0] += loss.evidence.count ?? 0
    }
    counts[.invalidObject] = report.problems.filter { !$0.stopsMigration }
      .reduce(0) { $0 + $1.count }
  }

  /// What is lost in some categories, in the order of the units; nothing that is 0.
  public func amounts(in categories: Set<LossCategory>) -> [(unit: Unit, count: Int)] {
    Unit.allCases.compactMap { unit in
      guard categories.contains(unit.category), let count = counts[unit], count > 0 else {
        return nil
      }
      return (unit, count)
    }
  }
}

extension Finding {
  /// What is counted of a loss; `nil` for links.
  fileprivate var unit: LossCounts.Unit? {
    switch lossRule {
    case .removed(let isRelationship): isRelationship ? nil : .value
    case .truncated: .fraction
    case .outOfRange: .number
    case .unordered: .order
    case .narrowed, nil: nil
    }
  }
}
