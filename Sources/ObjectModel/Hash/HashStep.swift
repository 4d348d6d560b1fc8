/// One SHA-256 digest that contributes to an entity's version hash, piece by piece, so it can be computed by
/// hand.
package struct HashStep: Sendable, Hashable {
  /// A sequence of hashed bytes and its meaning.
  package struct Piece: Sendable, Hashable {
    package var field: HashField
    package var bytes: [UInt8]
    package var meaning: String
    /// SHA-256 of all bytes up to and including this piece, to check a computation by hand.
    package var running: VersionHash
  }

  package var subject: HashSubject
  package var pieces: [Piece]
  /// The settings of the subject that are not hashed.
  package var omissions: [HashOmission]
  package var result: VersionHash
}

/// The element whose digest is computed.
package struct HashSubject: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case entity, attribute, relationship
    /// An attribute of a composite type.
    case element
  }

  package var kind: Kind
  /// The entity or, for an element, the composite type that declares the property.
  package var owner: String
  /// The property's name; `nil` for an entity.
  package var property: String?
  /// Whether it is only the digest of name, flags and hash modifier, which is the first piece of the
  /// property's own digest.
  package var isCommonPart = false

  /// `attribute content of Topic`.
  package var description: String {
    guard let property else { return "\(kind.rawValue) \(owner)" }
    return "\(kind.rawValue) \(property) of \(kind == .element ? "composite " : "")\(owner)"
      + (isCommonPart ? ": common part" : "")
  }

  var commonPart: HashSubject {
    HashSubject(kind: kind, owner: owner, property: property, isCommonPart: true)
  }
}

/// The part of the element that a piece of its digest encodes.
package enum HashField: Sendable, Hashable {
  case name, flags, modifier
  case type, externalStorage, preservedInHistory, derivation
  case destination, inverse, maxCount, minCount, ordered
  case isAbstract
  case constraint(String)
  /// The digest of another subject.
  case digest(HashSubject)

  /// The subject whose digest the piece is.
  package var source: HashSubject? {
    if case .digest(let subject) = self { subject } else { nil }
  }
}

/// A setting that is not part of a digest: changing it does not change the version hash.
package struct HashOmission: Sendable, Hashable {
  /// The name of the setting: `default`, `delete rule`, `transient attribute`.
  package var name: String
  package var value: String
}
