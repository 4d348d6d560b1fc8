internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataPages

extension Session {
  /// The picture of what is named: a plan with a target; otherwise a difference, a mapping model, the history of a bundle of
  /// several versions, or a model.
  func diagram(
    of text: String, to target: String?, by options: StrategyOptions
  ) throws -> Diagram {
    if let target { return try planDiagram(from: text, to: target, by: options) }
    if let (older, newer) = Self.ends(of: text) {
      let (first, second) = (try model(older), try model(newer))
      return ModelDiagram(from: first.model, first.name, to: second.model, second.name).diagram
    }
    if let bundle = try? wholeBundle(text), bundle.versions.count > 1 {
      return try historyDiagram(of: bundle, typed: text, by: options)
    }
    if case .mapping = try? resolve(text) { return Diagram(try mapping(text)) }
    do {
      let model = try model(text)
      return ModelDiagram(model.model, named: model.name).diagram
    } catch {
      // One beside a loaded bundle.
      guard let mapping = try? mapping(text) else { throw error }
      return Diagram(mapping)
    }
  }

  /// Both models of `A..B`; `nil` for one model, whose path may begin with `../`.
  private static func ends(of text: String) -> (String, String)? {
    for range in text.ranges(of: "..") {
      let (older, newer) = (text[..<range.lowerBound], text[range.upperBound...])
      guard let last = older.last, let first = newer.first, !"./".contains(last), first != "."
      else { continue }
      return (String(older), String(newer))
    }
    return nil
  }

  /// The versions between both ends, with the hops of each strategy.
  private func planDiagram(
    from text: String, to target: String, by options: StrategyOptions
  ) throws -> Diagram {
    let ends = try ends(from: text, to: target, named: options.from)
    let references = [text, target]
    let policies = try policies(for: references, files: options.policyFiles)
    let setup = try planner(
      by: options, from: ends.source, to: ends.target, references: references, policies: policies,
      needsVersions: true)
    let names = [ends.source, ends.target].map(\.versionName)
      .sorted { $0.precedesByNumber($1) }
    var versions = setup.planner.versions.filter {
      !$0.versionName.precedesByNumber(names[0]) && !names[1].precedesByNumber($0.versionName)
    }
    // A store's own model, or one of another bundle.
    for end in [ends.target, ends.source]
    where !versions.contains(where: { $0.versionName == end.versionName }) {
      versions.insert(end, at: end.versionName == ends.source.versionName ? 0 : versions.count)
    }
    let isChosen = options.strategy != nil || options.chosen != .default
    let strategies =
      isChosen ? [options.chosen] : StrategyComparison.strategies(of: setup.planner)
    var diagram = Diagram(
      title: "\(ends.source.name) to \(ends.target.name)",
      summary:
        "\(Phrase.count(versions.count, "version")), \(Phrase.count(strategies.count, "strategy", "strategies"))",
      boxes: versions.map { Diagram.Box($0.versionName, $0.model) },
      columns: Array(versions.indices))
    diagram.lanes = strategies.map { strategy in
      Diagram.Lane(
        strategy.rawValue,
        setup.arcs(from: ends.source, to: ends.target, by: strategy, among: versions))
    }
    return diagram
  }

  /// The versions of a bundle with what changed in each, and the migrations to the next and to the current version.
  private func historyDiagram(
    of bundle: ModelBundle, typed: String, by options: StrategyOptions
  ) throws -> Diagram {
    let results = readEach(of: bundle)
    let all: [NamedModel] = zip(bundle.versions, results)
      .compactMap { version, result in
        (try? result.get()).map { NamedModel(name: version.name, model: $0) }
      }
    // Without a readable version, its error.
    let last = try all.last ?? NamedModel(name: "", model: results[0].get())
    let current = all.first { $0.name == bundle.currentVersionName } ?? last
    let setup = try planner(
      by: options, from: all[0], to: current, references: [typed],
      policies: policies(for: [typed], files: options.policyFiles),
      needsVersions: true)
    let versions = all.sorted { $0.name.precedesByNumber($1.name) }
    let unreadable = bundle.versions.count - versions.count
    func arcs(_ from: NamedModel, _ to: NamedModel) -> [Diagram.Arc] {
      setup.arcs(from: from, to: to, by: options.chosen, among: versions)
    }
    return Diagram(
      title: "History of \(bundle.name)",
      summary: Phrase.count(versions.count, "version")
        + (unreadable > 0 ? ", and \(unreadable) that cannot be read" : ""),
      boxes: versions.indices.map { index in
        var box = Diagram.Box(versions[index].name, versions[index].model)
        if index > 0 {
          box.add(versions[index].model.difference(from: versions[index - 1].model))
        }
        if versions[index].name == current.name { box.note = "current" }
        return box
      }, columns: Array(versions.indices),
      lanes: [
        Diagram.Lane("to the next version", zip(versions, versions.dropFirst()).flatMap(arcs)),
        Diagram.Lane(
          "to \(current.name)",
          versions.filter { $0.name != current.name }.flatMap { arcs($0, current) }),
      ])
  }
}

extension PlannerSetup {
  /// The hops of a plan; a dashed arc with the reason if there is no path.
  fileprivate func arcs(
    from source: NamedModel, to target: NamedModel, by strategy: MigrationStrategy,
    among versions: [NamedModel]
  ) -> [Diagram.Arc] {
    func place(_ model: NamedModel) -> Int {
      versions.firstIndex { $0.versionName == model.versionName } ?? 0
    }
    do {
      return try plan(from: source, to: target, by: strategy).hops.map {
        Diagram.Arc(from: place($0.from), to: place($0.to), label: $0.mappingName)
      }
    } catch {
      let reason =
        switch error as? MigrationError {
        case .undefinedChoice?: "undefined choice"
        case let error? where !error.leavesNoPath: error.diagnostic.what
        case let error: error == nil ? "cannot be read" : "no path"
        }
      return [
        Diagram.Arc(from: place(source), to: place(target), label: reason, isDashed: true)
      ]
    }
  }
}

extension Diagram.Box {
  /// A version with the number of its entities.
  fileprivate init(_ name: String, _ model: ObjectModel) {
    self.init(
      name: name, note: "",
      rows: [Diagram.Row(Phrase.count(model.entities.count, "entity", "entities"))],
      isDashed: false)
  }

  /// The maximum number of entities that a version lists as changed.
  private static let changeLimit = 8

  fileprivate mutating func add(_ difference: ModelDifference) {
    let changed = difference.withoutEditorKeys.entities
    rows += changed.prefix(Self.changeLimit).map { Diagram.Row($0.name, mark: $0.mark) }
    if changed.count > Self.changeLimit {
      rows.append(Diagram.Row("and \(changed.count - Self.changeLimit) more"))
    }
  }
}
