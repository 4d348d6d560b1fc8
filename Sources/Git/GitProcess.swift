internal import StrataArchives
internal import StrataBase
internal import StrataEssentials

/// A running git command. It ends at the latest when this value goes away.
///
/// Its standard input and output are one socket: a socket, unlike a pipe, can be written without SIGPIPE, and shutting
/// it down ends the command even if another process has inherited a descriptor. Standard error is another, read along
/// with the output, so that the command never waits for it.
final class GitProcess {
  /// The name of the command, for messages.
  let command: String
  private let process: ChildProcess
  private let socket: Int32
  private let errors: Int32
  private let patience: Duration
  private var unread: [UInt8] = []
  /// How many of the unread bytes were handed out.
  private var position = 0
  private var isAtEnd = false
  private var isErrorsOpen = true
  private var errorText: [UInt8] = []

  /// - Parameters:
  ///   - command: The command with its arguments; no shell sees them.
  ///   - indexFile: The index to read; `nil` for that of the repository.
  ///   - isAsked: Whether the command reads its standard input; otherwise that is empty.
  ///   - patience: How long the command may write nothing.
  /// - Throws: ``GitError/gitNotStarted(reason:)``.
  init(
    _ program: GitProgram, _ command: [String], indexFile: String? = nil, isAsked: Bool = false,
    patience: Duration
  ) throws {
    self.command = command.first ?? ""
    self.patience = patience
    let answers = try Self.socketPair()
    defer { close(answers.theirs) }
    let messages: (mine: Int32, theirs: Int32)
    do {
      messages = try Self.socketPair()
    } catch {
      close(answers.mine)
      throw error
    }
    defer { close(messages.theirs) }
    (socket, errors) = (answers.mine, messages.mine)
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(nothing) }
    do {
      process = try ChildProcess(
        program.path, program.arguments(command),
        environment: program.environment(indexFile: indexFile),
        input: isAsked ? answers.theirs : nothing, output: answers.theirs, errors: messages.theirs)
    } catch {
      close(socket)
      close(errors)
      throw GitError.gitNotStarted(reason: FileCause(errno: error.number).message)
    }
  }

  deinit {
    end()
    close(socket)
    close(errors)
  }

  /// Both ends are closed in other programs that are started.
  private static func socketPair() throws -> (mine: Int32, theirs: Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw GitError.gitNotStarted(reason: FileCause.last.message)
    }
    #if canImport(Darwin)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      var on: Int32 = 1
      setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return (ends[0], ends[1])
  }

  var processIdentifier: Int32 { process.identifier }

  // MARK: Writing

  /// Writes a request. It must be shorter than what a socket buffers, since nothing is read meanwhile.
  ///
  /// - Throws: ``GitError/commandFailed(command:message:)`` if the command has ended.
  func send(_ request: String) throws {
    var bytes = Array(request.utf8)[...]
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { systemSend(socket, $0.baseAddress, $0.count, flags) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR {
        throw failure()
      }
    }
  }

  // MARK: Reading

  /// The bytes up to the next terminator, without it; `nil` at the end of the output.
  ///
  /// - Parameter limit: The most bytes that a line may have.
  /// - Throws: ``GitError/unexpectedOutput(command:)`` for a longer line, or one without its end.
  func line(endingWith terminator: UInt8, limit: Int) throws -> [UInt8]? {
    var searched = position
    while true {
      if let end = unread[searched...].firstIndex(of: terminator) {
        defer { position = end + 1 }
        guard end - position <= limit else { throw GitError.unexpectedOutput(command: command) }
        return Array(unread[position..<end])
      }
      guard unread.count - position <= limit else {
        throw GitError.unexpectedOutput(command: command)
      }
      let searchedCount = unread.count - position
      guard try fill() else {
        guard searchedCount == 0 else { throw GitError.unexpectedOutput(command: command) }
        return nil
      }
      searched = position + searchedCount
    }
  }

  /// Exactly `count` bytes; `nil` if the output ends before.
  func bytes(_ count: Int) throws -> [UInt8]? {
    while unread.count - position < count {
      guard try fill() else { return nil }
    }
    defer { position += count }
    return Array(unread[position..<(position + count)])
  }

  /// Waits for more output.
  ///
  /// - Returns: `false` at the end of the output.
  private func fill() throws -> Bool {
    if position > 0 {
      unread.removeFirst(position)
      position = 0
    }
    let deadline = ContinuousClock.now + patience
    while !isAtEnd {
      try Interruption.check()
      var wanted = [
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isErrorsOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
      ]
      // A signal handler only sets a flag, which is read at the latest after this time, in milliseconds.
      guard poll(&wanted, 2, 100) > 0 else {
        if ContinuousClock.now > deadline {
          throw GitError.notResponding(
            command: command, seconds: Int(patience.components.seconds))
        }
        continue
      }
      if wanted[1].revents != 0 { readErrors() }
      if wanted[0].revents != 0 { return readOutput() }
    }
    return false
  }

  private func readOutput() -> Bool {
    guard let piece = Self.piece(of: socket) else { return true }
    unread += piece
    isAtEnd = piece.isEmpty
    return !isAtEnd
  }

  /// Only the beginning is kept.
  private func readErrors() {
    guard let piece = Self.piece(of: errors) else { return }
    if piece.isEmpty { isErrorsOpen = false }
    errorText += piece.prefix(max(0, 4096 - errorText.count))
  }

  /// What can be read now; empty at the end or after an error, `nil` after a signal.
  private static func piece(of descriptor: Int32) -> [UInt8]? {
    var count = 0
    let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
      count = read(descriptor, buffer.baseAddress, buffer.count)
      filled = max(0, count)
    }
    return count < 0 && (errno == EINTR || errno == EAGAIN) ? nil : piece
  }

  // MARK: The end

  /// Waits for the end of a command whose output was read.
  ///
  /// - Parameter isAnswer: Whether a status other than 0 is an answer rather than a failure.
  /// - Returns: The exit status.
  /// - Throws: ``GitError/commandFailed(command:message:)``, or ``GitError/foreignOwner(root:)``.
  @discardableResult
  func finish(isAnswer: (Int32) -> Bool = { $0 == 0 }) throws -> Int32 {
    while try fill() { position = unread.count }
    guard let status = process.wait(atMost: .seconds(10)), isAnswer(status)
    else { throw failure() }
    return status
  }

  /// The error of a command that has ended, or ended its output, without an answer.
  func failure() -> GitError {
    end()
    var rest = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
    while isErrorsOpen, poll(&rest, 1, 0) > 0 { readErrors() }
    let text = String(decoding: errorText, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
    if let line = lines.first(where: {
      $0.contains("dubious ownership") || $0.contains("unsafe rep")
    }
    ) {
      // The path is in quotes, and may contain some.
      let quotes = line.indices.filter { line[$0] == "'" }
      guard let first = quotes.first, let last = quotes.last, first < last else {
        return .foreignOwner(root: "")
      }
      return .foreignOwner(root: String(line[line.index(after: first)..<last]))
    }
    let line = lines.first { $0.hasPrefix("fatal: ") } ?? lines.first ?? ""
    let prefix = line.hasPrefix("fatal: ") ? "fatal: ".count : 0
    return .commandFailed(command: command, message: String(line.dropFirst(prefix).prefix(300)))
  }

  /// Ends the command: it only reads, so there is nothing to complete.
  func end() {
    shutdown(socket, Int32(SHUT_RDWR))
    process.kill()
  }
}
