internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataPages
internal import StrataRendering

extension Session {
  /// The picture of what is named: a plan with a target; otherwise a difference, a mapping model, the history of a bundle of
  /// several versions, or a model.
  func diagram(
    of text: String, to target: String?, by options: StrategyOptions
  ) throws -> Diagram {
    if let target { return try planDiagram(from: text, to: target, by: options) }
    if let (older, newer) = Self.ends(of: text) {
      let (first, second) = (try model(older), try sibling(newer, of: older))
      return ModelDiagram(from: first.model, first.name, to: second.model, second.name).diagram
    }
    if let bundle = try? wholeBundle(text), bundle.versions.count > 1 {
      return try historyDiagram(of: bundle, typed: text, by: options)
    }
    switch try? resolve(text) {
    case .mapping?: return Diagram(try mapping(text))
    case .entity(let name, let model)?:
      return ModelDiagram(model.model, named: model.name, around: name).diagram
    default: break
    }
    do {
      let model = try model(text)
      return ModelDiagram(model.model, named: model.name).diagram
    } catch {
      // One beside a loaded bundle.
      guard let mapping = try? mapping(text) else { throw error }
      return Diagram(mapping)
    }
  }

  /// A model, or a version of the bundle that contains another: `App.xcdatamodeld/App1..App2`.
  private func sibling(_ text: String, of other: String) throws -> NamedModel {
    do {
      return try model(text)
    } catch {
      guard let end = other.lastIndex(of: "/"),
        let found = try? model(String(other[...end]) + text)
      else { throw error }
      return found
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
      let arcs = setup.arcs(from: ends.source, to: ends.target, by: strategy, among: versions)
      return Diagram.Lane(
        strategy.rawValue + (arcs.isEmpty ? ": compatible, nothing to do" : ""), arcs)
    }
    return diagram.folded
  }

  /// The versions of a bundle with what changed in each, and the migrations to the next and to the current version.
  private func historyDiagram(
    of bundle: ModelBundle, typed: String, by options: StrategyOptions
  ) throws -> Diagram {
    let models = zip(bundle.versions, readEach(of: bundle)).map { version, result in
      (version.name, result)
    }.sorted { $0.0.precedesByNumber($1.0) }
    let unreadable = Set(models.filter { (try? $0.1.get()) == nil }.map(\.0))
    // Without a readable version, its error.
    let standIn = try models.lazy.compactMap { try? $0.1.get() }.first ?? models[0].1.get()
    let versions = models.map { NamedModel(name: $0, model: (try? $1.get()) ?? standIn) }
    let current =
      versions.first { $0.name == bundle.currentVersionName } ?? versions[versions.count - 1]
    let setup = try planner(
      by: options, from: versions[0], to: current, references: [typed],
      policies: policies(for: [typed], files: options.policyFiles), needsVersions: true)
    func arcs(_ from: NamedModel, _ to: NamedModel) -> [Diagram.Arc] {
      guard let broken = [from, to].first(where: { unreadable.contains($0.name) }) else {
        return setup.arcs(from: from, to: to, by: options.chosen, among: versions)
      }
      func place(_ model: NamedModel) -> Int { versions.firstIndex { $0.name == model.name } ?? 0 }
      return [
        Diagram.Arc(
          from: place(from), to: place(to), label: "\(broken.name) cannot be read", isDashed: true)
      ]
    }
    return Diagram(
      title: "History of \(bundle.name)",
      summary: Phrase.count(versions.count, "version")
        + (unreadable.isEmpty ? "" : ", \(unreadable.count) of which cannot be read"),
      boxes: versions.indices.map { index in
        var box = Diagram.Box(versions[index].name, versions[index].model)
        let before = versions[..<index].last { !unreadable.contains($0.name) }
        if unreadable.contains(versions[index].name) {
          (box.rows, box.isDashed) = ([Diagram.Row("cannot be read")], true)
        } else if let before {
          box.add(versions[index].model.difference(from: before.model))
        }
        if versions[index].name == current.name { box.note = "current" }
        return box
      }, columns: Array(versions.indices),
      lanes: [
        Diagram.Lane("to the next version", zip(versions, versions.dropFirst()).flatMap(arcs)),
        Diagram.Lane(
          "to \(current.name)",
          versions.filter { $0.name != current.name }.flatMap { arcs($0, current) }),
      ]
    ).folded
  }
}

