internal import CDigests

/// Digests of the SHA-2 family, by the library of the system.
///
/// ```swift
/// SHA2.digest256(of: Array("abc".utf8))  // ba 78 16 bf …: 32 bytes
/// ```
package enum SHA2 {
  /// SHA-256.
  ///
  /// Shape: 32 bytes.
  package static func digest256(of bytes: [UInt8]) -> [UInt8] {
    var running = Running256()
    running.update(with: bytes)
    return running.digest
  }

  /// SHA-512.
  ///
  /// Shape: 64 bytes.
  package static func digest512(of bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 64) { digest, count in
      bytes.withUnsafeBytes { strata_sha512($0.baseAddress, $0.count, digest.baseAddress) }
      count = 64
    }
  }

  /// SHA-256 of bytes that come one after the other: the digest of those so far costs no more after many of them.
  ///
  /// ```swift
  /// var running = SHA2.Running256()
  /// running.update(with: Array("ab".utf8))
  /// running.digest  // the digest of "ab"
  /// running.update(with: Array("c".utf8))
  /// running.digest  // ba 78 16 bf …
  /// ```
  package struct Running256 {
    private var context = strata_sha256_context()

    package init() { strata_sha256_init(&context) }

    package mutating func update(with bytes: [UInt8]) {
      bytes.withUnsafeBytes { strata_sha256_update(&context, $0.baseAddress, $0.count) }
    }

    /// The digest of all bytes so far.
    ///
    /// Shape: 32 bytes.
    package var digest: [UInt8] {
      [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
        var ended = context
        digest.baseAddress.map { strata_sha256_final(&ended, $0) }
        count = 32
      }
    }
  }
}
