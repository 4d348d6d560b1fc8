internal import Foundation

extension FileHandle {
  /// Bytes at an offset; fewer only at the end of the file.
  func bytes(_ count: Int, at offset: Int) throws -> [UInt8] {
    try seek(toOffset: UInt64(offset))
    return [UInt8](try read(upToCount: count) ?? Data())
  }
}
