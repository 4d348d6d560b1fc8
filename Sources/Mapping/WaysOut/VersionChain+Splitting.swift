internal import StrataDiagnostics
internal import StrataObjectModel
internal import StrataValues

extension VersionChain {
  /// Splits a change.
  ///
  /// `nil` where a step would still not be inferable: where renaming identifiers fit several elements, which
  /// only a person can settle, or where the elements of a composite change their types. The result is proven: every step infers from the one before, and the last has the hashes
  /// of the destination.
  public init?(from source: MatchableModel, to destination: MatchableModel) {
    let verdict = Inference.Verdict(from: source, to: destination)
    switch verdict {
    case .compatible, .inferable:
      steps = [Step(model: destination.model, copies: [])]
      warnings = Inference(from: source, to: destination).warnings
    case .refused(let obstacles):
      var splitter = Splitter(ModelMatching(from: source, to: destination))
      guard splitter.split(obstacles),
        let middle = try? ObjectModel(splitter.middle), let last = try? ObjectModel(splitter.last)
      else { return nil }
      let models = [source, MatchableModel(middle), MatchableModel(last)]
      guard models[2].hashes == destination.hashes,
        zip(models, models.dropFirst()).allSatisfy({
          Inference.Verdict(from: $0, to: $1) == .inferable
        })
      else { return nil }
      warnings = Inference(from: models[1], to: models[2]).warnings.filter { warning in
        return warning.lossRule?.isRemoval != true
          || !splitter.replaced.contains([warning.entity, warning.property ?? ""])
      }
      steps = [
        Step(model: middle, copies: splitter.copies), Step(model: last, copies: []),
      ]
    }
  }
}

/// Builds the model in the middle, and the last with the identifiers that lead back to it.
private struct Splitter {
  let matching: ModelMatching
  var middle: ModelDocument
  var last: ModelDocument
  var copies: [VersionChain.Copy] = []
  /// What of the source goes once it is copied: an entity, its attribute, or a relationship that led to what
  /// goes.
  private(set) var replaced: Set<[String]> = []
  /// Destination entities that begin anew, with their names in the middle.
  private var renewed: [String: String] = [:]
  private var taken: Set<String>

  init(_ matching: ModelMatching) {
    self.matching = matching
    middle = matching.source.model.document
    last = matching.destination.model.document
    taken = []
    for model in [matching.source.model, matching.destination.model] {
      for entity in model.entities {
        taken.formUnion([entity.name, entity.renamingIdentifier ?? entity.name])
        taken.formUnion(entity.propertyNames)
        taken.formUnion(entity.attributes.compactMap(\.renamingIdentifier))
        taken.formUnion(entity.relationships.compactMap(\.renamingIdentifier))
      }
    }
  }

  /// Makes room for everything that stands in the way; `false` where something cannot be split.
  mutating func split(_ obstacles: [Finding]) -> Bool {
    let model = matching.destination.model
    for obstacle in obstacles {
      guard case .mergedHierarchies = obstacle.inferenceRule else { continue }
      for name in [obstacle.entity] + model.descendantNames(of: obstacle.entity) {
        renewed[name] = fresh("Tmp\(name)")
      }
    }
    for name in renewed.keys.sorted() { renew(name) }
    for obstacle in obstacles {
      switch obstacle.inferenceRule {
      case .mergedHierarchies: continue
      case .incompatibleTypes:
        guard renewed[obstacle.entity] != nil || replace(obstacle) else { return false }
      default: return false
      }
    }
    return true
  }

