internal import StrataBase
package import StrataExpressions
internal import StrataObjectModel

/// Key paths that the entity mappings of an entity read of its objects.
package struct ReadPaths {
  /// The key paths, by first key.
  private var paths: [String: Set<[String]>] = [:]

  /// `nil` if the key paths are unknown, because of a policy or an expression that can read any property.
  ///
  /// - Parameters:
  ///   - mappings: The entity mappings that create objects, with the attributes that each copies.
  ///   - policyReads: The key paths that known policies read.
  init?(
    _ mappings: [(mapping: EntityMapping, copied: CopiedAttributes)],
    _ policyReads: [EntityMapping: Set<[String]>]
  ) {
    for (mapping, copied) in mappings {
      if mapping.policyName != nil {
        guard let read = policyReads[mapping] else { return nil }
        for path in read { add(path) }
      }
      let attributes = mapping.attributeMappings.filter { copied.stores($0.name) }
      for property in attributes + mapping.relationshipMappings {
        guard let expression = property.expression else { continue }
        guard let paths = expression.pathsOfSource else { return nil }
        if let pairs = copied.pairs(property) {
          for pair in pairs { add(pair.old.name.split(separator: ".").map(String.init)) }
        } else {
          for path in paths { add(path) }
        }
      }
    }
  }

  private mutating func add(_ path: [String]) {
    if let first = path.first { paths[first, default: []].insert(path) }
  }

  /// Whether a property or an element of a composite attribute is read, at least in part.
  func contains(_ name: String) -> Bool {
    let keys = name.split(separator: ".").map(String.init)
    return (paths[keys.first ?? ""] ?? []).contains { Self.doesRead($0, keys) }
  }

  /// Whether a key path reads a property or an element of a composite attribute, at least in part, or a value of it such
  /// as `title.integerValue`; its length alone says nothing of it.
  package static func doesRead(_ path: [String], _ property: [String]) -> Bool {
    !path.isEmpty && property.starts(with: path)
      || path.starts(with: property) && path.dropFirst(property.count) != ["length"]
  }
}

extension Expression {
  /// The key paths after `$source` in all parts of the expression; `nil` if it can read others too.
  package var pathsOfSource: Set<[String]>? { pathsOfSource(whereOwnKeysAreOf: .anything) }

  /// The object that a key without a variable belongs to.
  package enum Owner {
    /// Perhaps the source object.
    case anything
    /// Not the source object, as in the statements of a policy file.
    case newObject
  }

  package func pathsOfSource(whereOwnKeysAreOf owner: Owner) -> Set<[String]>? {
    switch self {
    case .keyPath(of: nil, _) where owner == .newObject: return []
    case .constant: return []
    case .variable(let name): return MappingVariable(rawValue: name)?.object == nil ? nil : []
    case .keyPath(of: .variable("source"), let keys): return keys.isEmpty ? nil : [keys]
    case .keyPath(of: let operand?, _): return operand.pathsOfSource(whereOwnKeysAreOf: owner)
    case .function("valueForKey:", on: .variable("source"), let arguments),
      .function("valueForKeyPath:", on: .variable("source"), let arguments):
      guard case .constant(.text(let path))? = arguments.first else { return nil }
      return [path.split(separator: ".").map(String.init)]
    case .function(_, let target, let arguments):
      // The object itself leads to others, and none of its values is read.
      switch RelationshipSource(self) {
      case .mapping(_, of: .variable("source")), .relationship(_, of: .variable("source")):
        return []
      case .mapping(_, of: let objects), .relationship(_, of: let objects):
        return objects.pathsOfSource(whereOwnKeysAreOf: owner)
      case nil:
        return (arguments + (target.map { [$0] } ?? [])).pathsOfSource(whereOwnKeysAreOf: owner)
      }
    case .collection(let elements): return elements.pathsOfSource(whereOwnKeysAreOf: owner)
    // Nor has what selects elements.
    case .subquery(let collection, _, _): return collection.pathsOfSource(whereOwnKeysAreOf: owner)
    // A condition has no value of what it reads.
    case .conditional(_, let first, let second):
      return [first, second].pathsOfSource(whereOwnKeysAreOf: owner)
    default: return nil
    }
  }
}

extension [Expression] {
  fileprivate func pathsOfSource(whereOwnKeysAreOf owner: Expression.Owner) -> Set<[String]>? {
    var paths: Set<[String]> = []
    for part in self {
      guard let found = part.pathsOfSource(whereOwnKeysAreOf: owner) else { return nil }
      paths.formUnion(found)
    }
    return paths
  }
}
