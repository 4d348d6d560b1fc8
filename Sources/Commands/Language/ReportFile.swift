internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataRendering

/// A report for another program that is to be written to a file.
struct ReportFile {
  /// The path as the user typed it.
  private let name: String
  private let kind: WrittenKind
  private let bytes: [UInt8]

  /// - Parameter name: The typed path; `nil` if the report is not requested.
  init?(_ name: String?, _ kind: WrittenKind, _ bytes: @autoclosure () -> [UInt8]) {
    guard let name else { return nil }
    (self.name, self.kind, self.bytes) = (name, kind, bytes())
  }

  /// Writes reports: all or none.
  ///
  /// - Parameter force: Whether existing reports are replaced.
  /// - Throws: ``Diagnostic``, ``FileError``.
  private static func write(_ reports: [ReportFile], force: Bool, in session: Session) throws {
    var update = FolderUpdate()
    var paths: Set<String> = []
    for report in reports {
      let path = try session.newPath(report.name, as: report.kind, force: force)
      guard paths.insert(RealPath.resolving(path)).inserted else {
        throw Diagnostic(
          id: "file.twice", what: "two reports cannot be written to one file",
          location: Location(file: report.name), fix: "name a file for each report")
      }
      update.write(report.bytes, to: path)
    }
    try update.commit()
  }

  /// The outcome after the reports are written. The findings are shown even if they cannot be written.
  static func writing(
    _ reports: [ReportFile?], force: Bool, _ outcome: Outcome, in session: Session
  ) throws -> Outcome {
    var outcome = outcome
    do {
      try write(reports.compactMap { $0 }, force: force, in: session)
    } catch let error as any DiagnosticError {
      outcome.warnings.append(error.diagnostic)
      outcome.status = .failed
    }
    return outcome
  }
}
