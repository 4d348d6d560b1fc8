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
    digest(of: bytes, length: 32, by: strata_sha256)
  }

  /// SHA-512.
  ///
  /// Shape: 64 bytes.
  package static func digest512(of bytes: [UInt8]) -> [UInt8] {
    digest(of: bytes, length: 64, by: strata_sha512)
  }

  private static func digest(
    of bytes: [UInt8], length: Int,
    by function: (UnsafeRawPointer?, Int, UnsafeMutablePointer<UInt8>?) -> Void
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { digest, count in
      bytes.withUnsafeBytes { function($0.baseAddress, $0.count, digest.baseAddress) }
      count = length
    }
  }
}
