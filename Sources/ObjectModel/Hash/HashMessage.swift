internal import StrataArchives

/// The bytes of one digest and, if recording, the meaning of each piece.
///
/// Hashing and `hash --explain` use the same bytes. One message is reused for all digests, since a model has
/// thousands of them.
struct HashMessage {
  private var bytes: [UInt8] = []
  private var pieces: [HashStep.Piece]?
  /// The digest after each piece, if recording.
  private var running = SHA2.Running256()

  var isRecording: Bool { pieces != nil }

  init(recording: Bool) {
    bytes.reserveCapacity(4096)
    pieces = recording ? [] : nil
  }

  mutating func append(
    _ text: String, as field: @autoclosure () -> HashField, _ meaning: @autoclosure () -> String
  ) {
    append(bytes: text.utf8, as: field(), "\(meaning()) \"\(text)\"")
  }

  mutating func append<Number: FixedWidthInteger>(
    _ number: Number, as field: @autoclosure () -> HashField, _ meaning: @autoclosure () -> String
  ) {
    withUnsafeBytes(of: number.littleEndian) { append(bytes: $0, as: field(), meaning()) }
  }

  mutating func append(
    _ hash: VersionHash, of subject: @autoclosure () -> HashSubject,
    _ meaning: @autoclosure () -> String
  ) {
    hash.withUnsafeBytes { append(bytes: $0, as: .digest(subject()), meaning()) }
  }

  private mutating func append(
    bytes added: some Sequence<UInt8>, as field: @autoclosure () -> HashField,
    _ meaning: @autoclosure () -> String
  ) {
    let start = bytes.count
    bytes.append(contentsOf: added)
    if pieces != nil {
      let piece = Array(bytes[start...])
      running.update(with: piece)
      pieces?.append(
        HashStep.Piece(
          field: field(), bytes: piece, meaning: meaning(), running: Self.hash(running.digest)))
    }
  }

  /// The digest and, if recording, the step to show. The message is empty afterwards.
  mutating func finish(
    _ subject: @autoclosure () -> HashSubject, omissions: @autoclosure () -> [HashOmission]
  ) -> (hash: VersionHash, step: HashStep?) {
    let hash = Self.hash(SHA2.digest256(of: bytes))
    bytes.removeAll(keepingCapacity: true)
    guard let recorded = pieces else { return (hash, nil) }
    pieces = []
    running = SHA2.Running256()
    let step = HashStep(
      subject: subject(), pieces: recorded, omissions: omissions(), result: hash)
    return (hash, step)
  }

  private static func hash(_ digest: [UInt8]) -> VersionHash {
    guard let hash = VersionHash(bytes: digest) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    return hash
  }
}
