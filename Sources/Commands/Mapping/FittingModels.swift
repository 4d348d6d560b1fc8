internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering

/// The known models that a mapping model fits.
struct FittingModels {
  private let named: TypedMapping
  /// The fit of the mapping model as source and as destination, by model name.
  private let rows: [(name: String, source: MappingFit, destination: MappingFit)]
  /// The pairs of models that it fits, with the source entities that it does not map.
  private let pairs: [(source: String, destination: String, unmapped: [String])]

  /// - Parameter references: The mapping model, then models or bundles; without these, all loaded models.
  init(_ references: [String], in session: Session) throws {
    let named = try session.mapping(references[0])
    var models: [NamedModel] = []
    for reference in references.dropFirst() {
      guard let bundle = try session.wholeBundle(reference) else {
        models.append(try session.model(reference))
        continue
      }
      models += try bundle.versions.map {
        NamedModel(name: "\(bundle.name)/\($0.name)", model: try session.model(of: $0))
      }
    }
    if references.count == 1 {
      models = session.loadedModels()
      // If nothing is loaded: the bundles beside it, else the models that it names or contains.
      if models.isEmpty, let folder = named.folder {
        models = session.models(in: folder)
      }
      if models.isEmpty { models = [named.source, named.destination].compactMap { $0 } }
    }
    guard !models.isEmpty else {
      throw Diagnostic(
        id: "mapping.noModels", what: "no model is loaded to compare the hashes with",
        fix: "name one: `mapping fits \(references[0]) <bundle>`")
    }
    self.named = named
    let candidates = models.map { MatchableModel($0.model) }
    rows = zip(models, candidates).map { model, candidate in
      (
        model.name, named.mapping.sourceFit(of: candidate),
        named.mapping.destinationFit(of: candidate)
      )
    }
    pairs = named.mapping.pairs(among: candidates).map { source, destination in
      let fit = named.mapping.fit(from: candidates[source], to: candidates[destination])
      return (models[source].name, models[destination].name, fit.unmappedSources)
    }
  }

  var outcome: Outcome {
    let sources = rows.filter { $0.source.isFitting }.map(\.name)
    let destinations = rows.filter { $0.destination.isFitting }.map(\.name)
    let whole = pairs.filter(\.unmapped.isEmpty)
    let shown = whole.isEmpty ? pairs : whole
    let json: JSONValue = [
      "pairs": shown.json {
        ["from": $0.source, "to": $0.destination, "unmapped": $0.unmapped]
      },
      "sources": sources, "destinations": destinations,
      "reasons": rows.filter { !$0.source.isFitting && !$0.destination.isFitting }.json {
        [
          "model": $0.name, "asSource": $0.source.reason, "asDestination": $0.destination.reason,
        ]
      },
    ]
    let heading = StyledText(named.name, .heading) + StyledText("  ")
    guard whole.isEmpty else {
      let directions = whole.map { "from \($0.source) to \($0.destination)" }
      return Outcome(
        .line(heading + StyledText("fits", .good) + StyledText(": \(Phrase.list(directions))")),
        json: json)
    }
    guard pairs.isEmpty else {
      let lines = pairs.map { pair in
        heading + StyledText("fits as a part", .warning)
          + StyledText(
            ": from \(pair.source) to \(pair.destination), without \(Phrase.list(pair.unmapped))")
      }
      let hint = StyledText(
        "Core Data does not use it alone; --mapping or --strategy custom runs it with the other parts",
        .faint)
      return Outcome(.lines(lines + [hint]), json: json)
    }
    var lines = [heading + StyledText("fits no pair of these models", .error)]
    if !sources.isEmpty { lines.append(StyledText("  source  \(Phrase.list(sources))")) }
    if !destinations.isEmpty {
      lines.append(StyledText("  destination  \(Phrase.list(destinations))"))
    }
    let table = Table(
      columns: [.init("model"), .init("as source"), .init("as destination")],
      rows: rows.map {
        [
          StyledText($0.name, .name), Self.cell($0.source), Self.cell($0.destination),
        ]
      })
    return Outcome(.stack([.lines(lines), .table(table)]), json: json, status: .no)
  }

  private static func cell(_ fit: MappingFit) -> StyledText {
    fit.isFitting ? StyledText("fits", .good) : StyledText(fit.reason)
  }
}
