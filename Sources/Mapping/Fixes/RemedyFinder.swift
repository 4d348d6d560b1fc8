package import StrataBase
internal import StrataObjectModel

/// Finds fixes for obstacles, the best first, and tries the applicable ones on a copy.
///
/// ```swift
/// var document = model1.document
/// document.entities[0].attributes[0].type = .binary  // Topic.content was a String
/// let changed = try ObjectModel(document)
///
/// var finder = RemedyFinder(from: MatchableModel(model1), to: MatchableModel(changed))
/// let obstacle = Inference(from: model1, to: changed).obstacles[0]
/// finder.remedies(for: obstacle).map(\.proof)  // [.verified, .untried, .verified]
/// ```
package struct RemedyFinder {
  let source: MatchableModel
  let destination: MatchableModel
  private let matching: ModelMatching
  /// The number of remaining trials; each builds a model and runs inference.
  private var trials: Int
  private let hasAmbiguity: Bool
  /// The used names and identifiers, by entity; those of entities under `nil`.
  private var known: [String?: KnownIdentifiers] = [:]
  /// The split of the change, computed on first access.
  private var split: VersionChain??

  package init(from source: MatchableModel, to destination: MatchableModel) {
    self.source = source
    self.destination = destination
    matching = ModelMatching(from: source, to: destination)
    trials = min(100, max(6, 40_000 / max(1, source.size + destination.size)))
    hasAmbiguity =
      !matching.entities.ambiguous.isEmpty
      || matching.pairs.contains {
        !$0.attributes.ambiguous.isEmpty || !$0.relationships.ambiguous.isEmpty
      }
  }

  /// The fixes for an obstacle or a warning, without those that failed in a trial.
  package mutating func remedies(for obstacle: Finding) -> [Remedy] {
    candidates(for: obstacle).compactMap { tried($0, against: obstacle) }
  }

  private mutating func tried(_ remedy: Remedy, against obstacle: Finding) -> Remedy? {
    var remedy = remedy
    switch remedy.means {
    case .edits(let edits):
      guard trials > 0 else { return remedy }
      trials -= 1
      var document = destination.model.document
      do {
        for edit in edits { try document.apply(edit) }
        let after = Inference(from: source, to: MatchableModel(try ObjectModel(document)))
        guard !(after.obstacles + after.warnings).contains(where: { $0.isLike(obstacle) }) else {
          return nil
        }
        remedy.proof = after.isInferable ? .verified : .partly
        return remedy
      } catch {
        return nil
      }
    case .split:
      let chain = split ?? VersionChain(from: source, to: destination)
      split = .some(chain)
      if let chain, !chain.warnings.contains(where: { $0.isLike(obstacle) }) {
        remedy.proof = .verified
        return remedy
      }
      // Without another conversion, the losses of numbers are the same.
      if case .narrowedNumber? = obstacle.lossRule { return chain == nil ? nil : remedy }
      guard obstacle.severity == .error else { return nil }
      // It may be possible after the user resolves the identifiers.
      return hasAmbiguity ? remedy : nil
    case .mappingModel, .advice: return remedy
    }
  }

  // MARK: Candidates

  /// The fixes for each kind of obstacle, the best first.
  private mutating func candidates(for obstacle: Finding) -> [Remedy] {
    let target = target(of: obstacle)
    func set(_ key: String, _ value: String?) -> Remedy.Means {
      .edits([.set(target, key: key, value: value)])
    }
    if let loss = obstacle.lossRule { return candidates(for: loss, obstacle, target) }
    switch obstacle.inferenceRule {
    case .ambiguousIdentifier(let sources):
      let known = identifiers(besides: obstacle.property, of: obstacle.entity)
      // Only the first ones are proposed.
      return sources.filter { !known.identifiers.contains($0) }.prefix(3).map {
        Remedy("if it continues \($0), set its renaming identifier to \($0)", set("elementID", $0))
      } + [
        Remedy(
          "if it is new, give it another renaming identifier",
          set("elementID", known.fresh(obstacle.property ?? obstacle.entity)))
      ]
    case .rivalIdentifiers(let others, let source):
      let known = identifiers(besides: obstacle.property, of: obstacle.entity)
      let edits = others.map { other in
        var rival = obstacle
        if obstacle.property == nil {
          rival.location.entity = other
        } else {
          rival.location.property = other
        }
        return ModelEdit.set(self.target(of: rival), key: "elementID", value: known.fresh(other))
      }
      return [
        Remedy(
          "if it continues \(source), give \(others.count == 1 ? others[0] : "each of the others") another renaming identifier",
          .edits(edits)),
        Remedy(
          "if it is new, give it another renaming identifier",
          set("elementID", known.fresh(obstacle.property ?? obstacle.entity))),
      ]
    case .incompatibleTypes(let old, _):
      return [
        Remedy.split,
        Remedy("convert the values with a value expression or a policy", .mappingModel),
        Remedy("keep the type", set("attributeType", old)),
      ]
    case .mergedHierarchies:
      return [
        Remedy(
          "split the migration into steps, and copy the objects between them in the app", .split),
        Remedy("create the objects in another entity, with a mapping model", .mappingModel),
        Remedy("keep the hierarchies separate", .edits(separatingEdits(of: obstacle.entity))),
      ]
    case .missingDefault:
      return [
        defaultRemedy(for: obstacle, target), Remedy("make it optional", set("optional", "YES")),
      ]
      .compactMap { $0 }
    case .missingDestination:
      return [
        Remedy("make it optional", set("optional", "YES")),
        Remedy("connect the objects in a policy", .mappingModel),
      ]
    case .unhashedRename:
      let entity = ModelEdit.Target.entity(obstacle.entity)
      let modifier = destination.model[obstacle.entity]?.versionHashModifier
      return [
        Remedy(
          "give the entity another version hash modifier, so that Core Data migrates it",
          .edits([.set(entity, key: "versionHashModifier", value: modifier == "2" ? "3" : "2")]))
      ]
    case .newConstraint:
      return [Remedy("before the release, check stores for rows that share a value")]
    default: return obstacle.advice
    }
  }

  private func candidates(
    for loss: LossRule, _ finding: Finding, _ target: ModelEdit.Target
  ) -> [Remedy] {
    func set(_ key: String, _ value: String?) -> Remedy.Means {
      .edits([.set(target, key: key, value: value)])
    }
    switch loss {
    case .becameAbstract:
      return [
        Remedy("keep it concrete", set("isAbstract", "NO")),
        Remedy("turn its objects into objects of a subentity, with a mapping model", .mappingModel),
      ]
    case .narrowed:
      return [
        Remedy("choose the object to keep in a policy", .mappingModel),
        Remedy("keep it to-many", isBounded(finding) ? set("maxCount", nil) : set("toMany", "YES")),
      ]
    case .narrowedNumber(let old, let new):
      return (Splitter.splits(numbersTo: new) ? [Remedy.splitNumbers] : [])
        + [Remedy("keep the type", set("attributeType", old.name))]
    case .unordered(isMapped: false): return [Remedy("map the relationship itself", .mappingModel)]
    case .unordered(isMapped: true):
      return [
        Remedy("keep it ordered", set("ordered", "YES")),
        Remedy("store the order in an attribute", .mappingModel),
      ]
    case .unmatchedRename(let old, _, let score):
      let identifier = identifier(of: old, finding)
      let change = "set its renaming identifier to \(identifier)"
      // By the one that it has, an earlier version keeps its values.
      if let other = ownIdentifier(of: finding) {
        return [
          Remedy(
            "keep its renaming identifier \(other), which another version may need, and copy the values with a mapping model",
            .mappingModel, score: score),
          Remedy(
            "\(change), if no store of a version with \(other) is left",
            set("elementID", identifier)),
        ]
      }
      return [
        Remedy(
          change + (identifier == old ? "" : ", as \(old) has it"),
          set("elementID", identifier), score: score)
      ]
    default: return loss.advice
    }
  }

  /// Whether a relationship is to-one only because its max count is 1.
  private func isBounded(_ finding: Finding) -> Bool {
    finding.property.flatMap {
      destination.properties(of: finding.entity).relationship($0)?.property
    }?.isDeclaredToMany == true
  }

  /// A default value of zero or its equivalent for the attribute's type, if the type allows one.
  private func defaultRemedy(for obstacle: Finding, _ target: ModelEdit.Target) -> Remedy? {
    guard let property = obstacle.property,
      let attribute = destination.properties(of: obstacle.entity).attribute(property)?.property
    else { return nil }
    let zero: (key: String, value: String)?
    switch attribute.type {
    case .boolean: zero = ("defaultValueString", "NO")
    case .string: zero = ("defaultValueString", "unknown")
    case .date: zero = ("defaultDateTimeInterval", "0")
    case let type where type.isNumber: zero = ("defaultValueString", "0")
    default: zero = nil
    }
    return zero.map {
      Remedy("give it a default value", .edits([.set(target, key: $0.key, value: $0.value)]))
    }
  }

  /// Edits that separate the hierarchies of the source again: the entity below the root loses its parent, and
  /// its inherited properties become its own.
  private func separatingEdits(of root: String) -> [ModelEdit] {
    let model = destination.model
    var kept: String?
    var edits: [ModelEdit] = []
    func visit(_ entity: String) {
      let origin = matching.sourceNames[entity].map { source.model.rootName(of: $0) }
      if let origin, kept == nil { kept = origin }
      if let origin, origin != kept, model[entity]?.superentityName != nil {
        edits.append(.set(.entity(entity), key: "parentEntity", value: nil))
        for inherited in model.allAttributes(of: entity)
        where inherited.declaringEntity != entity {
          edits.append(
            .add(
              .attribute, named: inherited.property.name, to: .entity(entity),
              keys: inherited.property.plainKeys))
        }
        return
      }
      for child in model.subentityNames(of: entity) { visit(child) }
    }
    visit(root)
    return edits
  }

  // MARK: Names

  /// The element in the destination model; for a property, at its declaring entity.
  private func target(of obstacle: Finding) -> ModelEdit.Target {
    guard let property = obstacle.property else { return .entity(obstacle.entity) }
    let known = destination.properties(of: obstacle.entity)
    let owner =
      known.attribute(property)?.declaringEntity ?? known.relationship(property)?.declaringEntity
    return .property(property, of: owner ?? obstacle.entity)
  }

  /// The renaming identifier of an element of the source, for the new element of a rename.
  private func identifier(of old: String, _ obstacle: Finding) -> String {
    siblings(of: obstacle.property, in: obstacle.entity).source
      .first { $0.name == old }?.identifier ?? old
  }

  /// The renaming identifier of a destination element; `nil` if it has none of its own.
  private func ownIdentifier(of finding: Finding) -> String? {
    let name = finding.property ?? finding.entity
    let own = siblings(of: finding.property, in: finding.entity).destination
      .first { $0.name == name }?.identifier
    return own == name ? nil : own
  }

  /// The names and identifiers in both models of all entities, or of the properties of an entity of the destination.
  private func siblings(
    of property: String?, in entity: String
  ) -> (source: [NameMatching.Candidate], destination: [NameMatching.Candidate]) {
    guard property != nil else { return (source.entities, destination.entities) }
    return (
      source.properties(of: matching.sourceNames[entity] ?? entity).candidates,
      destination.properties(of: entity).candidates
    )
  }

  /// The names and identifiers with which that of a destination element must not collide.
  private mutating func identifiers(
    besides property: String?, of entity: String
  ) -> KnownIdentifiers {
    let owner = property == nil ? nil : entity
    if let identifiers = known[owner] { return identifiers }
    let (before, after) = siblings(of: property, in: entity)
    let identifiers = KnownIdentifiers(source: before, destination: after)
    known[owner] = identifiers
    return identifiers
  }
}

