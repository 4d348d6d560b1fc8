import Foundation

/// The program: asks each question in a process of its own, since Core Data may end one by an
/// exception that Swift cannot catch.
struct Command {
  var options: [String: String] = [:]

  var strata: Strata {
    let built = Question.root.appendingPathComponent(".build/program/release/strata")
    return Strata(program: (options["--program"].map(URL.init(fileURLWithPath:)) ?? built).path)
  }

  func checker(_ folder: URL) -> Checker {
    Checker(
      strata: strata, framework: Framework(strata: strata), folder: folder,
      seed: options["--seed"].flatMap(UInt64.init) ?? 1,
      corpus: options["--corpus"].map { URL(fileURLWithPath: $0) })
  }

  /// A text without paths.
  private func plain(_ text: String, _ folder: URL) -> String {
    ["/private\(folder.path)", folder.path, NSHomeDirectory()]
      .reduce(text) { $0.replacingOccurrences(of: $1, with: "…") }
  }

  /// The child: one check, whose outcome is a file.
  func answer(_ question: Question, in folder: URL) throws {
    var outcome: Outcome
    do {
      let round = options["--round"].flatMap(Int.init) ?? 0
      outcome = try checker(folder).outcome(of: question, round: round)
    } catch { outcome = Outcome(.couldNotAsk, ["\(error)"]) }
    outcome.notes = outcome.notes.map { plain($0, folder) }
    try JSONEncoder().encode(outcome).write(to: folder.appendingPathComponent("outcome.json"))
  }

  func askAll() throws {
    let version = try strata.lines(["--version"]).first ?? ""
    let xcode = (try? Printed.run("/usr/bin/xcodebuild", ["-version"]).output) ?? "none"
    var report = Report(
      file: URL(fileURLWithPath: options["--report"] ?? "core-data-report.md"),
      facts: [
        ("system", ProcessInfo.processInfo.operatingSystemVersionString),
        ("Core Data", Framework(strata: strata).version), ("Strata", version),
        ("Xcode", xcode.replacing("\n", with: " ")), ("commit", options["--commit"] ?? "unknown"),
        ("seed", options["--seed"] ?? "1"),
      ])
    for question in try Question.all() where question.id.hasPrefix(options["--only"] ?? "") {
      var outcome = Outcome(.asStated)
      for round in 0..<question.rounds { outcome.add(try ask(question, round)) }
      try report.add(question, outcome)
      print("\(question.id): \(outcome.verdict.rawValue)")
      fflush(nil)
    }
    print(report.summary, report.file.path, separator: "\n")
  }

  /// Runs the child, and reads its outcome or its last words.
  private func ask(_ question: Question, _ round: Int) throws -> Outcome {
    let temporary = FileManager.default.temporaryDirectory
    let folder = temporary.appendingPathComponent("proof-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var words = ["--check", question.id, "--round", "\(round)", "--folder", folder.path]
    for (name, value) in options { words += [name, value] }
    let level = question.check == "log" ? question.arguments.first.flatMap(Int.init) : nil
    if let level {
      let debug = ["SQLDebug": level, "MigrationDebug": min(level, 3), "Logging.stderr": 1]
      for (name, value) in debug { words += ["-com.apple.CoreData.\(name)", "\(value)"] }
    }
    let printed = try Printed.run(Bundle.main.executablePath ?? CommandLine.arguments[0], words)
    let lines = printed.errors.split(separator: "\n").map(String.init)
    guard let data = try? Data(contentsOf: folder.appendingPathComponent("outcome.json")) else {
      let reasons = lines.filter { $0.contains("reason:") || $0.contains("rror:") }
      let texts = (reasons + lines.suffix(3)).prefix(3).map { plain($0, folder) }
      return Outcome(.couldNotAsk, ["the process ended with status \(printed.status)"] + texts)
    }
    let outcome = try JSONDecoder().decode(Outcome.self, from: data)
    guard let level, outcome.verdict == .asStated else { return outcome }
    let own = checker(folder)
    let logs = [lines, try own.ownLog(level: level)].map { $0.compactMap(Self.plain) }
    return Outcome(.otherwise, own.differences(logs[0], logs[1]))
  }

  /// A line of a log without its prefix, paths, times and addresses.
  private static func plain(_ line: String) -> String? {
    guard let start = line.firstRange(of: "CoreData: ") else { return nil }
    return String(line[start.lowerBound...])
      .replacing(/0x[0-9a-f]+|\/[^ "']*store\.sqlite|\d+\.\d+s/, with: "…")
  }
}

var command = Command()
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst(), word != "--questions" {
  guard word.hasPrefix("-"), let value = words.popFirst() else {
    print("options: --program, --report, --corpus, --seed, --only, --commit; or --questions alone")
    exit(64)
  }
  command.options[word] = value
}
do {
  if CommandLine.arguments.contains("--questions") {
    for question in try Question.all() { print(question.id, question.rule, separator: "  ") }
  } else if let id = command.options["--check"], let folder = command.options["--folder"] {
    guard let question = try Question.all().first(where: { $0.id == id }) else { exit(64) }
    try command.answer(question, in: URL(fileURLWithPath: folder))
  } else {
    try command.askAll()
  }
} catch {
  print("error: \(error)")
  exit(2)
}
