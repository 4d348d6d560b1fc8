internal import StrataBase

extension ObjectModel {
  /// The changes from `older` to this model.
  package func difference(from older: ObjectModel) -> ModelDifference {
    DifferenceFinder(older: older, newer: self).find()
  }
}

/// Finds the differences of two models, entity by entity.
private struct DifferenceFinder {
  let older: ObjectModel
  let newer: ObjectModel
  let oldHashes: [String: VersionHash]
  let newHashes: [String: VersionHash]
  let oldHasher: VersionHasher
  let newHasher: VersionHasher
  let matching: NameMatching

  init(older: ObjectModel, newer: ObjectModel) {
    self.older = older
    self.newer = newer
    oldHashes = older.versionHashes()
    newHashes = newer.versionHashes()
    oldHasher = VersionHasher(older)
    newHasher = VersionHasher(newer)
    matching = NameMatching(from: older, to: newer).pairingEqualNames()
  }

  func find() -> ModelDifference {
    var found: [EntityDifference] = []
    for (old, new) in matching.pairs {
      guard let before = older[old], let after = newer[new] else { continue }
      var difference = EntityDifference(
        kind: old == new ? .changed : .renamed, name: new, oldName: old, oldHash: oldHashes[old],
        newHash: newHashes[new], changes: changes(from: before, to: after))
      difference.settleCauses()
      let changes = difference.changes
      if !changes.isEmpty || difference.movesHash { found.append(difference) }
    }
    found += matching.added.map {
      EntityDifference(
        kind: .added, name: $0, oldName: nil, oldHash: nil, newHash: newHashes[$0],
        changes: newer[$0].map { contents(of: $0) } ?? [])
    }
    found += matching.removed.map {
      EntityDifference(
        kind: .removed, name: $0, oldName: $0, oldHash: oldHashes[$0], newHash: nil, changes: [])
    }
    found.sort { $0.name.precedesInBytes($1.name) }
    return ModelDifference(entities: found, modelChanges: modelChanges())
  }

  /// The properties and constraints of an added entity.
  private func contents(of entity: Entity) -> [ModelChange] {
    let properties =
      entity.attributes.map {
        ModelChange(
          .attribute, $0.name, .added(description: $0.summary), movesHash: !$0.isTransient)
      }
      + entity.relationships.map {
        ModelChange(
          .relationship, $0.name, .added(description: $0.summary), movesHash: !$0.isTransient)
      }
    return properties
      + listChange(
        "uniqueness constraints", [],
        entity.uniquenessConstraints.map { $0.joined(separator: ",") }, movesHash: true)
  }

  private func changes(from old: Entity, to new: Entity) -> [ModelChange] {
    var changes: [ModelChange] = []
    if old.name != new.name {
      changes.append(ModelChange(.entity, nil, .renamed(from: old.name), movesHash: true))
    }
    changes += new.changes(
      from: old, as: .entity, named: nil, skipping: Self.skippedKeys(old.name, new.name),
      areFromXML: areFromXML
    ) { $0.effect == .hashed }
    let oldParent = old.superentityName
    if let parent = new.superentityName, oldParent == parent || isPair(oldParent, parent),
      oldParent.flatMap({ oldHashes[$0] }) != newHashes[parent]
    {
      changes.append(ModelChange(.entity, nil, .parent(parent), movesHash: true))
    }
    changes += listChange(
      "uniqueness constraints", old.uniquenessConstraints.map { $0.joined(separator: ",") },
      new.uniquenessConstraints.map { $0.joined(separator: ",") }, movesHash: true)
    changes += listChange(
      "compound indexes", old.compoundIndexes.map { $0.joined(separator: ",") },
      new.compoundIndexes.map { $0.joined(separator: ",") }, movesHash: false)
    changes += listChange(
      "fetch indexes", old.fetchIndexes.map(\.summary), new.fetchIndexes.map(\.summary),
      movesHash: false)
    changes += attributeChanges(.attribute, old.attributes, new.attributes)
    changes += relationshipChanges(from: old, to: new)
    let hasNewParent =
      oldParent != new.superentityName && !isPair(oldParent, new.superentityName ?? "")
    changes = inheritanceChanges(
      from: old, to: new, amending: changes, hasNewParent: hasNewParent)
    changes += propertyChanges(.fetchedProperty, old.fetchedProperties, new.fetchedProperties) {
      _ in
      "fetched"
    } hash: { _, _ in
      nil
    }
    changes += userInfoChanges(.entity, nil, old.userInfo, new.userInfo)
    return changes
  }

