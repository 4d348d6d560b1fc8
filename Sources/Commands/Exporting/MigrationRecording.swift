internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataPages
internal import StrataRendering
internal import StrataSQLite
internal import StrataStepping
internal import StrataStore

/// A migration, recorded stop by stop by a stepper: the data of a page.
///
/// After an object only the rows that its events name are read, after other steps all rows that are recorded. Of a
/// long migration, only the first objects of each entity mapping are recorded.
struct MigrationRecording {
  private let stepper: Stepper
  private let name: String
  private let options: Options
  private var frames: [JSONValue] = []
  private var story: [[String]] = []
  private var hops: [JSONValue] = []
  private var sources: [JSONValue] = []
  /// The statements, each once, with their places in the list.
  private var statements: [String] = []
  private var places: [String: Int] = [:]
  /// The recorded rows of the hop's source store.
  private var sourceRows: [ObjectRef: JSONValue] = [:]
  /// The recorded rows of the hop's new store.
  private var rows: [ObjectRef: [JSONValue]] = [:]
  private var recordedPairs: Set<RecordedPair> = []
  /// The number of objects of each entity in the hop's new store.
  private var counts: [String: Int] = [:]
  /// In place, the current definition of each table, index and trigger.
  private var schema: [String: String] = [:]
  /// The objects of the hop that were recorded, by pass and entity mapping.
  private var recorded: [String: Int] = [:]
  private var asked = StepQuestions()
  private(set) var stops = 0
  private(set) var leftOut = 0
  var questions: Int { asked.count }
  /// Why the migration stopped, if it did.
  private(set) var failure: Diagnostic?
  /// The model in which objects are invalid, so that the migration would change nothing; `nil` if none are.
  private(set) var invalidModel: String?
  /// What is lost: `5 values of Stop.note`.
  private(set) var losses: [String] = []
  /// What is only truncated or rounded.
  private(set) var truncations: [String] = []

  struct Options {
    /// The objects recorded of each entity mapping and pass.
    var objects: Int
    /// The rows recorded even if no step touches them.
    var rows: Int
    var asks: Bool
    var reveals: Bool
  }

  /// Those of an entity: fewer in a model of many entities.
  private var rowLimit: Int {
    let count = max(hop.from.model.entities.count, hop.to.model.entities.count)
    return max(1, min(30, options.rows / max(1, count)))
  }

  /// The objects of a to-many relationship that are recorded.
  private static let linkLimit = 20

  init(of stepper: Stepper, named name: String, _ options: Options) throws {
    (self.stepper, self.name, self.options) = (stepper, name, options)
    // What is left out is counted from its events.
    stepper.reportsEachObject = true
    observe(true)
    try begin()
    try addFrame(Step())
    while !stepper.isAtEnd, failure == nil { try record() }
    endHop()
    invalidModel = stepper.invalidModel?.rawValue
    losses = stepper.reports.flatMap { Self.losses(of: $0) { $0.count - $0.truncatedCount } }
    truncations = stepper.reports.flatMap { Self.losses(of: $0, \.truncatedCount) }
  }

  var data: StepperData {
    StepperData(
      json: [
        "asks": options.asks, "hops": hops, "sources": sources, "statements": statements,
        "frames": frames,
      ], story: story)
  }

  /// Details and statements take longer than the work of a step, so steps that are not recorded have none.
  private func observe(_ isRecording: Bool) {
    stepper.hasDetails = isRecording
    (stepper.detail, stepper.reportsOwn) = (isRecording ? .statements : .none, isRecording)
  }

  private static func losses(
    of report: MigrationReport, _ count: (ReportedLoss) -> Int
  ) -> [String] {
    let losses = report.reportedLosses.filter { $0.kind != .order && count($0) > 0 }
    return (losses.filter { $0.kind == .objects } + losses.filter { $0.kind != .objects }).map {
      let subject = [$0.entity, $0.property].compactMap { $0 }.joined(separator: ".")
      return "\(Phrase.count(count($0), $0.unit)) of \(subject)"
    }
  }

  // MARK: Hops

  private var hop: MigrationPlan.Hop { stepper.hops[stepper.position.hop] }
  private var isInPlace: Bool { (try? stepper.location.means) == .inPlace }

