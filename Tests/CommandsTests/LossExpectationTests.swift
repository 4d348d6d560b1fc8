import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// `expect loses nothing` on stores with every combination of things that a migration loses.
@Suite("Expecting that a migration loses nothing")
struct LossExpectationTests {
  private static let before = """
    <entity name="A"><attribute name="w" optional="YES" attributeType="Double"/>\
    <attribute name="x" optional="YES" attributeType="Integer 64"/>\
    <attribute name="y" optional="YES" attributeType="String"/>\
    <relationship name="cs" optional="YES" toMany="YES" destinationEntity="C" inverseName="a" inverseEntity="C"/></entity>\
    <entity name="C"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="cs" inverseEntity="A"/></entity>\
    <entity name="D"/>
    """
  private static let after = """
    <entity name="A"><attribute name="w" optional="YES" attributeType="Integer 16"/>\
    <attribute name="x" optional="YES" attributeType="Integer 16"/>\
    <relationship name="cs" optional="YES" maxCount="1" destinationEntity="C" inverseName="a" inverseEntity="C"/></entity>\
    <entity name="C"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="cs" inverseEntity="A"/></entity>
    """

  /// What can be lost: how a store gets it, and what the answer says of it.
  private static let losses: [(harmful: [String], harmless: [String], message: String)] = [
    (["insert s.sqlite A w=1.5"], ["insert s.sqlite A w=1"], "A.w in 1 object (truncated)"),
    (["insert s.sqlite A x=70000"], ["insert s.sqlite A x=7"], "A.x in 1 object (out of range)"),
    (["insert s.sqlite A y=text"], ["insert s.sqlite A"], "A.y in 1 object (removed)"),
    (["insert s.sqlite C a=p1", "insert s.sqlite C a=p1"], ["insert s.sqlite C a=p1"], "1 link"),
    (["insert s.sqlite D", "insert s.sqlite D"], [], "2 rows"),
  ]

  @Test("it is met if and only if nothing is lost, and the answer names each loss", .part(2))
  func combinations() throws {
    let folder = try TemporaryFolder()
    try folder.writeBundle(["V1": Self.before, "V2": Self.after])
    let session = TestSession(in: folder)
    for choice in 0..<(1 << Self.losses.count) {
      #expect(session("create s.sqlite --model X.xcdatamodeld/V1 --force").status == .done)
      for (index, loss) in Self.losses.enumerated() {
        for line in choice >> index & 1 == 1 ? loss.harmful : loss.harmless {
          let answer = session(line)
          #expect(answer.status == .done, "\(answer)")
        }
      }
      let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("s.sqlite")))
      let answer = session("expect loses nothing s.sqlite X.xcdatamodeld/V2")
      #expect(answer.status == (choice == 0 ? .done : .no), "\(choice): \(answer)")
      let verdict = answer.output.prefix { $0 != "\n" }
      for (index, loss) in Self.losses.enumerated() {
        #expect(verdict.contains(loss.message) == (choice >> index & 1 == 1), "\(verdict)")
      }
      #expect(session("expect migrates s.sqlite X.xcdatamodeld/V2").status == .done)
      // A rehearsal changes nothing.
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("s.sqlite"))) == before)
    }
  }
}