  /// The property changes, in which a property that an ancestor declares now, or declared before, has only moved. With
  /// the same parent the entity has it with the same hash; with a new one there are also properties that are no longer
  /// inherited, and newly inherited ones.
  private func inheritanceChanges(
    from old: Entity, to new: Entity, amending own: [ModelChange], hasNewParent: Bool
  ) -> [ModelChange] {
    guard hasNewParent || own.contains(where: \.isOfExistence) else { return own }
    let before = Self.owners(in: older, of: old.name)
    let after = Self.owners(in: newer, of: new.name)
    var changes = own.map { change in
      guard change.isOfExistence, let name = change.name, let was = before[name]?.owner,
        let now = after[name]?.owner, was != old.name || now != new.name
      else { return change }
      return ModelChange(
        change.element, name,
        .moved(from: was == old.name ? nil : was, to: now == new.name ? nil : now),
        movesHash: hasNewParent && change.movesHash)
    }
    guard hasNewParent else { return changes }
    for (name, removed) in before.sorted(by: { $0.key.precedesInBytes($1.key) })
    where removed.owner != old.name && after[name] == nil {
      changes.append(
        ModelChange(
          removed.element, name, .removed(description: "inherited from \(removed.owner)"),
          movesHash: removed.isStored))
    }
    for (name, gained) in after.sorted(by: { $0.key.precedesInBytes($1.key) })
    where gained.owner != new.name && before[name] == nil {
      changes.append(
        ModelChange(
          gained.element, name, .added(description: "inherited from \(gained.owner)"),
          movesHash: gained.isStored))
    }
    return changes
  }

  /// The declaring entity of each own and inherited property.
  private static func owners(
    in model: ObjectModel, of entity: String
  ) -> [String: (owner: String, element: ModelChange.Element, isStored: Bool)] {
    var owners: [String: (owner: String, element: ModelChange.Element, isStored: Bool)] = [:]
    for attribute in model.allAttributes(of: entity) {
      owners[attribute.property.name] = (
        attribute.declaringEntity, .attribute, !attribute.property.isTransient
      )
    }
    for relationship in model.allRelationships(of: entity) {
      owners[relationship.property.name] = (
        relationship.declaringEntity, .relationship, !relationship.property.isTransient
      )
    }
    return owners
  }

  /// The changes of the attributes of an entity, or of the elements of a composite type.
  ///
  /// - Parameter owner: What precedes the names: nothing, or the name of the composite type and a dot.
  private func attributeChanges(
    _ element: ModelChange.Element, _ old: [Attribute], _ new: [Attribute], owner: String = ""
  ) -> [ModelChange] {
    var (oldHasher, newHasher) = (oldHasher, newHasher)
    func hash(_ attribute: Attribute, isNew: Bool) -> VersionHash {
      isNew
        ? newHasher.hash(ofAttribute: attribute, entity: owner)
        : oldHasher.hash(ofAttribute: attribute, entity: owner)
    }
    var changes = propertyChanges(
      element, old, new, owner: owner, describe: \.summary, hash: hash)
    // The elements of a composite type can change without a change of the attribute.
    for attribute in new where attribute.type == .composite {
      guard let before = old.first(where: { $0.name == attribute.name }), before.type == .composite,
        let name = attribute.compositeName, before.compositeName == name
      else { continue }
      // The elements of composites are hashed whatever their flags.
      let moves =
        (element == .composite || !attribute.isTransient)
        && hash(before, isNew: false) != hash(attribute, isNew: true)
      guard moves || older.composite(named: name) != newer.composite(named: name) else { continue }
      changes.append(
        ModelChange(element, owner + attribute.name, .compositeElements(name), movesHash: moves))
    }
    return changes
  }

