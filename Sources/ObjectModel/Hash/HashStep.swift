/// One SHA-256 on the way to an entity's version hash, piece by piece: enough to do it by hand.
public struct HashStep: Sendable, Hashable {
  /// A run of bytes that goes in, and what it means.
  public struct Piece: Sendable, Hashable {
    public var bytes: [UInt8]
    public var meaning: String
    /// SHA-256 of all bytes up to and including this piece: to check one's own hand work by.
    public var running: VersionHash
  }

  /// What is being hashed: `attribute content of Topic`.
  public var subject: String
  public var pieces: [Piece]
  public var result: VersionHash
}
