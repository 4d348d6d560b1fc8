internal import Foundation
internal import Synchronization

/// A Python process that runs programs for tests, each in a process of its own that it forks: it has started
/// and imported its modules already, which takes longer than most of the programs.
final class PythonServer: Sendable {
  private struct Request: Encodable {
    var program: String
    var arguments: [String]
    var input: String
  }

  /// Those that nobody uses now: tests run at the same time.
  private static let idle = Mutex<[PythonServer]>([])

  private let process: Process
  private let questions: FileHandle
  private let answers: FileHandle

  private init() throws {
    process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.program]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    questions = input.fileHandleForWriting
    answers = output.fileHandleForReading
  }

  /// Runs a program, and gives its exit status and what it prints.
  static func run(
    _ program: String, arguments: [String], input: String
  ) throws -> (status: Int, output: String) {
    let server = try idle.withLock { $0.popLast() } ?? PythonServer()
    let answer = try server.send(
      Request(program: program, arguments: arguments, input: input))
    // One that failed is not asked again.
    idle.withLock { $0.append(server) }
    return answer
  }

  private func send(_ request: Request) throws -> (status: Int, output: String) {
    let question = try JSONEncoder().encode(request)
    try questions.write(contentsOf: Data("\(question.count)\n".utf8) + question)
    let sizes = String(decoding: try read(32), as: UTF8.self).split(separator: " ")
    guard sizes.count == 2, let status = Int(sizes[0]), let size = Int(sizes[1]) else {
      throw StoreFixture.Failure(message: "python3 gave no answer")
    }
    return (status, String(decoding: try read(size), as: UTF8.self))
  }

  private func read(_ count: Int) throws -> Data {
    var data = Data()
    while data.count < count {
      guard let piece = try answers.read(upToCount: count - data.count), !piece.isEmpty else {
        throw StoreFixture.Failure(message: "python3 ended")
      }
      data += piece
    }
    return data
  }

  /// A question is its size in a line, and JSON; an answer has status and size in 32 bytes, then the output.
  private static let program = """
    import gc, io, json, os, plistlib, sqlite3, struct, sys, traceback

    def run(request, output):
        os.dup2(output, 1)
        sys.argv = ["-c"] + request["arguments"]
        sys.stdin = io.TextIOWrapper(io.BytesIO(request["input"].encode()), encoding="utf-8")
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
        names = {"__name__": "__main__"}
        status = 0
        try:
            exec(compile(request["program"], "<program>", "exec"), names)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException:
            traceback.print_exc()
            status = 1
        sys.stdout.flush()
        # Closes the stores that the program has left open.
        names.clear()
        gc.collect()
        return status

    gc.freeze()
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    while size := questions.readline():
        request = json.loads(questions.read(int(size)))
        source, target = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(source)
            status = 1
            try:
                status = run(request, target)
            finally:
                os._exit(status)
        os.close(target)
        with os.fdopen(source, "rb") as pipe: output = pipe.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        answers.write(f"{status} {len(output)}".ljust(32).encode() + output)
        answers.flush()
    """
}