  private mutating func begin() throws {
    (rows, counts, sourceRows, recorded, recordedPairs) = ([:], [:], [:], [:], [])
    let source = try stepper.sourceObjects()
    for entity in Self.entities(of: hop.from.model) {
      for key in try source.reader.keys(of: entity).prefix(rowLimit) {
        try addSource(ObjectRef(entity: entity, key: key), in: source)
      }
    }
    let counts = try Self.entities(of: hop.from.model).map { ($0, try source.reader.count(of: $0)) }
    func columns(_ model: ObjectModel) -> JSONValue {
      .object(
        .init(
          Self.entities(of: model).map { entity in
            let properties = ObjectView.properties(of: entity, in: model)
            return (entity, properties.json { [$0.name, $0.kind.rawValue] })
          }))
    }
    schema = [:]
    if isInPlace { try readSchema() }
    let policies = Set(hop.policyUses.map(\.entityMapping))
    let mappings = hop.parts.enumerated().flatMap { part, mapping in
      mapping.mapping.entityMappings.filter { $0.destinationName != nil && $0.sourceName != nil }
        .map { [$0.name, policies.contains($0.name), part + 1] as JSONValue }
    }
    hops.append([
      "from": hop.from.name, "to": hop.to.name, "isInPlace": isInPlace, "parts": hop.parts.count,
      "mappings": mappings,
      "columns": [
        "source": columns(hop.from.model), "destination": columns(hop.to.model),
      ] as JSONValue,
      "counts": JSONValue.object(.init(counts.map { ($0, $1) })),
      "schema": schema.sorted { $0.key < $1.key }.map { [$0.key, $0.value] },
    ])
  }

  private mutating func endHop() {
    let order = sourceRows.keys.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
    sources.append(.array(order.compactMap { sourceRows[$0] }))
  }

  private static func entities(of model: ObjectModel) -> [String] {
    model.entities.filter { !$0.isAbstract }.map(\.name).sorted { $0.precedesInBytes($1) }
  }

  // MARK: Steps

  /// What a step did, and how it is told.
  private struct Step {
    var events: [TraceEvent] = []
    var did: [String] = []
    var why: [String] = []
    /// What is not recorded.
    var left: String?
    /// The number of pairs that are not recorded, by entity mapping.
    var pairsLeft: [String: Int] = [:]
    var isOfObject = false
    /// The place and the mapping model of the step.
    var place = ""
    var part = 1
    var source: ObjectRef?
    var destination: ObjectRef?
    var question: JSONValue?
  }

  private mutating func record() throws {
    let place = try stepper.location
    var step = Step()
    (step.place, step.part) = (place.placeText, place.part ?? 1)
    var goal = StepGoal.unit(.step, count: 1)
    if case .object(let number, let count, let mapping, let pass, let source, let destination) =
      place.next
    {
      (step.isOfObject, step.source, step.destination) = (true, source, destination)
      let id = "\(place.part ?? 1) \(pass.rawValue) \(mapping)"
      recorded[id, default: 0] += 1
      if recorded[id] ?? 0 > options.objects, count > number {
        goal = .endOfMapping
        step.isOfObject = false
        step.left =
          "\(Phrase.count(count - number + 1, "more object")) of \(mapping), not recorded one by one."
        leftOut += count - number + 1
      }
    }
    var explanation = try StepExplanation(introducing: stepper, store: name)
    let introduction = explanation.parts.count
    observe(step.left == nil)
    let stop = stepper.move(goal) { event in
      guard step.left != nil else { return step.events.append(event) }
      if let pair = RecordedPair.made(by: [event], part: 0).first {
        step.pairsLeft[pair.mapping, default: 0] += 1
      }
      for lost in LostPair.all(in: [event]) {
        if recordedPairs.contains(where: lost.isOf) {
          step.events.append(event)
        } else {
          step.pairsLeft[lost.mapping, default: 0] -= 1
        }
      }
    }
    observe(true)
    try Interruption.check()
    if case .failed(let diagnostic, _) = stop.reason {
      failure = diagnostic
      step.why = [options.reveals ? diagnostic.what : "it fails: \(diagnostic.id)"]
      step.did = ["The next step fails, and the store would be unchanged."]
      try addFrame(step)
      return
    }
    if try stepper.location.hop != place.hop {
      endHop()
      try begin()
    } else if step.left == nil {
      try explanation.add(step.events.filter { !$0.isStatement })
      step.why = ExplanationPart.lines(
        of: Array(explanation.parts.dropFirst(introduction)), revealing: options.reveals
      ).map { Self.pastText($0.text) }
    }
    step.did = step.events.compactMap { event in
      event.isNumbered ? event.kind.text?.trimmed : nil
    }
    // The first sentence says what the event says.
    if case .statement = place.next, let purpose = step.why.first {
      (step.did, step.why) = ([purpose], [])
    } else if step.isOfObject, !step.why.isEmpty {
      step.did = [step.why.removeFirst()]
    }
    step.why.removeAll(where: step.did.contains)
    if options.asks, step.left == nil { step.question = asked.question(about: step.events) }
    try addFrame(step)
  }

