import Foundation
import StrataBase
import StrataCommands
import StrataSamples
import TestSupport
import Testing

/// The presentation's fifth demonstration with its own files: three mapping-model migrations and one
/// inferred leap, against the samples that are made after it.
@Suite("The presentation's own mapping models", .needsCorpus)
struct HybridMigrationTests {
  private static let folder = "billmoss-hybrid/CoreDataMigration"

  @Test("from Model1 to Model5, value by value", .enabled(if: Corpus.exists(folder)))
  func hybrid() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: Corpus.path(Self.folder), toPath: folder.path("App"))
    // The class of the app, said as a policy file.
    let policies = try #require(Sample.named("Topics")).policies
    try folder.write(
      policies.replacing("policy TopicToTopic", with: "policy CDMTopicToTopicMigrationPolicy"),
      to: "App/App.policy")
    let session = TestSession(in: folder)
    for (name, model) in [("real", "App/Model.xcdatamodeld"), ("sample", "sample:Topics")] {
      let store = "\(name).sqlite"
      var lines = [
        "create \(store) --model \(model)/Model1",
        "insert \(store) TopicList title=Algorithms", "insert \(store) TopicList title=Proofs",
        "insert \(store) TopicList title=Theory",
      ]
      for (place, (text, presenter)) in [
        ("12345678901234567890", "Ann"), ("12345678901234567890123456", "Bo"), ("🎈🎈🎈", "Ann"),
        ("abc", "Cy"),
      ].enumerated() {
        lines.append(
          "insert \(store) Topic content=\(text) presenterName=\(presenter) "
            + "presenterEmail=\(presenter)@x topicList=p\(place % 3 + 1)")
      }
      lines.append(
        "migrate \(store) --to \(model)/Model5 --strategy hybrid --output \(name)5.sqlite")
      for line in lines {
        let done = session(line)
        #expect(done.status == .done, "\(line): \(done)")
      }
    }
    // 20 letters are 4 minutes and 240 seconds, 26 are 5; three balloons are six units, three letters 0.6.
    for (title, seconds) in [
      ("12345678901234567890", 240), ("12345678901234567890123456", 300), ("🎈🎈🎈", 60), ("abc", 0),
    ] {
      let queried = session(
        "count real5.sqlite Topic --where \"title == '\(title)' AND timeBudget == \(seconds)\"")
      #expect(queried.output == "1\n", "\(title): \(queried)")
    }
    #expect(session("count real5.sqlite Member").output == "3\n")
    #expect(
      session("count real5.sqlite Topic --where \"presenter.email == 'Ann@x'\"").output == "2\n")
    let compared = session("compare real5.sqlite sample5.sqlite --rows")
    #expect(compared.output == "equal: 10 objects\n", "\(compared)")
  }
}
