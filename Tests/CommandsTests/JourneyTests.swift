import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Lesson: the ways from the first to the last of six versions, and what each of them loses.
@Suite("Strategies through six versions")
struct JourneyTests {
  /// What a way does, found out by hand from the models.
  struct Way: Sendable, CustomTestStringConvertible {
    var strategy: String
    /// The versions at the end of each hop, and whether a mapping model leads there.
    var hops: [(to: Int, isMapped: Bool)]
    var countries: Int
    var stories: Int
    /// The distance of the first trip: 120 miles.
    var distance: Double
    var testDescription: String { strategy }
  }

  static let ways = [
    Way(strategy: "default", hops: [(6, false)], countries: 0, stories: 0, distance: 120),
    Way(strategy: "lightweight", hops: [(6, false)], countries: 0, stories: 0, distance: 120),
    Way(
      strategy: "hybrid", hops: [(2, true), (5, false), (6, true)], countries: 2, stories: 0,
      distance: 193.12128),
    Way(
      strategy: "progressive",
      hops: [(2, true), (3, false), (4, false), (5, false), (6, true)], countries: 2, stories: 5,
      distance: 193.12128),
  ]

  @Test("each strategy plans its own hops, and loses what they do not carry", arguments: ways)
  func way(_ way: Way) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    let ends = "sample:Diary --to sample:Journeys/Journeys6 --strategy \(way.strategy)"
    let plan = session("plan \(ends)")
    #expect(plan.status == .done, "\(plan)")
    let json = Data(session("plan \(ends) --json").output.utf8)
    let payload = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    let hops = try #require(payload["hops"] as? [[String: Any]])
    #expect(
      hops.map { ($0["to"] as? String)?.split(separator: "/").last }
        == way.hops.map { "Journeys\($0.to)" })
    #expect(
      hops.map { $0["mapping"] as? String != "inferred" }
        == way.hops.map(\.isMapped), "\(hops)")
    let answer = session("migrate \(ends) --output new.sqlite")
    #expect(answer.status == .done, "\(answer)")
    func value(_ sql: String) throws -> String {
      try Python.value(sql, in: folder.path("new.sqlite"))
    }
    #expect(try value("SELECT count(*) FROM ZTRIP") == "4")
    #expect(try value("SELECT count(*) FROM ZSTOP WHERE ZTRIP NOT NULL") == "6")
    #expect(try value("SELECT count(*) FROM ZCOUNTRY") == "\(way.countries)")
    #expect(
      try value("SELECT count(*) FROM ZTRIP WHERE ZCOUNTRY NOT NULL")
        == (way.countries == 0 ? "0" : "3"))
    #expect(try value("SELECT count(*) FROM ZSTOP WHERE ZSTORY NOT NULL") == "\(way.stories)")
    let distance = try Double(
      value("SELECT ZDISTANCE FROM ZTRIP WHERE ZTITLE = 'The Tagus by train'"))
    #expect(abs(try #require(distance) - way.distance) < 1e-9)
    #expect(session("validate new.sqlite").status == .done)
  }
}
