internal import StrataBase
internal import StrataEssentials

/// Reads whole files, with limits and errors.
package enum FileBytes {
  /// The bytes of a regular file.
  ///
  /// - Throws: ``FileError``: no such file, a folder, no permission, or larger than the limit.
  package static func read(
    _ path: String, limit: Int = ArchiveLimits.fileSize
  ) throws(FileError) -> [UInt8] {
    let file = try RegularFile(path)
    guard file.size <= limit else { throw .tooLarge(path, size: file.size, limit: limit) }
    return try file.read(file.size)
  }

  /// The bytes of standard input, which may be a pipe or a terminal.
  ///
  /// - Throws: ``FileError``, with `-` as the path: closed, a folder, or larger than
  ///   ``ArchiveLimits/fileSize``; and ``Interruption/interrupted`` after Ctrl-C.
  package static func standardInput() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      try Interruption.check()
      let count = piece.withUnsafeMutableBytes {
        systemRead(STDIN_FILENO, $0.baseAddress, $0.count)
      }
      if count > 0 {
        bytes += piece[..<count]
        guard bytes.count <= ArchiveLimits.fileSize else {
          throw FileError.tooLarge("-", size: bytes.count, limit: ArchiveLimits.fileSize)
        }
      } else if count == 0 {
        return bytes
      } else if errno == EAGAIN {
        var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        _ = poll(&wanted, 1, -1)
      } else if errno != EINTR {
        throw FileError.unreadable("-", .last)
      }
    }
  }

  /// The first bytes of a regular file, to detect its format.
  package static func head(_ path: String, count: Int) throws(FileError) -> [UInt8] {
    try RegularFile(path).read(count)
  }

  /// The last bytes of a regular file, fewer only if it is shorter, and its size.
  package static func tail(
    _ path: String, count: Int
  ) throws(FileError) -> (bytes: [UInt8], size: Int) {
    let file = try RegularFile(path)
    return (try file.read(count, from: max(0, file.size - count)), file.size)
  }
}

extension FileBytes {
  /// Appends bytes to a file, which is created if it does not exist.
  ///
  /// - Throws: ``FileError/unwritable(_:reason:)``.
  package static func append(
    _ bytes: [UInt8], to path: String, permissions: Int = 0o666
  ) throws(FileError) {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, mode_t(permissions))
    guard file >= 0 else { throw .unwritable(path, reason: FileCause.last.message) }
    defer { close(file) }
    guard bytes.withUnsafeBytes({ writeAll($0, to: file) }) else {
      throw .unwritable(path, reason: FileCause.last.message)
    }
  }
}

/// A regular file that is open for reading.
package struct RegularFile: ~Copyable {
  /// The status of the open file.
  let status: stat
  private let path: String
  private let descriptor: Int32

  /// - Parameter path: Links in it are followed, as far as ``ReadableFolders/current`` allows.
  package init(_ path: String) throws(FileError) {
    // Only a regular file is opened: opening anything else may block forever, or start a device.
    try Self.check(try OpenedPath.status(path), path)
    let descriptor = try OpenedPath.open(path, O_RDONLY | O_NONBLOCK)
    var status = stat()
    do throws(FileError) {
      guard fstat(descriptor, &status) == 0 else { throw .unreadable(path, .last) }
      // It may have been replaced since.
      try Self.check(FileStatus(status), path)
    } catch {
      close(descriptor)
      throw error
    }
    self.status = status
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  var size: Int { Int(status.st_size) }

  static func check(_ status: FileStatus, _ path: String) throws(FileError) {
    switch status.kind {
    case .file: return
    case .folder: throw .isFolder(path)
    default: throw .notAFile(path)
    }
  }

  /// The bytes at an offset; fewer only at the end of the file.
  package borrowing func read(_ count: Int, from offset: Int = 0) throws(FileError) -> [UInt8] {
    var failure: FileCause?
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
      throw .unreadable(path, .last)
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled..<count])
        let got = Self.read(descriptor, UnsafeMutableRawBufferPointer(rest))
        guard got > 0 else {
          failure = got < 0 ? .last : nil
          return
        }
        filled += got
      }
    }
    if let failure { throw .unreadable(path, failure) }
    return bytes
  }

  /// Copies its first `count` bytes, fewer only if it is shorter, to a file that is open for writing.
  ///
  /// - Returns: `false` with `errno` set if writing fails.
  borrowing func copy(to target: Int32, count: Int) throws(FileError) -> Bool {
    var piece = [UInt8](repeating: 0, count: min(count, 1 << 20))
    var left = count
    while true {
      let got = piece.withUnsafeMutableBytes {
        Self.read(descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[..<min(left, $0.count)]))
      }
      guard got >= 0 else { throw .unreadable(path, .last) }
      if got == 0 { return true }
      left -= got
      let isWritten = piece.withUnsafeBytes {
        writeAll(UnsafeRawBufferPointer(rebasing: $0[..<got]), to: target)
      }
      guard isWritten else { return false }
    }
  }

  /// Like the system function, but retries after a signal.
  private static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let got = systemRead(descriptor, buffer.baseAddress, buffer.count)
      guard got < 0, errno == EINTR else { return got }
    }
  }
}

/// A file that is open for writing.
package struct WritableFile: ~Copyable {
  private let descriptor: Int32

  /// Truncates a file, and creates it if it does not exist.
  ///
  /// - Throws: ``FileError``.
  package init(emptying path: String) throws(FileError) {
    descriptor = try OpenedPath.openEmptied(path)
  }

  deinit { close(descriptor) }

  /// - Throws: The cause.
  package borrowing func write(_ bytes: [UInt8]) throws(FileCause) {
    guard bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) else { throw .last }
  }
}