  private mutating func fresh(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate).inserted {
      candidate = "\(name)\(number)"
      number += 1
    }
    return candidate
  }

  // MARK: Attributes

  /// Adds an attribute of the new type beside the old one.
  private mutating func replace(_ obstacle: Finding) -> Bool {
    guard let name = obstacle.property,
      let wanted = matching.destination.properties(of: obstacle.entity).attribute(name),
      wanted.property.type != .composite
    else { return false }
    let newName = fresh("tmp" + name.prefix(1).uppercased() + name.dropFirst())
    var room = wanted.property
    room.name = newName
    room.isOptional = true
    room.defaultValue = nil
    room.renamingIdentifier = nil
    room.extras.line = 0
    let family =
      [wanted.declaringEntity]
      + matching.destination.model.descendantNames(of: wanted.declaringEntity)
    var owners: [(entity: String, attribute: Attribute)] = []
    for pair in matching.pairs where family.contains(pair.destination) {
      guard let oldName = pair.attributes.pairs.first(where: { $0.destination == name })?.source,
        let old = matching.source.properties(of: pair.source).attribute(oldName)
      else { continue }
      if !owners.contains(where: { $0.entity == old.declaringEntity }) {
        owners.append((old.declaringEntity, old.property))
      }
    }
    for (owner, old) in owners {
      let ancestors = matching.source.model.ancestorNames(of: owner)
      guard !owners.contains(where: { ancestors.contains($0.entity) }) else { continue }
      guard let place = middle.entities.firstIndex(where: { $0.name == owner }) else {
        return false
      }
      middle.entities[place].attributes.append(room)
      replaced.insert([owner, old.name])
      copies.append(
        VersionChain.Copy(
          entity: owner, attribute: old.name, type: old.type.name, newName: newName,
          newType: room.type.name))
    }
    return setIdentifier(newName, ofProperty: name, in: wanted.declaringEntity)
  }

  private mutating func setIdentifier(
    _ identifier: String, ofProperty name: String, in entity: String
  ) -> Bool {
    guard let place = last.entities.firstIndex(where: { $0.name == entity }) else { return false }
    if let index = last.entities[place].attributes.firstIndex(where: { $0.name == name }) {
      last.entities[place].attributes[index].renamingIdentifier = identifier
    } else if let index = last.entities[place].relationships.firstIndex(where: { $0.name == name })
    {
      last.entities[place].relationships[index].renamingIdentifier = identifier
    } else {
      return false
    }
    return true
  }

  // MARK: Entities

  /// Adds an entity of the new hierarchy under its other name, with its relationships.
  private mutating func renew(_ name: String) {
    guard let newName = renewed[name], var entity = matching.destination.model[name] else { return }
    entity.name = newName
    entity.renamingIdentifier = nil
    entity.superentityName = entity.superentityName.flatMap { renewed[$0] }
    entity.fetchedProperties = []
    entity.fetchIndexes = []
    entity.compoundIndexes = []
    entity.extras.line = 0
    entity.relationships = entity.relationships.compactMap { relate($0, of: name) }
    let kept = Set(entity.propertyNames)
    entity.uniquenessConstraints.removeAll { !$0.allSatisfy(kept.contains) }
    middle.entities.append(entity)
    if let place = last.entities.firstIndex(where: { $0.name == name }) {
      last.entities[place].renamingIdentifier = newName
    }
    if let old = matching.sourceNames[name] {
      replaced.insert([old, ""])
      copies.append(
        VersionChain.Copy(entity: old, attribute: nil, type: nil, newName: newName, newType: nil))
    }
  }

  /// A relationship as it stands in the middle; `nil` where it leads to what is not there yet.
  private mutating func relate(_ relationship: Relationship, of entity: String) -> Relationship? {
    var relationship = relationship
    relationship.extras.line = 0
    relationship.inverseEntityName = nil
    if let other = renewed[relationship.destinationName] {
      relationship.destinationName = other
      relationship.inverseEntityName = relationship.inverseName.map { _ in other }
      return relationship
    }
    guard let other = matching.sourceNames[relationship.destinationName] else { return nil }
    let inverse = matching.destination.model.inverse(of: relationship)
    relationship.destinationName = other
    relationship.inverseName = nil
    guard let inverse,
      let owner = matching.sourceNames[inverse.declaringEntity],
      let place = middle.entities.firstIndex(where: { $0.name == owner })
    else { return relationship }
    let name = inverse.property.name
    var back = inverse.property
    back.name = fresh("tmp" + name.prefix(1).uppercased() + name.dropFirst())
    back.destinationName = renewed[entity] ?? entity
    back.inverseName = relationship.name
    back.inverseEntityName = back.destinationName
    back.isOptional = true
    back.minCount = 0
    back.renamingIdentifier = nil
    back.extras.line = 0
    middle.entities[place].relationships.append(back)
    for pair in matching.pairs where pair.source == owner {
      if let old = pair.relationships.pairs.first(where: { $0.destination == name })?.source {
        replaced.insert([owner, old])
      }
      if pair.isIdentical { replaced.insert([owner, name]) }
    }
    relationship.inverseName = back.name
    relationship.inverseEntityName = other
    _ = setIdentifier(back.name, ofProperty: name, in: inverse.declaringEntity)
    return relationship
  }
}
