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
        .lines(files.flatMap(lines)), payload: files.map(LessonReportPayload.init), status: status),
      in: session)
  }

  private var failed: [CheckedCase] { files.flatMap(\.cases).filter { $0.messages != nil } }

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

/// The JSON shape of a lesson or a document that was checked.
struct LessonReportPayload: Encodable, Sendable {
  var file: String
  /// The error because of which nothing could be checked.
  var error: String?
  var cases: [Case]

  struct Case: Encodable, Sendable {
    var name: String
    var line: Int
    var passed: Bool
    var messages: [String]
  }

  init(_ file: CheckedFile) {
    self.file = file.name
    error = file.error?.message
    cases = file.cases.map { checked in
      let messages = checked.messages
      return Case(
        name: checked.name, line: checked.line, passed: messages == nil, messages: messages ?? [])
    }
  }
}
