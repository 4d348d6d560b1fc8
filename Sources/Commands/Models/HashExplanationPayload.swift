internal import StrataObjectModel

/// The JSON shape of `hash` for a property.
struct PropertyHashPayload: Encodable, Sendable {
  var property: String
  var hash: String
  var steps: [HashStepPayload]?
}

/// The JSON shape of `hash --explain` for a model or an entity, including the digests of properties.
struct HashExplanationPayload: Encodable, Sendable {
  var hashes: HashPayload
  var steps: [HashStepPayload]
}

/// The JSON shape of one digest.
struct HashStepPayload: Encodable, Sendable {
  struct Piece: Encodable, Sendable {
    var bytes: String
    var meaning: String
    var running: String
  }

  struct Omission: Encodable, Sendable {
    var name: String
    var value: String
  }

  var subject: String
  var kind: String
  var owner: String
  var property: String?
  var pieces: [Piece]
  var notHashed: [Omission]
  var result: String

  init(_ step: HashStep) {
    subject = step.subject.description
    kind = step.subject.kind.rawValue
    owner = step.subject.owner
    property = step.subject.property
    pieces = step.pieces.map {
      Piece(bytes: $0.bytes.hex, meaning: $0.meaning, running: $0.running.hex)
    }
    notHashed = step.omissions.map { Omission(name: $0.name, value: $0.value) }
    result = step.result.hex
  }
}

/// The JSON shape of `hash A B --explain`: the digests that differ, each with the pieces that differ.
struct HashComparisonPayload: Encodable, Sendable {
  struct Piece: Encodable, Sendable {
    /// The reference that contains the piece: `first` or `second`.
    var side: String
    var bytes: String
    var meaning: String
  }

  struct Digest: Encodable, Sendable {
    var subject: String
    var pieces: [Piece]
    /// `nil` if only the other reference has the entity.
    var first: String?
    var second: String?
  }

  var first: String
  var second: String
  var equal: Bool
  var digests: [Digest]
}