/// The used names and identifiers of the elements of one kind.
private struct KnownIdentifiers {
  var identifiers: Set<String>
  var names: Set<String>

  init(source: [NameMatching.Candidate], destination: [NameMatching.Candidate]) {
    identifiers = Set(source.map(\.identifier))
    names = Set((source + destination).flatMap { [$0.name, $0.identifier] })
  }

  /// An unused identifier.
  func fresh(_ name: String) -> String {
    var candidate = "\(name)New"
    var number = 2
    while names.contains(candidate) {
      candidate = "\(name)New\(number)"
      number += 1
    }
    return candidate
  }
}

extension Attribute {
  /// The keys to create an attribute with equal settings in an edit.
  fileprivate var plainKeys: [String: String] {
    var keys = ["attributeType": type.name, "optional": isOptional ? "YES" : "NO"]
    if let defaultValue {
      keys[type == .date ? "defaultDateTimeInterval" : "defaultValueString"] = defaultValue
    }
    return keys
  }
}

extension Finding {
  /// Whether two findings are the same obstacle at the same location, ignoring details.
  fileprivate func isLike(_ other: Finding) -> Bool {
    guard entity == other.entity, property == other.property else { return false }
    return switch (inferenceRule, other.inferenceRule) {
    case (.missingDefault, .missingDefault), (.missingDestination, .missingDestination),
      (.ambiguousIdentifier, .ambiguousIdentifier), (.rivalIdentifiers, .rivalIdentifiers),
      (.incompatibleTypes, .incompatibleTypes), (.mergedHierarchies, .mergedHierarchies):
      true
    default: AnyHashable(rule) == AnyHashable(other.rule)
    }
  }

