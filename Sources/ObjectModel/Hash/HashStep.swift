/// One SHA-256 digest on the way to an entity's version hash, piece by piece: enough to compute it by
/// hand.
public struct HashStep: Sendable, Hashable {
  /// A run of bytes that is hashed, and its meaning.
  public struct Piece: Sendable, Hashable {
    public var field: HashField
    public var bytes: [UInt8]
    public var meaning: String
    /// SHA-256 of all bytes up to and including this piece, to check a computation by hand.
    public var running: VersionHash
  }

  public var subject: HashSubject
  public var pieces: [Piece]
  /// The settings of the subject that are not hashed.
  public var omissions: [HashOmission]
  public var result: VersionHash
}

/// What a digest is the digest of.
public struct HashSubject: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable {
    case entity, attribute, relationship
    /// An attribute of a composite type.
    case element
  }

  public var kind: Kind
  /// The entity or, for an element, the composite type that declares the property.
  public var owner: String
  /// The property's name; `nil` for an entity.
  public var property: String?
  /// Whether it is only the digest of name, flags and hash modifier, which is the first piece of the
  /// property's own digest.
  public var isCommonPart = false

  /// `attribute content of Topic`.
  public var description: String {
    guard let property else { return "\(kind.rawValue) \(owner)" }
    return "\(kind.rawValue) \(property) of \(kind == .element ? "composite " : "")\(owner)"
      + (isCommonPart ? ": common part" : "")
  }

  var commonPart: HashSubject {
    HashSubject(kind: kind, owner: owner, property: property, isCommonPart: true)
  }
}

/// The part of a subject that a piece of its digest states.
public enum HashField: Sendable, Hashable {
  case name, flags, modifier
  case type, externalStorage, preservedInHistory, derivation
  case destination, inverse, maxCount, minCount, ordered
  case isAbstract
  case constraint(String)
  /// The digest of another subject.
  case digest(HashSubject)

  /// The subject whose digest the piece is.
  public var source: HashSubject? {
    if case .digest(let subject) = self { subject } else { nil }
  }
}

/// A setting that is not part of a digest: changing it keeps the version hash.
public struct HashOmission: Sendable, Hashable {
  /// What is left out: `default`, `delete rule`, `transient attribute`.
  public var name: String
  public var value: String
}
