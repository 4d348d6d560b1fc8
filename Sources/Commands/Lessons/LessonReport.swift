internal import StrataBase
internal import StrataRendering

/// The results of `lesson test` and `lesson check`.
struct LessonReport {
  private let files: [CheckedFile]
  /// What was checked, in the plural.
  private let noun: String

  init(_ files: [CheckedFile], of noun: String) {
    (self.files, self.noun) = (files, noun)
  }

  func outcome(_ report: FindingReportOptions, in session: Session) throws -> Outcome {
    let status: ExitStatus =
      files.contains { $0.error != nil } ? .failed : failed.isEmpty ? .done : .no
    return try report.reporting(
      files,
      Outcome(
        .lines(files.flatMap(lines)), json: files.json(Self.json), status: status),
      in: session)
  }

  private var failed: [CheckedCase] { files.flatMap(\.cases).filter { $0.messages != nil } }

  /// The error is that because of which nothing could be checked.
  private static func json(_ file: CheckedFile) -> JSONValue {
    .object(withoutNull: [
      "file": file.name, "error": file.error?.message,
      "cases": file.cases.json {
        [
          "name": $0.name, "line": $0.line, "passed": $0.messages == nil,
          "messages": $0.messages ?? [],
        ]
      },
    ])
  }

  private func lines(of file: CheckedFile) -> [StyledText] {
    let passed = file.cases.count { $0.messages == nil }
    let isGood = passed == file.cases.count && file.error == nil
    let verdict =
      file.error.map { StyledText($0.message, .error) }
      ?? StyledText("\(passed) of \(file.cases.count) \(noun)", isGood ? .good : .error)
    return [StyledText(file.name, .name) + StyledText(": ") + verdict]
      + file.cases.flatMap { checked in
        (checked.messages ?? []).map { StyledText("  \(checked.name): ") + StyledText($0) }
      }
  }
}

extension CheckedCase {
  /// What is wrong; `nil` if the case passed.
  fileprivate var messages: [String]? {
    if case .found(_, let failure) = result { failure.details } else { nil }
  }
}