  /// The fixes that are not edits of the model.
  fileprivate var advice: [Remedy] {
    switch inferenceRule {
    case .copiedUnchanged:
      [
        Remedy(
          "if the meaning has changed, convert the values with a value expression", .mappingModel)
      ]
    case .becamePersistent(let isRelationship):
      [
        Remedy(
          "\(isRelationship ? "connect the objects" : "compute the values") in a policy, or in the app after the migration",
          .mappingModel)
      ]
    case .notComputed: [Remedy("in the app, save each object once after the migration")]
    default: []
    }
  }
}

extension LossRule {
  /// The fixes that are not edits of the model.
  fileprivate var advice: [Remedy] {
    switch self {
    case .removed(isRelationship: false):
      [
        Remedy.split,
        Remedy("copy the values with a value expression in a mapping model", .mappingModel),
      ]
    case .becameTransient(isRelationship: false):
      [Remedy("copy the values with a value expression in a mapping model", .mappingModel)]
    case .removedEntity:
      [
        Remedy(
          "turn the objects into objects of another entity, with a mapping model", .mappingModel)
      ]
    case .becameRelationship:
      [
        Remedy.split,
        Remedy("create an object for each distinct value in a policy", .mappingModel),
      ]
    case .becameAttribute:
      [Remedy("copy a value of the destination object with a value expression", .mappingModel)]
    case .exclusive:
      [
        Remedy("choose the links to keep in a policy", .mappingModel),
        Remedy("keep all links: give the relationship a to-many inverse"),
      ]
    case .ownInverse: [Remedy("choose the pairs in a policy", .mappingModel)]
    case .overruled:
      [
        Remedy("connect the objects in a policy", .mappingModel),
        Remedy("before the release, check stores for links that only one of them has"),
      ]
    case .retargeted, .narrowerDestination, .removed, .becameTransient:
      [Remedy("connect the objects in a policy", .mappingModel)]
    case .unmatchedSplit:
      [Remedy.split, Remedy("split the values in a policy", .mappingModel)]
    default: []
    }
  }
}