extension PlannerSetup {
  /// The hops of a plan, marked if they lose or refuse objects; a dashed arc with the reason if there is no path.
  fileprivate func arcs(
    from source: NamedModel, to target: NamedModel, by strategy: MigrationStrategy,
    among versions: [NamedModel]
  ) -> [Diagram.Arc] {
    func place(_ name: String) -> Int? { versions.firstIndex { $0.versionName == name } }
    let ends = (place(source.versionName) ?? 0, place(target.versionName) ?? 0)
    do {
      return try plan(from: source, to: target, by: strategy).hops.map { hop in
        let caveat = hop.warnings.caveat.map { "; but \($0.text)" }
        let stage =
          hop.stageSteps.before.isEmpty && hop.stageSteps.after.isEmpty ? "" : ", with custom steps"
        return Diagram.Arc(
          from: place(hop.from.versionName) ?? ends.0, to: place(hop.to.versionName) ?? ends.1,
          label: (caveat == nil ? "" : "⚠ ") + hop.mappingName + stage, note: caveat ?? "")
      }
    } catch {
      func arc(_ label: String, _ from: String, _ to: String, _ note: String = "") -> Diagram.Arc {
        let known = versions + [source, target]
        func end(_ name: String) -> Int? {
          known.first { $0.name == name }.flatMap { place($0.versionName) }
        }
        return Diagram.Arc(
          from: end(from) ?? ends.0, to: end(to) ?? ends.1, label: label, note: note, isDashed: true
        )
      }
      switch error as? MigrationError {
      case .undefinedChoice(let from, let to, let fitting, _)?:
        return [
          arc("\(fitting.count) mapping models fit", from, to, "; which one is used is undefined")
        ]
      case .notInferable(let from, let to, let obstacles)?:
        let reason = obstacles.first.map { ": \($0.location.description) \($0.message)" } ?? ""
        return [arc("no path", from, to, reason)]
      case let error? where error.leavesNoPath: return [arc("no path", source.name, target.name)]
      case let error:
        return [
          arc(
            error == nil ? "cannot be read" : "error", source.name, target.name,
            error.map { ": \($0.diagnostic.what)" } ?? "")
        ]
      }
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

extension Diagram {
  /// The number of versions beyond which equal hops are one arc.
  private static let foldLimit = 20

  /// Of many versions, those at which equal hops begin and end; each run of them is one arc.
  fileprivate var folded: Diagram {
    guard boxes.count > Self.foldLimit else { return self }
    var folded = self
    for index in lanes.indices { folded.lanes[index].arcs = Self.runs(of: lanes[index].arcs) }
    let ends = folded.lanes.flatMap(\.arcs).flatMap { [$0.from, $0.to] }
    let kept = Set(ends).sorted()
    let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    for (lane, arcs) in folded.lanes.map(\.arcs).enumerated() {
      for (index, arc) in arcs.enumerated() {
        folded.lanes[lane].arcs[index].from = places[arc.from] ?? 0
        folded.lanes[lane].arcs[index].to = places[arc.to] ?? 0
      }
    }
    folded.boxes = kept.map { boxes[$0] }
    folded.columns = Array(kept.indices)
    folded.summary += "; \(kept.count) are shown"
    return folded
  }

  /// Hops one after the other, or from versions one after the other to the same one, with the same label.
  private static func runs(of arcs: [Arc]) -> [Arc] {
    var (runs, count): ([(arc: Arc, label: String)], Int) = ([], 0)
    for arc in arcs {
      if let last = runs.last, last.label == arc.label, last.arc.isDashed == arc.isDashed,
        arc.from == last.arc.to || arc.to == last.arc.to && arc.from == last.arc.from + count
      {
        count += 1
        runs[runs.count - 1].arc.to = arc.to
        runs[runs.count - 1].arc.label = "\(arc.label) ×\(count)"
      } else {
        runs.append((arc, arc.label))
        count = 1
      }
    }
    return runs.map(\.arc)
  }
}
