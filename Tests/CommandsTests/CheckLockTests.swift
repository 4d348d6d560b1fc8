import Foundation
import StrataBase
import TestSupport
import Testing

@testable import StrataCommands

@Suite("The lock file of check")
struct CheckLockTests {
  /// A project without tags whose version `App 1` is locked and committed, and whose current version is `App 2`.
  private func locked() throws -> ProjectFixture {
    let project = try ProjectFixture(tag: nil)
    try project.write(["name", "color"], "App 1")
    try FileManager.default.removeItem(
      atPath: project.folder.path("App.xcdatamodeld/App 2.xcdatamodel"))
    let answer = project.session("lock --release 1.0")
    #expect(
      answer.status == .done && answer.output == "wrote strata.lock: added App 1\n", "\(answer)")
    try project.repository.commit()
    try project.write(["name"], "App 2")
    return project
  }

  private func text(_ project: ProjectFixture) throws -> String {
    try String(contentsOfFile: project.folder.path("strata.lock"), encoding: .utf8)
  }

  @Test("lock writes hashes alone: the same models give the same bytes, and nothing is added twice")
  func format() throws {
    let project = try locked()
    let first = try text(project)
    #expect(
      first.wholeMatch(
        of:
          /model App\n\nversion "App 1"                 shipped 1\.0\n  checksum  [^ ]{44}\n  Card      [0-9a-f]{64}\n/
      ) != nil, "\(first)")
    #expect(try text(locked()) == first)
    try project.write(["name"], "App 1.5")
    try project.write(["name", "size"], "App 10")
    let before = try text(project)
    #expect(project.session("lock").output == "wrote strata.lock: added App 1.5 and App 10\n")
    let all = try text(project)
    // App 2 has the hashes of App 1.5.
    let versions = all.split(separator: "\n").filter { $0.hasPrefix("version") }
    #expect(versions.map { $0.split(separator: "\"")[1] } == ["App 1", "App 1.5", "App 10"])
    #expect(versions[2].hasSuffix("shipped \"App 10\"") && all.hasPrefix(before))
    #expect(project.session("lock").output == "strata.lock is up to date\n")
    #expect(try text(project) == all)
  }

  @Test("comments and existing lines are kept, and a version is inserted by its number")
  func inserting() throws {
    let project = try locked()
    let old = "# Ours\n" + (try text(project)).replacing("App 1", with: "App 9") + "# end\n"
    try project.folder.write(old, to: "strata.lock")
    #expect(project.session("lock").status == .done)
    let new = try text(project)
    #expect(new.hasPrefix("# Ours\nmodel App\n\nversion \"App 2\" "), "\(new)")
    #expect(new.hasSuffix("\n\nversion \"App 9\"" + old.split(separator: "version \"App 9\"")[1]))
    #expect(project.session("lock").output == "strata.lock is up to date\n")
  }

  @Test("check takes the shipped versions from the file, and needs no tags and no repository")
  func shipped() throws {
    let project = try locked()
    let answer = try project.check(options: "")
    #expect(answer.status == .no && answer.output.contains("1 shipped in strata.lock"), "\(answer)")
    #expect(answer.output.contains("loss/values") && answer.diagnostics.isEmpty, "\(answer)")
    try FileManager.default.removeItem(atPath: project.folder.path(".git"))
    let bare = try project.check()
    #expect(bare.status == .no && bare.diagnostics.isEmpty, "\(bare)")
  }

  @Test("a locked version that was edited or deleted is an error; lock refuses it without --force")
  func edited() throws {
    let project = try locked()
    let before = try text(project)
    try project.write(["name", "colour"], "App 1")
    let answer = try project.check()
    #expect(answer.status == .no && answer.output.contains("[version/edited]"), "\(answer)")
    #expect(answer.output.contains("shipped in 1.0") && answer.output.contains("App 1: Card"))
    let refused = project.session("lock")
    #expect(refused.status == .failed && refused.diagnostics.contains("was edited since"))
    #expect(try text(project) == before)
    #expect(project.session("lock --force").output.contains("replaced App 1"))
    #expect(try project.check().output.contains("[lock/rewritten]"))
    try FileManager.default.removeItem(
      atPath: project.folder.path("App.xcdatamodeld/App 1.xcdatamodel"))
    #expect(try project.check().output.contains("[version/gone]"))
  }

  @Test(
    "git gets a locked version back that was edited or deleted, in a commit or not, without any tag",
    arguments: [true, false], [true, false])
  func restored(isDeleted: Bool, isCommitted: Bool) throws {
    let project = try locked()
    try project.repository.commit()
    if isDeleted {
      try project.repository.shell("rm -r App.xcdatamodeld/App\\ 1.xcdatamodel")
    } else {
      try project.write(["name", "colour"], "App 1")
      try project.write(["name"], "App 2")
    }
    if isCommitted { try project.repository.shell("git add . && git commit --quiet -m edited") }
    let options = "--no-stores --json"
    let (_, answer, _) = try project.checked.check(options)
    let finding = try #require(answer.findings.first { $0.finding.hasPrefix("version/") })
    #expect(finding.finding.hasPrefix(isDeleted ? "version/gone" : "version/edited"))
    let command = try #require(finding.commands.first)
    // A clone without the history has the same finding, and no command.
    let clone = try TemporaryFolder()
    let path = project.folder.url.path
    try project.repository.shell(
      "git clone --quiet --depth 1 file://\"$SOURCE\" \"$TARGET\" && cp -r \"$SOURCE\"/App.xcdatamodeld \"$TARGET\" && if test ! -d App.xcdatamodeld/App\\ 1.xcdatamodel; then rm -rf \"$TARGET\"/App.xcdatamodeld/App\\ 1.xcdatamodel; fi",
      adding: ["SOURCE": path, "TARGET": clone.path("c")])
    let shallow = TestSession(in: clone)("check c \(options)")
    #expect(shallow.output.contains(finding.finding), "\(shallow)")
    if isCommitted { #expect(!shallow.output.contains("git checkout"), "\(shallow)") }
    try project.repository.shell(command)
    let after = try project.checked.check(options).answer
    #expect(!after.rules.contains { $0.hasPrefix("version/") }, "\(command): \(after.findings)")
  }

  @Test("one acceptance of a locked version's edit does not cover another edit of the same entity")
  func acceptedEdit() throws {
    let project = try locked()
    try project.write(["name", "colour"], "App 1")
    try project.write(["name"], "App 2")
    #expect(project.session("check --no-stores --write-accepts").status == .done)
    try project.write(["name", "size"], "App 1")
    try project.write(["name"], "App 2")
    let answer = try project.check()
    #expect(answer.status == .no && answer.output.contains("[version/edited]"), "\(answer)")
  }

  @Test("the file of a folder below is named: only that of the project is read")
  func innerLock() throws {
    let project = try locked()
    try project.repository.shell("mkdir In && git mv App.xcdatamodeld strata.lock In && git add .")
    try project.repository.commit()
    let whole = try project.check()
    #expect(whole.status == .failed && whole.diagnostics.contains("strata check In"), "\(whole)")
    #expect(project.session("check In --no-stores").status != .failed)
  }

  @Test("a shallow clone with the file says that the release tags are not known")
  func shallow() throws {
    let project = try locked()
    try project.repository.commit()
    try project.repository.shell("git clone -q --depth 1 file://$PWD shallow")
    let answer = project.session("check shallow --no-stores")
    #expect(answer.status == .no && answer.diagnostics.contains("[check.shallow]"), "\(answer)")
  }

  @Test("a version that is missing in the file or rewritten there is an error")
  func compared() throws {
    let project = try locked()
    let before = try text(project)
    try FileManager.default.removeItem(atPath: project.folder.path("strata.lock"))
    #expect(try project.check().output.contains("[lock/missing]"))
    try project.folder.write("model App\n", to: "strata.lock")
    #expect(try project.check().output.contains("[lock/missing]"))
    try project.folder.write(
      before.replacing("shipped 1.0", with: "shipped 1.1"), to: "strata.lock")
    let answer = try project.check()
    #expect(answer.output.contains("[lock/rewritten]"), "\(answer)")
    #expect(answer.output.contains("is shipped in 1.0 at HEAD"), "\(answer)")
    try project.repository.git("branch", "base")
    try project.repository.commit()
    #expect(try !project.check().output.contains("[lock/"))
    #expect(try project.check(options: "--no-stores --since base").output.contains("at base"))
  }

  @Test("a retired version may be deleted, and is not migrated")
  func retired() throws {
    let project = try locked()
    let retired = "model App\n\nversion \"App 1\"  retired \"nobody has it\"\n"
    try project.folder.write(retired, to: "strata.lock")
    let answer = try project.check(options: "")
    #expect(answer.status == .done && !answer.output.contains("App 1 "), "\(answer)")
    try FileManager.default.removeItem(
      atPath: project.folder.path("App.xcdatamodeld/App 1.xcdatamodel"))
    #expect(try project.check(options: "").status == .done)
    #expect(project.session("lock").output == "wrote strata.lock: added App 2\n")
    #expect(try text(project).hasPrefix(retired))
  }

  @Test(
    "a version that shipped with the model of a retired one may not be deleted",
    arguments: [true, false])
  func shippedAgain(hasTags: Bool) throws {
    let project = try ProjectFixture(tag: hasTags ? "v1.0" : nil)
    func delete(_ version: String) throws {
      try FileManager.default.removeItem(
        atPath: project.folder.path("App.xcdatamodeld/\(version).xcdatamodel"))
    }
    func lock(_ release: String) {
      #expect(project.session("lock --release \(release)").status == .done)
    }
    lock("2.0")
    let lines = try text(project).split(separator: "\n\n")
    try project.folder.write(
      lines.map {
        $0.hasPrefix("version \"App 1\"") ? "version \"App 1\" retired \"none left\"" : $0
      }
      .joined(separator: "\n\n") + "\n", to: "strata.lock")
    try delete("App 1")
    try project.repository.commit()
    if hasTags { try project.repository.git("tag", "v2.0") }
    try project.write(["name", "color"], "App 3")
    lock("3.0")
    #expect(try text(project).contains("\"App 3\""))
    try project.write(["name", "color", "size"], "App 4")
    try delete("App 3")
    try project.repository.commit()
    let answer = try project.check()
    #expect(
      answer.status == .no
        && answer.output.contains("App 3  shipped in 3.0 and is not in the bundle"),
      "\(answer)")
  }

  @Test("the only bundle of a project that was released may not be deleted")
  func onlyBundle() throws {
    let project = try ProjectFixture()
    try FileManager.default.removeItem(atPath: project.folder.path("App.xcdatamodeld"))
    for isCommitted in [false, true] {
      if isCommitted { try project.repository.commit() }
      let answer = try project.check()
      #expect(
        answer.status == .no && answer.output.contains("[version/gone]")
          && answer.output.contains("git checkout v1.0"), "\(isCommitted) \(answer)")
    }
  }

  @Test("a retired version without a reason at the base does not prevent that it is written")
  func oldReason() throws {
    let project = try locked()
    let lines = "model App\n\nversion \"App 1\" retired "
    try project.folder.write(lines + "\"\"\n", to: "strata.lock")
    try project.repository.commit()
    #expect(try project.check().diagnostics.contains("App 1 is retired without a reason"))
    try project.folder.write(lines + "\"nobody has it\"\n", to: "strata.lock")
    let answer = try project.check()
    #expect(answer.status == .done && answer.diagnostics.isEmpty, "\(answer)")
  }

  // MARK: Bundles

  @Test("a locked bundle that the project no longer has is an error for each of its versions")
  func goneBundle() throws {
    let project = try locked()
    try project.folder.write(
      "<model><entity name=\"Note\"><attribute name=\"text\" attributeType=\"String\"/></entity></model>",
      to: "Other.xcdatamodeld/Other.xcdatamodel/contents")
    try #require(project.session("lock --release 1.1").status == .done)
    try project.repository.commit()
    #expect(try !project.check().output.contains("[version/gone]"))
    try FileManager.default.removeItem(atPath: project.folder.path("Other.xcdatamodeld"))
    for options in ["--no-stores", "--no-stores --since HEAD"] {
      let answer = try project.check(options: options)
      #expect(answer.status == .no && answer.output.contains("[version/gone]"), "\(answer)")
      #expect(answer.output.contains("Other: Other  shipped in 1.1"), "\(answer)")
      #expect(answer.output.contains("3 shipped in strata.lock"), "\(answer)")
    }
    let lines = try text(project)
    let start = try #require(lines.range(of: "version Other"))
    try project.folder.write(
      String(lines[..<start.lowerBound]) + "version Other retired \"never used\"\n",
      to: "strata.lock")
    let retired = try project.check()
    #expect(!retired.output.contains("[version/") && !retired.output.contains("[lock/"))
  }

  @Test("a renamed bundle keeps its locked versions, under both names", arguments: [false, true])
  func renamedBundle(isLineRenamed: Bool) throws {
    let project = try locked()
    try project.repository.commit()
    try project.repository.git("mv", "App.xcdatamodeld", "Wallet.xcdatamodeld")
    if isLineRenamed {
      let lines = try text(project).replacing("model App\n", with: "model Wallet\n")
      try project.folder.write(lines, to: "strata.lock")
    }
    let answer = try project.check()
    #expect(answer.output.contains("1 shipped in strata.lock"), "\(answer)")
    #expect(!answer.output.contains("[version/") && !answer.output.contains("[lock/"), "\(answer)")
    // Its only shipped version is edited.
    let file = "Wallet.xcdatamodeld/App 1.xcdatamodel/contents"
    let model = try String(contentsOfFile: project.folder.path(file), encoding: .utf8)
    try project.folder.write(model.replacing("color", with: "colour"), to: file)
    let edited = try project.check()
    let rule = isLineRenamed ? "[version/edited]" : "[version/gone]"
    #expect(edited.status == .no && edited.output.contains(rule), "\(edited)")
    // New versions are added to the same model.
    try project.folder.write(model, to: file)
    #expect(project.session("lock --release 2.0").output == "wrote strata.lock: added App 2\n")
    #expect(try text(project).split(separator: "\n").count { $0.hasPrefix("model ") } == 1)
  }

  @Test("a renamed line in the lock file does not hide that a version was removed from it")
  func renamedModel() throws {
    let project = try locked()
    try #require(project.session("lock --release 2.0").status == .done)
    try project.repository.commit()
    try project.repository.git("mv", "App.xcdatamodeld", "Wallet.xcdatamodeld")
    let lines = try text(project).replacing("model App\n", with: "model Wallet\n")
    let second = try #require(lines.range(of: "version \"App 2\""))
    try project.folder.write(String(lines[..<second.lowerBound]), to: "strata.lock")
    let answer = try project.check()
    #expect(answer.output.contains("Wallet: App 2  is in the file at HEAD"), "\(answer)")
    #expect(!answer.output.contains("App 1  is in the file"), "\(answer)")
  }

  @Test(
    "a line that is not valid is an error with its number",
    arguments: [
      ("<<<<<<< ours\n", 1), ("model App\nmodel App\n", 2), ("version A shipped 1\n", 1),
      ("model App\nversion A gone 1\n", 2), ("model App\nversion \"A shipped 1\n", 2),
      ("model App\nversion A shipped 1\n  Card 12\n", 3), ("model App\n  checksum a\n", 2),
      ("model App\n\nversion A shipped 1\n", 3), ("model App\nversion A retired \"\"\n", 2),
      ("model App\nversion A retired \" \"\n", 2),
    ])
  func invalid(text: String, line: Int) throws {
    let project = try ProjectFixture(tag: nil)
    try project.folder.write(text, to: "strata.lock")
    for command in ["check", "lock"] {
      let answer = project.session(command)
      #expect(
        answer.status == .failed && answer.diagnostics.contains("strata.lock:\(line)"), "\(answer)")
      #expect(answer.diagnostics.contains("lock.syntax"))
    }
  }

  @Test("release tags win, and a replayed document writes no lock file")
  func tags() throws {
    let project = try ProjectFixture()
    try project.folder.write("model Other\n", to: "strata.lock")
    #expect(try project.check().output.contains("1 shipped in 1 release (v1.0)"))
    let replay = TestSession(
      try Session(replayingIn: project.folder.url.path, below: [project.folder.url.path]))
    let state = try project.folder.state()
    #expect(replay("lock").status == .done)
    #expect(try project.folder.state() == state)
  }

  @Test(
    "what lock writes is read again, whatever the name of the release is",
    arguments: ["a\"\u{301}", "\\\u{301}", "a b", "#1", "\"", "a\r\nb", "e\u{301}"])
  func names(release: String) throws {
    let project = try locked()
    #expect(project.session(arguments: ["lock", "--release", release]).status == .done)
    let again = project.session("lock")
    #expect(again.output == "strata.lock is up to date\n", "\(again)")
  }

  @Test("what is wrong with the lock file of another folder is told at its place")
  func otherFolder() throws {
    let project = try locked()
    try FileManager.default.createDirectory(
      atPath: project.folder.path("elsewhere"), withIntermediateDirectories: true)
    let session = TestSession(Session(folder: project.folder.path("elsewhere")))
    try project.folder.write(try text(project) + "bad\n", to: "strata.lock")
    let line = try text(project).split(separator: "\n", omittingEmptySubsequences: false).count - 1
    let answer = session("check .. --no-stores")
    #expect(answer.diagnostics.contains("/strata.lock:\(line)\n"), "\(answer)")
  }
}
