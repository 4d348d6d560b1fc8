internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataRendering
internal import StrataStepping

/// The explanation of the next step, for users who see it for the first time.
struct StepExplanation {
  private let location: StepLocation
  private let mapping: EntityMapping?
  private let store: String
  private let isRefused: Bool

  init(_ stepping: SteppingSession) throws {
    location = try stepping.stepper.location
    mapping = stepping.stepper.entityMapping
    store = stepping.name
    isRefused = stepping.stepper.isRefused
  }

  /// Sentences, one to a line.
  var text: [String] {
    guard let next = location.next else {
      guard !isRefused else {
        return [
          "Some objects are invalid in \(location.to), so the migration fails (\(CoreDataError.migration)) and changes nothing.",
          "The objects are listed above; fix them in the app, or provide missing values with a default value or a mapping.",
        ]
      }
      return [
        "All hops are complete, in a private folder: \(store) is unchanged.",
        "`commit` applies the migration to the store; `abandon` discards it; `back` goes back.",
      ]
    }
    switch next {
    case .beginEntityMapping(let name, let pass, let kind): return begin(name, pass, kind)
    case .object(_, _, let name, let pass, let source, let destination):
      return object(name, pass, source, destination)
    case .endEntityMapping(let name, let pass): return end(name, pass)
    case .statement(_, _, _, let purpose):
      return [
        "This hop is inferred, so Core Data changes the store in place, with SQL, in one transaction.",
        "Purpose of this statement: \(purpose).",
        "Rows keep their keys, and objects their identity: there are no association tables.",
        "If anything fails before the transaction is committed, the store is unchanged.",
      ]
    case .stageChange(_, _, let text):
      return [
        "A stage of a staged migration may change objects before and after its migration: \(text).",
        "It belongs to the same transaction.",
      ]
    case .validate:
      return [
        "The tables now have the schema of \(location.to); next, the rows are validated against it.",
        "In place, Core Data checks only required attributes: one without a value stops the migration (\(CoreDataError.migration)).",
      ]
    case .endHop:
      return location.means == .inPlace
        ? [
          "All statements have run. Before the transaction is committed, the store is checked against \(location.to):",
          "its indexes, the number of objects of each entity, and the tables that were changed.",
        ]
        : [
          "All three passes are complete. The rest of the store is now written:",
          "indexes, triggers, the highest keys, the metadata with the version hashes of \(location.to), the cached model.",
        ]
    case .frame: return ["Nothing happens in this step except that the next part begins."]
    }
  }

  // MARK: Entity mappings

  private var entities: String {
    switch (mapping?.sourceName, mapping?.destinationName) {
    case (let source?, let destination?): "\(source) objects become \(destination) objects"
    case (let source?, nil): "\(source) objects are not migrated"
    case (nil, let destination?): "\(destination) is new: it has no source objects"
    case (nil, nil): "it has no entities"
    }
  }

  private var policy: [String] {
    mapping?.policyName.map {
      ["Its policy, \($0), is called at every step and can override the default behavior."]
    } ?? []
  }

  private var filter: [String] {
    mapping?.filter.map { ["Only source objects that match its filter are read: \($0)."] } ?? []
  }

  private func begin(_ name: String, _ pass: Pass, _ kind: String) -> [String] {
    switch pass {
    case .createInstances:
      [
        "Pass 1 creates the destination objects with their attributes, entity mapping by entity mapping; relationships follow in pass 2.",
        "\(name) (\(kind)): \(entities).",
      ] + filter
        + ["Each pair is recorded in the association table of \(name), which pass 2 uses."] + policy
    case .createRelationships:
      [
        "Pass 2 sets the relationships. All objects exist now, so the order of entity mappings does not matter.",
        "\(name): \(relationships).",
      ] + policy
    case .validate:
      [
        "Pass 3 validates and saves. Until now nothing was validated, so objects could be incomplete.",
        "\(name): its objects are validated together, at the end of the entity mapping.",
      ] + policy
    }
  }

  private var relationships: String {
    let mappings = mapping?.relationshipMappings.filter { $0.expression != nil } ?? []
    return mappings.isEmpty
      ? "it sets none"
      : "it sets " + Phrase.list(mappings.map { "\($0.name) from \($0.value(default: nil).text)" })
  }

  private var attributes: String {
    let set = mapping?.attributeMappings.filter { $0.expression != nil } ?? []
    guard !set.isEmpty else { return "all have their default values" }
    let values = set.map { (name: $0.name, text: $0.value(default: nil).text) }
    let worked = values.filter { $0.text != "copied" }
    let shown = worked.prefix(6).map { "\($0.name) = \($0.text)" }
    return
      (shown + (worked.count > shown.count ? ["…"] : [])
      + (worked.count < values.count
        ? [worked.isEmpty ? "all are copied" : "the others are copied"] : []))
      .joined(separator: ", ")
  }

  private func object(
    _ name: String, _ pass: Pass, _ source: ObjectRef?, _ destination: ObjectRef?
  ) -> [String] {
    let from = source?.description ?? "a policy"
    guard pass == .createRelationships, let destination else {
      guard let destinationName = mapping?.destinationName else {
        return ["\(from) is not migrated: \(name) has no destination entity."]
      }
      return [
        "Next, \(name) creates a \(destinationName) from \(from) and records the pair in its association table.",
        "Its attributes: \(attributes).",
      ] + policy
    }
    return [
      "Next, the relationships of \(destination) are set, which was created from \(from).",
      "For each object of a relationship in the source, the association table gives the destination object.",
      "\(name): \(relationships).",
    ] + policy
  }

  private func end(_ name: String, _ pass: Pass) -> [String] {
    switch pass {
    case .createInstances:
      ["Pass 1 has read all source objects of \(name)."]
        + (mapping?.policyName.map {
          ["\($0) can now create further objects: endInstanceCreation."]
        }
          ?? [])
    case .createRelationships:
      ["All objects that \(name) created have their relationships."]
        + (mapping?.policyName.map { ["\($0) is called once more: endRelationshipCreation."] } ?? [])
    case .validate:
      [
        "Next, every \(mapping?.destinationName ?? "object") of the new store is validated against \(location.to):",
        "required values, ranges, lengths, the number of destinations, uniqueness. An invalid object stops the migration.",
      ]
    }
  }
}
