internal import StrataBase

/// The categories of losses that `--strict` can reject.
package enum LossCategory: String, Sendable, Hashable, CaseIterable {
  /// Objects without a destination object, and rows of unknown entities.
  case rows
  /// Values of removed attributes, numbers out of range and truncated fractions.
  case values
  /// Links between objects, and the order of links.
  case links
  /// Objects that are invalid in the new model.
  case valid
  /// History, and an app's own triggers, views, indexes and columns.
  case extras
  /// Objects of one entity that several entity mappings create from one object; objects of different entities are no
  /// duplicates.
  case duplicates
}

/// The amounts of losses of a hop, by category.
///
/// ```swift
/// LossCounts(report).amounts(in: [.values, .links])  // [(unit: .value, count: 3)]
/// ```
package struct LossCounts: Sendable, Hashable {
  /// The counted unit; a category can have several.
  package enum Unit: String, Sendable, Hashable, CaseIterable {
    case row, value, number, fraction, digit, link, order, invalidObject, extra, duplicate

    package var category: LossCategory {
      switch self {
      case .row: .rows
      case .value, .number, .fraction, .digit: .values
      case .link, .order: .links
      case .invalidObject: .valid
      case .extra: .extras
      case .duplicate: .duplicates
      }
    }
  }

  private var counts: [Unit: Int] = [:]

  /// The losses of the receipt; values and links of lost objects are not counted again.
  package init(_ report: MigrationReport) {
    counts[.row] = report.lost + report.strayRows
    counts[.extra] = report.extras.count
    counts[.duplicate] = report.entities.reduce(0) { $0 + $1.repeated }
    for fate in report.receipt.properties where !fate.isLostWithObjects {
      // Numbers out of range are included in the lost values.
      counts[fate.isRelationship ? .link : .value, default: 0] +=
        fate.lost.count - fate.unfitting.count
      counts[.number, default: 0] += fate.unfitting.count
      counts[.fraction, default: 0] += fate.truncated.count
      counts[.digit, default: 0] += fate.rounded.count
      counts[.order, default: 0] += fate.unordered.reduce(0) { $0 + $1.objects.count }
    }
    counts[.invalidObject] = report.problems.filter { !$0.stopsMigration }
      .reduce(0) { $0 + $1.count }
  }

  /// - Parameters:
  ///   - rows: The rows of unknown entities.
  ///   - extras: The items outside the model.
  package init(rows: Int, extras: Int) {
    counts = [.row: rows, .extra: extras]
  }

  /// The nonzero losses of some categories, in the order of the units.
  package func amounts(in categories: Set<LossCategory>) -> [(unit: Unit, count: Int)] {
    Unit.allCases.compactMap { unit in
      guard categories.contains(unit.category), let count = counts[unit], count > 0 else {
        return nil
      }
      return (unit, count)
    }
  }
}
