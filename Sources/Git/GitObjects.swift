internal import StrataBase

/// Reads objects through one running `git cat-file --batch`.
///
/// One request is written at a time, and its whole answer is read before the next: neither side ever waits for the
/// other to read.
///
/// Source: git-cat-file(1), "Batch output": `<id> SP <type> SP <size> LF <contents> LF`, or `<id> SP missing LF`.
final class GitObjects {
  private let program: GitProgram
  private let clone: () -> GitClone
  private let limits: GitLimits
  /// Started with the first request, and again after an error.
  private var process: GitProcess?
  /// The number of objects that were read so far.
  private(set) var count = 0
  /// Their bytes together.
  private var size = 0

  init(_ program: GitProgram, limits: GitLimits, clone: @escaping () -> GitClone) {
    (self.program, self.limits, self.clone) = (program, limits, clone)
  }

  /// The process identifier of the running command; `nil` if there is none.
  var processIdentifier: Int32? { process?.processIdentifier }

  /// The contents of an object.
  ///
  /// - Parameters:
  ///   - type: `blob`, `tree`, `commit` or `tag`.
  ///   - limit: The most bytes that it may have.
  /// - Throws: ``GitError``: missing, of another type, or too large.
  func contents(of id: GitObjectID, type: String, limit: Int) throws -> [UInt8] {
    let (found, contents) = try object(id, limit: limit) { $0 == type }
    guard found == type else { throw GitError.wrongType(id, wanted: type, found: found) }
    return contents
  }

  /// The type and the contents of an object; those of an unwanted type are not read, and empty.
  ///
  /// - Throws: As ``contents(of:type:limit:)``.
  func object(
    _ id: GitObjectID, limit: Int, where isWanted: (_ type: String) -> Bool
  ) throws -> (type: String, contents: [UInt8]) {
    let process = try process ?? start()
    // An answer that is not read to its end leaves the process unusable.
    self.process = nil
    try process.send("\(id)\n")
    guard let header = try process.line(endingWith: UInt8(ascii: "\n"), limit: 1 << 10) else {
      throw missingAtEnd(id, process)
    }
    let (type, size) = try read(header, of: id, keeping: process)
    guard isWanted(type) else { return (type, []) }
    guard size <= limit else {
      throw GitError.tooLarge(what: "the size of the \(type) \(id.short)", limit: limit)
    }
    guard size <= limits.totalSize - self.size else {
      throw GitError.tooLarge(what: "the size of all objects", limit: limits.totalSize)
    }
    self.size += size
    guard let contents = try process.bytes(size), try process.bytes(1) == [UInt8(ascii: "\n")]
    else { throw process.failure() }
    self.process = process
    count += 1
    return (type, contents)
  }

  private func start() throws -> GitProcess {
    try GitProcess(
      program, ["cat-file", "--batch"], isAsked: true, patience: limits.patience)
  }

  /// The type and the size in the first line of an answer.
  private func read(
    _ header: [UInt8], of id: GitObjectID, keeping process: GitProcess
  ) throws -> (type: String, size: Int) {
    let words = String(decoding: header, as: UTF8.self).split(separator: " ")
    guard words.first.map(String.init) == id.description else {
      throw GitError.unexpectedOutput(command: "cat-file")
    }
    if words.count == 2, words[1] == "missing" {
      self.process = process
      throw GitError.missingObject(id, clone: clone())
    }
    guard words.count == 3, let size = Int(words[2]), size >= 0 else {
      throw GitError.unexpectedOutput(command: "cat-file")
    }
    return (String(words[1]), size)
  }

  /// A partial clone may end the command instead of reporting the object as missing.
  private func missingAtEnd(_ id: GitObjectID, _ process: GitProcess) -> GitError {
    let failure = process.failure()
    if case .commandFailed(_, let message) = failure, clone().isPartial,
      message.contains("promisor") || message.contains("transport") || message.contains("fetch")
    {
      return .missingObject(id, clone: clone())
    }
    return failure
  }
}
