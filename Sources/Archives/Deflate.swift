internal import CZlib

/// Raw DEFLATE (no zlib header), as `Z_MODELCACHE.Z_CONTENT` holds it.
package enum Deflate {
  /// Expands a stream, up to ``ArchiveLimits/inflatedSize`` bytes.
  ///
  /// - Throws: ``ArchiveError/notDeflate``, ``ArchiveError/truncated(offset:)``, or
  ///   ``ArchiveError/tooLarge(what:limit:)`` for a stream that expands beyond the limit.
  package static func expand(_ bytes: [UInt8]) throws(ArchiveError) -> [UInt8] {
    let outcome = bytes.withUnsafeBufferPointer { input in
      Result { () throws(ArchiveError) -> [UInt8] in try expand(input) }
    }
    return try outcome.get()
  }

  private static func expand(
    _ input: UnsafeBufferPointer<UInt8>
  ) throws(ArchiveError) -> [UInt8] {
    var stream = z_stream()
    guard strata_inflate_init_raw(&stream) == Z_OK else { throw .notDeflate }
    defer { inflateEnd(&stream) }
    stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.avail_in = UInt32(clamping: input.count)
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let (status, produced) = chunk.withUnsafeMutableBufferPointer { buffer in
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(buffer.count)
        let status = inflate(&stream, Z_NO_FLUSH)
        return (status, buffer.count - Int(stream.avail_out))
      }
      output += chunk[..<produced]
      guard output.count <= ArchiveLimits.inflatedSize else {
        throw .tooLarge(what: "the expanded size", limit: ArchiveLimits.inflatedSize)
      }
      switch status {
      case Z_STREAM_END: return output
      case Z_OK where produced > 0 || stream.avail_in > 0: continue
      case Z_OK, Z_BUF_ERROR: throw .truncated(offset: input.count)
      default: throw .notDeflate
      }
    }
  }

  /// Compresses bytes into one raw stream.
  package static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    precondition(strata_deflate_init_raw(&stream, 6) == Z_OK, "zlib refuses its own defaults")
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    bytes.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { buffer in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(buffer.count)
        let status = deflate(&stream, Z_FINISH)
        precondition(status == Z_STREAM_END, "deflateBound was too small")
      }
    }
    output.removeLast(Int(stream.avail_out))
    return output
  }
}
