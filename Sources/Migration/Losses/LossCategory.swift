internal import StrataBase

/// What a migration can lose, in the kinds that `--strict` refuses.
package enum LossCategory: String, Sendable, Hashable, CaseIterable {
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
/// LossCounts(report).amounts(in: [.rows, .links])  // of rows and links only
/// ```
package struct LossCounts: Sendable, Hashable {
  /// What is counted: a category may have several units.
  package enum Unit: String, Sendable, Hashable, CaseIterable {
    case row, value, number, fraction, digit, link, order, invalidObject, extra

    package var category: LossCategory {
      switch self {
      case .row: .rows
      case .value, .number, .fraction, .digit: .values
      case .link, .order: .links
      case .invalidObject: .valid
      case .extra: .extras
      }
    }
  }

  private var counts: [Unit: Int] = [:]

  /// What its receipt tells: what is lost with whole objects is not counted again.
  package init(_ report: MigrationReport) {
    counts[.row] = report.lost + report.strayRows
    counts[.extra] = report.extras.count
    for fate in report.receipt.properties where !fate.isLostWithObjects {
      // What does not fit is among what is lost.
      counts[fate.isRelationship ? .link : .value, default: 0] +=
        fate.lost.count - fate.unfitting.count
      counts[.number, default: 0] += fate.unfitting.count
      counts[.fraction, default: 0] += fate.truncated.count
      counts[.digit, default: 0] += fate.rounded.count
      counts[.order, default: 0] += fate.unordered.count
    }
    counts[.invalidObject] = report.problems.filter { !$0.stopsMigration }
      .reduce(0) { $0 + $1.count }
  }

  /// What is lost in some categories, in the order of the units; nothing that is 0.
  package func amounts(in categories: Set<LossCategory>) -> [(unit: Unit, count: Int)] {
    Unit.allCases.compactMap { unit in
      guard categories.contains(unit.category), let count = counts[unit], count > 0 else {
        return nil
      }
      return (unit, count)
    }
  }
}
