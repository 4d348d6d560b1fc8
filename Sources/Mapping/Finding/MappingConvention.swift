internal import StrataBase

/// The file name of a mapping model, parsed: `Model4ToModel5-2` is the second part of the mapping model from
/// Model4 to Model5.
///
/// Source: `Docs/Facts/samples.md`, section 2.
package struct MappingConvention: Sendable, Hashable {
  package var source: String
  package var destination: String
  package var part: Int?

  /// The possible interpretations of a name with several occurrences of `To`.
  package static func readings(of name: String) -> [MappingConvention] {
    var stem = name
    var part: Int?
    if let dash = name.lastIndex(of: "-"), let number = Int(name[name.index(after: dash)...]),
      number > 0
    {
      stem = String(name[..<dash])
      part = number
    }
    return stem.ranges(of: "To").compactMap { range in
      let (source, destination) = (stem[..<range.lowerBound], stem[range.upperBound...])
      guard !source.isEmpty, !destination.isEmpty else { return nil }
      return MappingConvention(
        source: String(source), destination: String(destination), part: part)
    }
  }
}

extension [NamedMappingModel] {
  /// The mapping models with names of these two versions: one, or its parts in order, without copies.
  ///
  /// ```swift
  /// mappings.named(from: "Model4", to: "Model5").map(\.name)
  /// // ["Model4ToModel5-1", "Model4ToModel5-2", "Model4ToModel5-3"]
  /// ```
  package func named(from source: String, to destination: String) -> [NamedMappingModel] {
    let found = compactMap { model -> (model: NamedMappingModel, part: Int?)? in
      MappingConvention.readings(of: model.name)
        .first { $0.source == source && $0.destination == destination }
        .map { (model, $0.part) }
    }
    if let whole = found.first(where: { $0.part == nil }) { return [whole.model] }
    return found.sorted { ($0.part ?? 0, $0.model.name) < ($1.part ?? 0, $1.model.name) }.map(
      \.model
    ).distinct().models
  }
}