  private func relationshipChanges(from old: Entity, to new: Entity) -> [ModelChange] {
    var (oldHasher, newHasher) = (oldHasher, newHasher)
    return propertyChanges(
      .relationship, old.relationships, new.relationships, describe: \.summary
    ) { relationship, isNew in
      isNew
        ? newHasher.hash(ofRelationship: relationship, entity: new.name)
        : oldHasher.hash(ofRelationship: relationship, entity: old.name)
    }.map { change in
      // The new name of the inverse is a change of the other end, so its entity is included.
      guard case .key("inverseName", let from, let to) = change.kind, let name = change.name,
        let relationship = new.relationship(named: name)
      else { return change }
      var explained = change
      explained.kind = .inverse(
        owner: relationship.inverseEntityName ?? relationship.destinationName, from: from, to: to)
      return explained
    }
  }

  private func propertyChanges<Member: Property & KeyedModelElement>(
    _ element: ModelChange.Element, _ old: [Member], _ new: [Member], owner: String = "",
    describe: (Member) -> String, hash: (_ member: Member, _ isNew: Bool) -> VersionHash?
  ) -> [ModelChange] {
    let matching = NameMatching(properties: old, new).pairingEqualNames()
    func isStored(_ member: Member) -> Bool {
      switch element {
      case .fetchedProperty: false
      case .composite: true
      default: !member.isTransient
      }
    }
    /// Whether one takes the place of the other with another hash, each in the old or the new model.
    func moves(_ before: Member, _ wasNew: Bool, _ after: Member, _ isNew: Bool) -> Bool {
      isStored(before) != isStored(after)
        || isStored(after) && hash(before, wasNew) != hash(after, isNew)
    }
    var changes: [ModelChange] = []
    for name in matching.added {
      guard let member = new.first(where: { $0.name == name }) else { continue }
      changes.append(
        ModelChange(
          element, owner + name, .added(description: describe(member)),
          movesHash: isStored(member)))
    }
    for name in matching.removed {
      guard let member = old.first(where: { $0.name == name }) else { continue }
      changes.append(
        ModelChange(
          element, owner + name, .removed(description: describe(member)),
          movesHash: isStored(member)))
    }
    for (oldName, newName) in matching.pairs {
      guard let before = old.first(where: { $0.name == oldName }),
        let after = new.first(where: { $0.name == newName }), before != after
      else { continue }
      if oldName != newName {
        changes.append(
          ModelChange(
            element, owner + newName, .renamed(from: owner + oldName),
            movesHash: moves(before, false, after, true)))
      }
      let hasMoved = moves(before, false, after, true)
      changes += after.changes(
        from: before, as: element, named: owner + newName,
        // The entity of the inverse follows from the destination, which has its own key.
        skipping: Self.skippedKeys(oldName, newName).union(["inverseEntity"]),
        areFromXML: areFromXML
      ) { key in
        // Of two changed keys only one may be part of the hash. A type of elements is known in its own model only.
        hasMoved && key.effect == .hashed
          && (key.name == "composite"
            || moves(before, false, before.taking(key, from: after), false)
            || moves(after.taking(key, from: before), true, after, true))
      }
      changes += userInfoChanges(element, owner + newName, before.userInfo, after.userInfo)
    }
    return changes
  }

  /// The keys that a rename reports.
  private static func skippedKeys(_ oldName: String, _ newName: String) -> Set<String> {
    oldName == newName ? ["name"] : ["name", "elementID"]
  }

