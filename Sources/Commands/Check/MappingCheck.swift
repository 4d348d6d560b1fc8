internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel

/// Finds the mapping models of a project that fit no two of its versions.
struct MappingCheck {
  private(set) var findings: [Finding] = []

  init(_ mappings: [NamedMappingModel], in bundles: [ProjectState.Bundle]) throws {
    let models = bundles.map { bundle in
      bundle.versions.map { (name: $0.name, model: MatchableModel($0.model)) }
    }
    for mapping in mappings where mapping.isReadByCoreData {
      try Interruption.check()
      let fits = models.map { versions in
        versions.map { version in
          (
            source: mapping.mapping.sourceFit(of: version.model).isPart,
            destination: mapping.mapping.destinationFit(of: version.model).isPart
          )
        }
      }
      guard
        !fits.contains(where: { versions in
          versions.contains(where: \.source) && versions.contains(where: \.destination)
        })
      else { continue }
      let index =
        fits.firstIndex { $0.contains { $0.source || $0.destination } }
        ?? bundles.firstIndex { bundle in
          [mapping.source, mapping.destination].contains {
            $0.map { bundle.version(named: $0.versionName) != nil } == true
          }
        }
      guard let index else {
        note("fits no version of the project: it is for other models", mapping, in: nil)
        continue
      }
      note(
        Self.reason(mapping, bundles[index], models[index], fits[index]), mapping,
        in: bundles[index])
    }
  }

  private static func reason(
    _ mapping: NamedMappingModel, _ bundle: ProjectState.Bundle,
    _ models: [(name: String, model: MatchableModel)],
    _ fits: [(source: Bool, destination: Bool)]
  ) -> String {
    if let source = bundle.version(named: mapping.source?.versionName),
      let destination = bundle.version(named: mapping.destination?.versionName),
      let stale = StaleMapping(mapping, from: source, to: destination, among: models)
    {
      let edited = stale.isSource ? source.name : destination.name
      let edits = stale.edits.first.map { ": \($0)" } ?? ""
      return
        "is for \(source.name) -> \(destination.name), and \(edited) was edited after it was saved\(edits)"
    }
    if let start = zip(models, fits).first(where: { $0.1.source })?.0 {
      return "begins at \(start.name) and ends at no version of \(bundle.name)"
    }
    if let end = zip(models, fits).first(where: { $0.1.destination })?.0 {
      return "ends at \(end.name) and begins at no version of \(bundle.name)"
    }
    return "fits no version of \(bundle.name)"
  }

  private mutating func note(
    _ reason: String, _ mapping: NamedMappingModel, in bundle: ProjectState.Bundle?
  ) {
    findings.append(
      Finding(
        CheckRule(.mappingStale, reason),
        at: FindingLocation(bundle: bundle?.label, mapping: mapping.name, file: mapping.path),
        fixes: [Fix("open and save it in Xcode, or delete it if no app uses it")]))
  }
}
