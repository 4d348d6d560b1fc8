internal import StrataBase
internal import StrataRendering

/// `help status`: the exit statuses.
enum StatusPage {
  static let rows: [(status: ExitStatus, meaning: String)] = [
    (.done, "success; for a question: the answer is yes"),
    (
      .no,
      "the answer is no: incompatible, not inferable, no path, a rehearsal that would fail or is refused, a replay that differs, an expectation that is not met, an error found"
    ),
    (
      .failed,
      "the command failed: an unreadable file, a locked store, a budget that is exceeded, a migration or an insertion that fails or is refused"
    ),
    (.usage, "the command line is wrong"),
  ]

  /// The rules for exit statuses, including those of scripts.
  static let rules = [
    "Commands that answer a question, such as `plan`, `infer`, `try`, `compare`, `identify`, `validate`, `doctor`,",
    "`project`, `check`, `expect` and `migrate --dry-run`, return 1 for no. A command that cannot make its changes",
    "returns 2: `migrate` returns 2 where `migrate --dry-run` returns 1 (no path, a mapping model that would fail, a",
    "policy or stage that stops).",
    "A question that cannot be answered also returns 2: an unreadable file, a new store for which there is no place,",
    "a policy without a policy file, several mapping models among which Core Data's choice is undefined.",
    "A script continues after 1 and stops at 2 and 64; its own status is the highest of its commands. `run --strict`",
    "also stops at 1.",
    "A signal (Ctrl-C outside the prompt, `kill`, a closed terminal or pipe) ends the program as a signal; shells",
    "report 128 plus its number. A committed migration is not undone: if its answer cannot be written, standard",
    "error says `migration complete` (the status is 2, or 0 if the reader has closed the pipe).",
  ]

  static var outcome: Outcome {
    Outcome(
      .sections([
        .table(
          columns: [.init("status", .right), .init("meaning")],
          rows: rows.map {
            [StyledText(String($0.status.rawValue), .name), StyledText($0.meaning)]
          }),
        .lines(rules.map { StyledText($0) }),
      ]),
      json: .object(.init(rows.map { (String($0.status.rawValue), $0.meaning) })))
  }
}