  private func userInfoChanges(
    _ element: ModelChange.Element, _ name: String?, _ old: [UserInfoEntry],
    _ new: [UserInfoEntry]
  ) -> [ModelChange] {
    let before = Dictionary(old.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    let after = Dictionary(new.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    return Set(before.keys).union(after.keys).sorted().compactMap { key in
      guard before[key] != after[key] else { return nil }
      return ModelChange(
        element, name, .userInfo(key, from: before[key], to: after[key]), movesHash: false)
    }
  }

  private func listChange(
    _ name: String, _ old: [String], _ new: [String], movesHash: Bool,
    element: ModelChange.Element = .entity
  ) -> [ModelChange] {
    // The same constraint twice is hashed twice.
    let (added, removed) = (new.subtracting(old), old.subtracting(new))
    guard !added.isEmpty || !removed.isEmpty else { return [] }
    return [
      ModelChange(
        element, nil, .list(name, added: added, removed: removed), movesHash: movesHash)
    ]
  }

  private func modelChanges() -> [ModelChange] {
    let (old, new) = (older.document, newer.document)
    var changes = new.changes(from: old, as: .model, named: nil, areFromXML: areFromXML)
    changes += listChange(
      "configurations", old.configurations.map(\.summary), new.configurations.map(\.summary),
      movesHash: false, element: .model)
    changes += listChange(
      "fetch requests", old.fetchRequests.map(\.name), new.fetchRequests.map(\.name),
      movesHash: false, element: .model)
    changes += listChange(
      "composites", old.composites.map(\.name), new.composites.map(\.name), movesHash: false,
      element: .model)
    changes += memberChanges(.configuration, old.configurations, new.configurations, \.name)
    changes += memberChanges(.fetchRequest, old.fetchRequests, new.fetchRequests, \.name)
    let hashed = Self.hashedComposites(of: older).union(Self.hashedComposites(of: newer))
    for composite in new.composites {
      guard let before = older.composite(named: composite.name) else { continue }
      changes += attributeChanges(
        .composite, before.attributes, composite.attributes, owner: "\(composite.name)."
      ).map { change in
        var change = change
        change.movesHash = change.movesHash && hashed.contains(composite.name)
        return change
      }
    }
    return changes
  }

  /// The composite types of stored attributes, and of elements of these types.
  private static func hashedComposites(of model: ObjectModel) -> Set<String> {
    var open = model.entities.flatMap(\.attributes).filter { !$0.isTransient }
    var names: Set<String> = []
    while let attribute = open.popLast() {
      guard let name = attribute.compositeName, names.insert(name).inserted else { continue }
      open += model.composite(named: name)?.attributes ?? []
    }
    return names
  }

  /// The changes of the parts of the model that are in both models.
  private func memberChanges<Member: KeyedModelElement>(
    _ element: ModelChange.Element, _ old: [Member], _ new: [Member],
    _ name: KeyPath<Member, String>
  ) -> [ModelChange] {
    let before = Dictionary(first: old.map { ($0[keyPath: name], $0) })
    return new.flatMap { member in
      before[member[keyPath: name]].map {
        member.changes(
          from: $0, as: element, named: member[keyPath: name], skipping: ["name"],
          areFromXML: areFromXML)
      } ?? []
    }
  }

  /// Whether both models were read from XML, which has what compiled models do not keep.
  private var areFromXML: Bool {
    older.document.extras.line > 0 && newer.document.extras.line > 0
  }

  private func isPair(_ old: String?, _ new: String) -> Bool {
    matching.pairs.contains { $0.source == old && $0.destination == new }
  }
}

extension ModelChange {
  /// Whether a property is added or removed.
  fileprivate var isOfExistence: Bool {
    switch kind {
    case .added, .removed: true
    default: false
    }
  }
}

extension EntityDifference {
  /// A change is hashed only where the hash of the entity has changed; one that has changed has a cause: of properties
  /// with equal hashes, the new order of their names.
  fileprivate mutating func settleCauses() {
    if !movesHash {
      for index in changes.indices { changes[index].movesHash = false }
    } else if !changes.contains(where: \.movesHash) {
      for index in changes.indices where changes[index].renamesHashedProperty {
        changes[index].movesHash = true
        changes[index].effect = .hashed
      }
    }
  }
}

extension ModelChange {
  fileprivate var renamesHashedProperty: Bool {
    guard case .renamed = kind else { return false }
    return [.attribute, .relationship].contains(element)
  }
}

extension [String] {
  /// The elements without those of another list, each taken away once.
  fileprivate func subtracting(_ other: [String]) -> [String] {
    var left = Dictionary(grouping: other) { $0 }.mapValues(\.count)
    return filter { element in
      guard let count = left[element], count > 0 else { return true }
      left[element] = count - 1
      return false
    }
  }
}

extension FetchIndex {
  /// `byName(name,other descending) where name != nil`
  fileprivate var summary: String {
    let elements = elements.map { element in
      (element.propertyName ?? element.expressionText ?? "…")
        + (element.isAscending ? "" : " descending") + (element.isRTree ? " R-tree" : "")
    }
    return "\(name)(\(elements.joined(separator: ",")))"
      + (predicateText.map { " where \($0)" } ?? "")
  }
}

extension ModelConfiguration {
  fileprivate var summary: String { "\(name)(\(Set(entityNames).sorted().joined(separator: ",")))" }
}