  /// A line of an explanation, after its step.
  private static func pastText(_ line: String) -> String {
    let text = line.trimmed
    let beginning = ["Next, ", "Purpose of this statement: "].first(where: text.hasPrefix) ?? ""
    return String(text.dropFirst(beginning.count))
  }

  // MARK: Frames

  private mutating func addFrame(_ step: Step) throws {
    stops += 1
    let location = try stepper.location
    let next = try Self.introduction(of: location, stepper, name)
    let links = step.events.compactMap { event -> TraceLink? in
      guard case .relationshipSet(let link) = event.kind else { return nil }
      return link
    }
    let wires = RecordedPair.used(by: step.events, part: step.part)
    var used = links.flatMap(\.lookups).map(\.source)
    if let source = step.source { used.append(source) }
    let source = try stepper.sourceObjects()
    for object in used + wires.map(\.source) where sourceRows[object] == nil {
      try addSource(object, in: source)
    }
    let update = try stepper.withoutReporting { try self.update(after: step) }
    // A pair that is asked for is shown, even if the step that recorded it is not.
    var pairsLeft = step.pairsLeft
    var pairs: [RecordedPair] = []
    for pair in wires where recordedPairs.insert(pair).inserted {
      pairs.append(pair)
      if !RecordedPair.made(by: step.events, part: step.part).contains(pair) {
        pairsLeft[pair.mapping, default: 0] -= 1
      }
    }
    let place: JSONValue.Members = [
      "hop": location.hop - 1, "part": location.part ?? 1, "of": step.part,
      "pass": location.pass?.rawValue, "segment": location.segment, "mark": location.mark,
      "place": location.placeText, "did": step.did, "why": step.why, "next": next,
      "sql": sql(of: step.events), "isReadable": update.isReadable,
    ]
    let changes: JSONValue.Members = [
      "pairsLeft": JSONValue(pairsLeft), "counts": JSONValue(update.counts), "rows": update.rows,
      "made": update.made.map(\.description),
      "changed": update.changed.map { [$0.description, $1] },
      "used": used.uniqued.map(\.description), "wires": wires, "pairs": pairs,
      "unpaired": LostPair.all(in: step.events).json {
        [$0.mapping, $0.source.description, step.part]
      },
      "schema": try schemaChanges(after: step), "left": step.left,
      "subject": step.destination?.description, "question": step.question,
    ]
    frames.append(.object(place + changes.filter { ![.null, [], [:]].contains($0) }))
    let told = (step.did + step.why + (step.left.map { [$0] } ?? [])).map(Self.sentence)
    story.append([
      "\(location.mark)", step.place, stops == 1 ? "The beginning." : told.joined(separator: " "),
    ])
  }

  private static func sentence(_ text: String) -> String {
    text.hasSuffix(".") ? text : text + "."
  }

  /// What the next step is for. A page has no commands at its end, and says of statements once what they are for.
  private static func introduction(
    of location: StepLocation, _ stepper: Stepper, _ name: String
  ) throws -> [String] {
    switch location.next {
    case nil: return []
    case .statement(let number, _, _, _) where number > 1: return []
    default: return try StepExplanation(introducing: stepper, store: name).lines.map(\.text)
    }
  }

  private mutating func sql(of events: [TraceEvent]) -> [JSONValue] {
    events.compactMap { event in
      guard case .sqlEnded(let statement) = event.kind else { return nil }
      let place = places[statement.sql] ?? statements.count
      if place == statements.count {
        places[statement.sql] = place
        statements.append(statement.sql)
      }
      return [statement.side.rawValue, statement.tag != .coreData, place]
    }
  }

