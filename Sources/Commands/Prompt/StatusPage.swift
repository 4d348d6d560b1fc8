internal import StrataBase
internal import StrataRendering

/// `help status`: the exit statuses.
enum StatusPage {
  static let rows: [(status: ExitStatus, meaning: String)] = [
    (.done, "done; of a question: the answer is yes"),
    (
      .no,
      "the answer is no: incompatible, not inferable, no path, a rehearsal that would fail or is refused, a replay that differs, an expectation that is not met, an error found"
    ),
    (
      .failed,
      "the work could not be done: an unreadable file, a locked store, a budget that is spent, a migration or an insertion that fails or is refused"
    ),
    (.usage, "the command line is wrong"),
  ]

  /// Why the same refusal has two statuses, and what a script does.
  static let rules = [
    "A question has done its work when it is answered: `plan`, `infer`, `compare`, `validate`, `doctor`, `expect`",
    "and `migrate --dry-run` answer 1 for no. A command that is to change something and cannot answers 2:",
    "`migrate` where `migrate --dry-run` answers 1: no path, a mapping model that would fail, a policy or a stage that",
    "stops. A question that cannot be answered answers 2 as well: a file that cannot be read, a policy of which there",
    "is no file, several mapping models among which Core Data's choice is undefined.",
    "A script goes on after 1 and stops at 2 and 64; its own status is the highest that it met. `run --strict`",
    "stops at 1 too.",
    "A signal (Ctrl-C outside the prompt, `kill`, a closed terminal or pipe) ends the program as a signal: 128 and its",
    "number, in a shell. A migration that is committed is done, whatever happens next: where its answer cannot be",
    "written, standard error says `the migration is done` (the status is 2; 0 where the reader has closed the pipe).",
  ]

  static var outcome: Outcome {
    Outcome(
      .sections([
        .table(
          Table(
            columns: [.init("status", .right), .init("meaning")],
            rows: rows.map {
              [StyledText(String($0.status.rawValue), .name), StyledText($0.meaning)]
            })),
        .lines(rules.map { StyledText($0) }),
      ]),
      payload: Dictionary(
        rows.map { (String($0.status.rawValue), $0.meaning) }, uniquingKeysWith: { $1 }))
  }
}
