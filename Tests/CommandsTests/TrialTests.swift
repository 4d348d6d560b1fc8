import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Edited copies of models, `try:Model1`, in other commands.
@Suite("Edited copies of models")
struct TrialTests {
  private static func session() throws -> (TestSession, TemporaryFolder) {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    return (session, folder)
  }

  @Test("the text of a fix names the identifier that its command sets")
  func identifiers() throws {
    let (session, _) = try Self.session()
    session("try Model3.Topic.title rename headline")
    session("try Model3.Topic.headline elementID -")
    let answer = session("infer Model3 try:Model3")
    #expect(answer.output.contains("title is removed and headline is added"), "\(answer)")
    #expect(
      answer.output.contains("fix: set its renaming identifier to content, as title has it"),
      "\(answer)")
    #expect(answer.output.contains("try Model3.Topic.headline elementID content"), "\(answer)")
    // Without an identifier of its own, the old name is the identifier.
    session("try Model1.Topic.content rename text")
    session("try Model1.Topic.text elementID -")
    let plain = session("infer Model1 try:Model1")
    #expect(plain.output.contains("fix: set its renaming identifier to content ("), "\(plain)")
  }

  @Test(
    "an old name of a renamed element leads to the new name",
    arguments: [
      ("try Model1.Topic.content rename title", "did you mean Talk?"),
      ("show try:Model1.Topic", "did you mean Talk?"),
      ("try Model1.Talk.presenterName remove", "did you mean speaker?"),
      ("show Model3.Topic.content", "did you mean title?"),
      ("show Model3.Topik", "did you mean Topic?"),
    ])
  func renamed(line: String, fix: String) throws {
    let (session, _) = try Self.session()
    session("try Model1.Topic rename Talk")
    session("try Model1.Talk.presenterName rename speaker")
    let answer = session(line)
    #expect(answer.status == .failed && answer.diagnostics.contains(fix), "\(answer)")
  }

  @Test("a name is changed with rename", arguments: ["Topic", "Topic.content", "Topic.topicList"])
  func names(element: String) throws {
    let (session, _) = try Self.session()
    let answer = session("try Model1.\(element) name New")
    #expect(
      answer.diagnostics.contains("fix: use rename: `try Model1.\(element) rename New`"),
      "\(answer)")
    #expect(session("try Model1.\(element) rename New").status == .no)
  }

  @Test("the edited copy that wrote a store is found, unless it has the hashes of a version")
  func writer() throws {
    let (session, folder) = try Self.session()
    session("create old.sqlite --model Model1 --rows 2")
    session("try Model1.Topic.content rename text")
    let done = session("migrate old.sqlite --to try:Model1 --output new.sqlite")
    #expect(done.status == .done, "\(done)")
    let found = session("identify new.sqlite")
    #expect(
      found.status == .done && found.output.contains("new.sqlite was written by try:Model1"),
      "\(found)")
    #expect(session("plan new.sqlite --to Model2").output.contains("try:Model1 -> Model2"))
    #expect(session("identify new.sqlite sample:Topics").status == .no)
    // An edit that moves no hash.
    session("try --reset")
    session("try Model1.Topic.content elementID body")
    let plain = session("identify old.sqlite")
    #expect(plain.output.contains("was written by Model1:"), "\(plain)")
    withExtendedLifetime(folder) {}
  }

  @Test("a strategy is advised only if it finds a path with the mapping model")
  func advice() throws {
    let (session, folder) = try Self.session()
    session("create s.sqlite --model Model1 --rows 2")
    session("try Model1.Topic.content rename text")
    for line in ["plan s.sqlite --to try:Model1", "migrate s.sqlite --to try:Model1 --dry-run"] {
      let answer = session(line)
      #expect(answer.status == .done && answer.diagnostics.isEmpty, "\(answer)")
    }
    let whole = session("plan s.sqlite --to Model5")
    #expect(whole.diagnostics.contains("--strategy hybrid migrates"), "\(whole)")
    // A stale mapping model is updated instead; that of a sample has no file.
    session("try Model2.Topic add attribute note attributeType=String optional=YES")
    let stale = session("plan s.sqlite --to try:Model2")
    #expect(!stale.diagnostics.contains("hybrid"), "\(stale)")
    let fix =
      "mapping write Model1ToModel2 Model1ToModel2.xcmappingmodel --from Model1 --to try:Model2"
    #expect(stale.diagnostics.contains("fix: `\(fix)` updates the hashes"), "\(stale)")
    #expect(session(fix).status == .done)
    let updated = session("plan s.sqlite --to try:Model2 --mapping Model1ToModel2.xcmappingmodel")
    #expect(updated.status == .done && !updated.diagnostics.contains("stale"), "\(updated)")
    withExtendedLifetime(folder) {}
  }

  @Test("keys that only editors read are shown if they are edited, or if nothing else changes")
  func editorKeys() throws {
    let (session, _) = try Self.session()
    session("try Model3.Topic add attribute name attributeType=String optional=YES")
    session("try Model3.Topic.title remove")
    let other = session("try Model3.Topic.name elementID content")
    #expect(other.output.contains("title renamed name"), "\(other)")
    #expect(!other.output.contains("syncable"), "\(other)")
    #expect(session("try Model3.Topic.name syncable YES").output.contains("title renamed name"))
    let edited = session("try Model3.Topic.dateCreated syncable NO")
    #expect(edited.output.contains("syncable YES -> NO"), "\(edited)")
    #expect(session("try Model2.Topic.content syncable -").output.contains("syncable YES -> none"))
  }

  @Test("the mapping model to an edited copy has a name of its own")
  func fileName() throws {
    let (session, folder) = try Self.session()
    defer { withExtendedLifetime(folder) {} }
    session("try Model5.Member.email remove")
    let answer = session("infer Model5 try:Model5")
    #expect(
      answer.output.contains("infer Model5 try:Model5 --write Model5ToModel5Copy.mapping"),
      "\(answer)")
    let other = session("infer Model3 Model5")
    #expect(other.output.contains("--write Model3ToModel5.mapping"), "\(other)")
    session("samples --write written")
    let bundle = "written/Topics.xcdatamodeld"
    let whole = session("infer \(bundle)/Model3 \(bundle)")
    #expect(whole.output.contains("--write Model3ToTopics.mapping"), "\(whole)")
  }

  @Test("findings about several elements have a line each")
  func lines() throws {
    let (session, _) = try Self.session()
    let answer = session("infer Model3 Model5")
    #expect(answer.output.contains("Topic.presenterEmail; 1 more warning"), "\(answer)")
    let lines = answer.output.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(
      lines.filter { $0.hasPrefix("warning: ") } == [
        "warning: Topic.presenterEmail  is removed; its values are lost  [loss.removed]",
        "warning: Topic.presenterName  is removed; its values are lost  [loss.removed]",
      ])
    #expect(lines.count { $0.hasPrefix("fix: copy the values") } == 1)
  }
}
