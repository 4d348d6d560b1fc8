import StrataNotebook

extension FuzzTarget {
  /// A script or notebook: what it holds survives being written anew, the other form and a replay.
  static func readSession(_ bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    let form: SessionForm =
      first < 0x40 ? .script : first < 0x80 ? .markdown : SessionForm.form(ofText: text)
    let document = try SessionDocument(reading: text, form: form)
    for other in SessionForm.allCases { checkWritten(document, as: other) }
    try checkRecorded(document)
  }

  /// Entries that are written down read as the same.
  private static func checkWritten(_ document: SessionDocument, as form: SessionForm) {
    guard let written = try? SessionDocument(parts: document.parts, form: form) else { return }
    let isSame = written.entries.elementsEqual(document.entries) { new, old in
      new.command.utf8.elementsEqual(old.command.utf8) && new.recorded == old.recorded
        && new.digest == old.digest
    }
    precondition(isSame, "what was written has other commands or answers")
  }

  /// Each command answers what the next one did: what is recorded fits that, and nothing else changes.
  private static func checkRecorded(_ document: SessionDocument) throws {
    var answers = document.entries.map {
      $0.recorded ?? RecordedOutput(text: "...\n[..] \($0.command)")
    }
    if !answers.isEmpty { answers.append(answers.removeFirst()) }
    var place = 0
    let report = SessionReplay.run(document) { _ in
      defer { place += 1 }
      let payload = answers[place].lines.joined()
      return Answer(
        answers[place], digest: AnswerDigest(of: payload, status: answers[place].status))
    }
    for command in report.commands {
      if let difference = command.verdict.difference {
        _ = difference.unified()
        _ = difference.rewritten(accepting: [0], takesStatus: false)
      }
    }
    let updated = try document.recording(
      report.outputs, digests: report.digests(accepting: report.outputs))
    precondition(updated.entries.count == document.entries.count, "a command more or less")
    for (entry, answer) in zip(updated.entries, answers) {
      precondition(
        entry.recorded?.compare(to: answer) == nil, "what was recorded does not fit its answer")
    }
    precondition(
      report.compared(with: updated).commands.allSatisfy { $0.verdict.difference == nil },
      "a replay differs from what it recorded")
  }
}
