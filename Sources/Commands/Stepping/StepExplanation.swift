internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataRendering
internal import StrataStepping

/// What the step at hand is for, told to somebody who sees it for the first time.
struct StepExplanation {
  private let place: StepPlace
  private let mapping: EntityMapping?
  private let store: String
  private let isRefused: Bool

  init(_ stepping: SteppingSession) throws {
    place = try stepping.stepper.place
    mapping = stepping.stepper.entityMapping
    store = stepping.name
    isRefused = stepping.stepper.isRefused
  }

  /// Sentences, one to a line.
  var text: [String] {
    guard let next = place.next else {
      guard !isRefused else {
        return [
          "\(place.to) does not allow what is in the store, so the migration fails (\(CoreDataError.migration)): nothing would change.",
          "The objects are named above; mend them in the app, or give what is missing a default value or a mapping.",
        ]
      }
      return [
        "All hops are done, in a private folder: \(store) is still as it was.",
        "`commit` does the same for real; `abandon` forgets it; `back` looks again.",
      ]
    }
    switch next {
    case .beginEntityMapping(let name, let pass, let kind): return begin(name, pass, kind)
    case .object(_, _, let name, let pass, let source, let destination):
      return object(name, pass, source, destination)
    case .endEntityMapping(let name, let pass): return end(name, pass)
    case .statement(_, _, _, let purpose):
      return [
        "This hop is inferred, so Core Data changes the store where it is, by SQL, in one transaction.",
        "What the statement at hand is for: \(purpose).",
        "Rows keep their keys, and objects their identity: there are no association tables.",
        "If anything fails before the transaction is committed, the store is as it was.",
      ]
    case .stageChange(_, _, let words):
      return [
        "A stage of a staged migration may change objects before and after its migration: \(words).",
        "It belongs to the same transaction.",
      ]
    case .validate:
      return [
        "The rows are where \(place.to) wants them; now those are looked for that it does not allow.",
        "Core Data asks in place for required attributes alone: one without a value stops the migration (\(CoreDataError.migration)).",
      ]
    case .endHop:
      return place.means == .inPlace
        ? [
          "All statements have run. Before the transaction is committed, the store is checked against \(place.to):",
          "its indexes, the number of objects of each entity, and the tables that were touched.",
        ]
        : [
          "All three passes are done. What a store needs besides its rows is written now:",
          "indexes, triggers, the highest keys, the metadata with the version hashes of \(place.to), the model.",
        ]
    case .frame: return ["Nothing happens here but that the next part begins."]
    }
  }

  // MARK: Entity mappings

  private var entities: String {
    switch (mapping?.sourceName, mapping?.destinationName) {
    case (let source?, let destination?): "\(source) objects become \(destination) objects"
    case (let source?, nil): "\(source) objects are not migrated"
    case (nil, let destination?): "\(destination) is new: no source object becomes one of it"
    case (nil, nil): "it has no entities"
    }
  }

  private var policy: [String] {
    mapping?.policyName.map {
      ["Its policy, \($0), is asked at each call, and may do otherwise than the default."]
    } ?? []
  }

  private var filter: [String] {
    mapping?.filter.map { ["Only source objects that fit its filter are taken: \($0)."] } ?? []
  }

  private func begin(_ name: String, _ pass: Pass, _ kind: String) -> [String] {
    switch pass {
    case .createInstances:
      [
        "Pass 1 makes the destination objects with their attributes, entity mapping by entity mapping; no relationship yet.",
        "\(name) (\(kind)): \(entities).",
      ] + filter
        + ["Each pair goes into the association table of \(name), which pass 2 will ask."] + policy
    case .createRelationships:
      [
        "Pass 2 sets the relationships. All objects are there now, so no order of entity mappings matters.",
        "\(name): \(relationships).",
      ] + policy
    case .validate:
      [
        "Pass 3 validates and saves. Until now nothing was validated: objects could be incomplete on the way.",
        "\(name): its objects are looked at together, when the entity mapping ends.",
      ] + policy
    }
  }

  private var relationships: String {
    let mappings = mapping?.relationshipMappings.filter { $0.expression != nil } ?? []
    return mappings.isEmpty
      ? "it sets none"
      : "it sets " + Words.list(mappings.map { "\($0.name) from \($0.value(default: nil).text)" })
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
      guard let made = mapping?.destinationName else {
        return ["\(from) is not migrated: \(name) has no destination entity."]
      }
      return [
        "The turn is on \(from): \(name) makes a \(made) of it, and notes the pair in its association table.",
        "Its attributes: \(attributes).",
      ] + policy
    }
    return [
      "The turn is on \(destination), which came from \(from).",
      "Each relationship is followed in the source; for each object found there the association table tells what became of it.",
      "\(name): \(relationships).",
    ] + policy
  }

  private func end(_ name: String, _ pass: Pass) -> [String] {
    switch pass {
    case .createInstances:
      ["All source objects of \(name) have had their turn in pass 1."]
        + (mapping?.policyName.map {
          ["\($0) may still add objects of its own: endInstanceCreation."]
        }
          ?? [])
    case .createRelationships:
      ["All objects that \(name) made have their relationships."]
        + (mapping?.policyName.map { ["\($0) is called once more: endRelationshipCreation."] } ?? [])
    case .validate:
      [
        "Now every \(mapping?.destinationName ?? "object") of the new store is asked whether \(place.to) allows it:",
        "required values, ranges, lengths, the number of destinations, uniqueness. What is refused stops the migration.",
      ]
    }
  }
}
