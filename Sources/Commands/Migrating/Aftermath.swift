internal import Foundation
internal import StrataDiagnostics
internal import StrataExpressions
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore
internal import StrataValues

/// What a rehearsal shows of the store as it would be: beside the store as it is.
struct Aftermath {
  /// `nil` where there are too many objects to tell apart in passing.
  let difference: StoreDifference?
  /// The bytes of all that was made for it.
  let bytes: Int

  /// Objects that are compared without being asked for.
  private static let objectLimit = 50_000

  init(
    before: consuming StoreReader, after: consuming StoreReader, in folder: String
  ) throws {
    var count = 0
    for entity in before.model.entityNames { count += try before.count(of: entity) }
    difference =
      count > Self.objectLimit ? nil : try StoreDifference(between: before, and: after)
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    bytes = names.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
    }
  }

  /// - Parameter isRevealing: Whether the values of objects that change are shown.
  func view(revealing isRevealing: Bool) -> View {
    guard let difference else { return .nothing }
    let rows: [[StyledText]] = difference.entities.map { entity in
      [
        StyledText(entity.entity, .name), StyledText(String(entity.same)),
        StyledText(String(entity.changed.count)), StyledText(String(entity.onlyInFirst.count)),
        StyledText(String(entity.onlyInSecond.count)),
        StyledText(
          entity.notCompared.isEmpty
            ? "" : "only one of the models has \(Words.list(entity.notCompared))",
          .faint),
      ]
    }
    let changes = difference.entities.flatMap { entity in
      entity.changed.prefix(Self.changeLimit).map { change in
        StyledText("  \(entity.entity) p\(change.first.key)", .name)
          + StyledText("  \(change.words(revealing: isRevealing))")
      }
    }
    return .stack([
      .table(
        Table(
          columns: [
            .init("afterwards"), .init("same", .right), .init("changed", .right),
            .init("gone", .right), .init("new", .right), .init(""),
          ], rows: rows)), .lines(changes),
    ])
  }

  var payload: [String: RowComparisonPayload.Entity]? {
    difference.map { difference in
      Dictionary(
        uniqueKeysWithValues: difference.entities.map {
          ($0.entity, RowComparisonPayload.Entity($0))
        })
    }
  }

  /// Changed objects of an entity that are shown.
  private static let changeLimit = 3
}

extension ValueLoss {
  /// `Topic.rating  is cut to Integer 16 in 2 objects: p1 2.5, p4 0.3`; the values only where they are
  /// revealed.
  func line(revealing isRevealing: Bool = false) -> StyledText {
    let shown = samples.map { sample in
      "p\(sample.key)\(isRevealing ? sample.value.map { " \($0.short)" } ?? "" : "")"
    }
    return StyledText("  \(entity).\(property)", .name)
      + StyledText(
        "  \(words) in \(Words.count(count, "object", "objects")): \(shown.joined(separator: ", "))"
          + (count > samples.count ? ", …" : ""), .warning)
  }
}