  /// The definitions of the schema in place that a step changed, before and after.
  private mutating func schemaChanges(after step: Step) throws -> [JSONValue] {
    let isChanged = step.events.contains { event in
      switch event.kind {
      case .schemaChanged, .tableRenamed: true
      default: false
      }
    }
    guard isInPlace, isChanged else { return [] }
    let old = schema
    try readSchema()
    return Set(old.keys).union(schema.keys).sorted().filter { old[$0] != schema[$0] }.map {
      [$0, schema[$0], old[$0]]
    }
  }

  private mutating func readSchema() throws {
    var found: [String: String] = [:]
    _ = try stepper.query(
      .destination, "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    ) { row in
      if case .text(let name) = row[0], case .text(let sql) = row[1] { found[name] = sql }
      return true
    }
    schema = found
  }

  // MARK: Rows

  private mutating func addSource(_ object: ObjectRef, in objects: StoreObjects) throws {
    let view = ObjectView(entity: object.entity, objects: objects)
    sourceRows[object] = try stepper.withoutReporting { try row(object, view, objects) }.json
  }

  private func row(
    _ object: ObjectRef, _ view: ObjectView, _ objects: StoreObjects
  ) throws -> [JSONValue] {
    let cells = try view.cells(
      objects.object(object.key, of: object.entity), limit: Self.linkLimit)
    return [.string(object.description)]
      + cells.values.map { options.reveals ? $1.shortJSON : $1.maskedJSON(of: $0) }
      + cells.links.map(\.shortJSON)
  }

  private struct Update {
    var rows: [JSONValue] = []
    var made: [ObjectRef] = []
    var changed: [(ObjectRef, String)] = []
    /// The number of objects of the entities for which it has changed.
    var counts: [String: Int] = [:]
    var isReadable = true
  }

  /// Reads the rows that a step can have changed.
  private mutating func update(after step: Step) throws -> Update {
    var update = Update()
    let objects: StoreObjects
    do {
      objects = try stepper.destinationObjects()
    } catch is Stepper.InspectionError {
      update.isReadable = false
      return update
    }
    // In place, the old model's objects are those of the source.
    guard !isInPlace || objects.model.versionHashes() == hop.to.model.versionHashes() else {
      update.isReadable = false
      return update
    }
    var touched = step.events.flatMap(\.kind.destinations).uniqued
    if !step.isOfObject {
      touched += rows.keys.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
      for entity in Self.entities(of: hop.to.model) {
        touched += try objects.reader.keys(of: entity).prefix(rowLimit)
          .map { ObjectRef(entity: entity, key: $0) }
      }
      touched = touched.uniqued
    }
    let counted = step.isOfObject ? touched.map(\.entity) : Self.entities(of: hop.to.model)
    for entity in Set(counted) {
      let count = try objects.reader.count(of: entity)
      if count != counts[entity] { update.counts[entity] = count }
      counts[entity] = count
    }
    for object in touched {
      let old = rows[object]
      guard try objects.isThere(object.key, entity: object.entity) else {
        if old != nil { update.rows.append([object.description]) }
        rows[object] = nil
        continue
      }
      let view = ObjectView(entity: object.entity, objects: objects)
      let new = try row(object, view, objects)
      guard new != old else { continue }
      rows[object] = new
      update.rows.append(.array(new))
      guard step.isOfObject else { continue }
      if let old {
        for (index, property) in ObjectView.properties(of: object.entity, in: objects.model)
          .enumerated() where old[index + 1] != new[index + 1]
        {
          update.changed.append((object, property.name))
        }
      } else {
        update.made.append(object)
      }
    }
    return update
  }
}

extension TraceEvent.Kind {
  /// The destination objects that it names.
  fileprivate var destinations: [ObjectRef] {
    switch self {
    case .objectCreated(_, _, let object), .objectJoined(_, _, let object),
      .objectInserted(_, let object), .relationshipsSet(_, let object, _):
      [object]
    case .relationshipSet(let link):
      [link.object] + link.destinations + link.added + link.removed
        + link.changes.flatMap { [$0.object] + $0.added + $0.removed }
    case .policyDecided(let decision): decision.destination.map { [$0] } ?? []
    default: []
    }
  }
}
