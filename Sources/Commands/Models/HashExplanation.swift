internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// The result of `hash --explain`: the digests that lead to the hashes of a model, an entity or a
/// property.
struct HashExplanation {
  enum Subject {
    case model
    case entity(String)
    case property(String, of: String)
  }

  /// The reference as it was typed.
  let reference: String
  let model: NamedModel
  let subject: Subject
  /// The entities whose hashes are explained.
  let entities: [String]
  let steps: [HashStep]
  private let withProperties: Bool
  let warnings: [Diagnostic]

  /// The maximum number of properties that are explained; the largest known real model has 2,000.
  private static let limit = 5000

  init(
    of reference: String, configuration: String?, withProperties: Bool, in session: Session
  ) throws {
    self.reference = reference
    self.withProperties = withProperties
    let resolved = try session.resolve(reference)
    model = try resolved.model ?? session.model(reference)
    switch resolved {
    case .entity(let entity, _): (subject, entities) = (.entity(entity), [entity])
    case .property(let property, let entity, _):
      (subject, entities) = (.property(property, of: entity), [entity])
    case .model, .store, .mapping:
      (subject, entities) = (.model, try model.model.entityNames(inConfiguration: configuration))
    }
    warnings = try Self.warnings(of: resolved, in: session)
    try Self.checkSize(entities, of: model)
    steps =
      if case .property(let property, let entity) = subject {
        model.model.explainVersionHash(of: property, entity: entity)
      } else {
        model.model.explainVersionHashes(of: entities)
      }
  }

  /// The warnings about hashes recorded in a store that differ from those of its cached model.
  private static func warnings(
    of reference: Reference, in session: Session
  ) throws -> [Diagnostic] {
    guard case .store(let name, let path) = reference else { return [] }
    let store = try session.open(path)
    return [try session.modelOf(store, path: path).hashDiagnostic(of: name)].compactMap { $0 }
  }

  private static func checkSize(_ entities: [String], of model: NamedModel) throws(Diagnostic) {
    var count = 0
    for entity in entities {
      count +=
        model.model.allAttributes(of: entity).count + model.model.allRelationships(of: entity).count
      guard count <= limit else {
        throw Diagnostic(
          id: "hash.tooLong", what: "cannot explain more than 5,000 properties at once",
          fix: "explain an entity or a property: `hash \(model.name).\(entities[0]) --explain`")
      }
    }
  }

  // MARK: Output

  var outcome: Outcome {
    switch subject {
    case .model:
      let folded = steps.filter { $0.subject.kind == .entity }
      return outcome(showing: folded, isWhole: true, hint: hint(folded.last?.subject.owner))
    case .entity: return outcome(showing: steps, isWhole: false, hint: .nothing)
    case .property(let property, let entity):
      let qualifiedName = "\(entity).\(property)"
      guard let hash = steps.last?.result else { return Self.notHashed(qualifiedName) }
      return Outcome(
        view(of: steps),
        json: [
          "property": qualifiedName, "hash": hash.hex, "steps": steps.map(\.json),
        ],
        warnings: warnings)
    }
  }

  /// The output for a property that is not hashed.
  static func notHashed(_ property: String) -> Outcome {
    Outcome(
      .line("\(property) is transient or fetched: it is not hashed"),
      json: ["property": property])
  }

  private func outcome(showing shown: [HashStep], isWhole: Bool, hint: View) -> Outcome {
    let hashes = HashPayload(
      model, entities: entities, withProperties: withProperties, isWhole: isWhole)
    return Outcome(
      .sections([view(of: shown), hint]),
      json: ["hashes": hashes, "steps": steps.map(\.json)],
      warnings: warnings)
  }

  private func hint(_ entity: String?) -> View {
    guard let entity else { return .nothing }
    let command = "hash \(CommandLineLexer.quoted("\(reference).\(entity)")) --explain"
    return .lines(
      HashRows.wrapped(
        StyledText("`\(command)` shows the digests of its properties", .faint)))
  }

  private func view(of shown: [HashStep]) -> View {
    let introduction: [StyledText] = [
      "Each block is one SHA-256 digest of the bytes in its rows, from top to bottom.",
      "Numbers are little-endian, text is UTF-8. Of a digest from another block the",
      "first 4 bytes are shown, but all 32 are hashed. \"so far\" begins the digest up",
      "to that row. Flags: 1 optional, 2 transient, 4 read-only (derived). Properties,",
      "inherited ones included, are in the order of the UTF-8 bytes of their names.",
    ]
    return .sections([.lines(introduction)] + shown.map(Self.section))
  }

  private static func section(_ step: HashStep) -> View {
    let rows: [[StyledText]] = step.pieces.flatMap { piece in
      HashRows.cells(piece).enumerated().map { index, cells in
        ["  " + cells[0], cells[1], StyledText(index == 0 ? piece.running.short : "", .faint)]
      }
    }
    return .stack([
      .lines(HashRows.wrapped(StyledText(step.subject.description, .heading))),
      .table(columns: [.init("  bytes"), .init("meaning"), .init("so far")], rows: rows),
      .line("  = " + StyledText(step.result.description, .good)),
      .lines(HashRows.wrapped(step.omissionText)),
    ])
  }
}

extension HashStep {
  /// `  not hashed: default 5, delete rule Cascade`.
  fileprivate var omissionText: StyledText {
    guard !omissions.isEmpty else { return "" }
    let texts = omissions.map { omission in
      "\(omission.name) \(omission.value.isEmpty ? "\"\"" : omission.value)"
    }
    return StyledText("  not hashed: \(texts.joined(separator: ", "))", .faint)
  }
}

extension HashStep {
  fileprivate var json: JSONValue {
    .object(withoutNull: [
      "subject": subject.description, "kind": subject.kind.rawValue, "owner": subject.owner,
      "property": subject.property,
      "pieces": pieces.json {
        ["bytes": $0.bytes.hex, "meaning": $0.meaning, "running": $0.running.hex]
      },
      "notHashed": omissions.json { ["name": $0.name, "value": $0.value] },
      "result": result.hex,
    ])
  }
}
