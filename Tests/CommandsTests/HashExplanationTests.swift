import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("hash --explain")
struct HashExplanationCommandTests {
  /// Names of every length, up to some that no line holds.
  private static func model(type: String) -> String {
    let names = [1, 8, 9, 24, 40, 90, 200].map { String(repeating: "n", count: $0) }
    let attributes = names.map {
      #"<attribute name="\#($0)" optional="YES" defaultValueString="\#($0)" attributeType="\#(type)"/>"#
    }
    let constraint = names.map { #"<constraint value="\#($0)"/>"# }.joined()
    return """
      <model><entity name="\(String(repeating: "E", count: 90))">
      \(attributes.joined(separator: "\n"))
      <uniquenessConstraints><uniquenessConstraint>\(constraint)</uniquenessConstraint></uniquenessConstraints>
      </entity></model>
      """
  }

  @Test("every line has at most 80 columns, whatever the length of names")
  func width() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for (name, type) in [("A", "String"), ("B", "Date")] {
      try FileManager.default.createDirectory(
        atPath: folder.path("\(name).xcdatamodel"), withIntermediateDirectories: true)
      try folder.write(Self.model(type: type), to: "\(name).xcdatamodel/contents")
    }
    let entity = String(repeating: "E", count: 90)
    for command in [
      "hash A.xcdatamodel --explain", "hash A.xcdatamodel.\(entity) --explain",
      "hash A.xcdatamodel.\(entity).nnnnnnnn --explain",
      "hash A.xcdatamodel B.xcdatamodel --explain",
      "hash A.xcdatamodel.\(entity) A.xcdatamodel.\(entity) --explain",
    ] {
      let answer = session(command)
      #expect(answer.status == .done, "\(answer)")
      // A command that is copied is not wrapped.
      for line in answer.output.split(separator: "\n") where !line.hasPrefix("`hash ") {
        #expect(line.count <= 80, "\(line)")
      }
    }
  }

  @Test("a property that is not hashed has no explanation and cannot be compared")
  func notHashed() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    try folder.write(
      """
      <model><entity name="A"><attribute name="s" attributeType="String"/>\
      <attribute name="t" transient="YES" attributeType="String"/></entity></model>
      """, to: "M.xcdatamodel/contents")
    let answer = session("hash M.xcdatamodel.A.t --explain")
    #expect(answer.output == "A.t is transient or fetched: it is not hashed\n")
    for pair in ["A.t M.xcdatamodel.A.s", "A.s M.xcdatamodel.A.t", "A.t M.xcdatamodel.A.t"] {
      let compared = session("hash M.xcdatamodel.\(pair) --explain")
      #expect(compared.status == .failed && compared.diagnostics.contains("[hash.none]"))
    }
  }

  private struct Explanation: Decodable {
    struct Step: Decodable {
      struct Piece: Decodable { var bytes: String }
      var subject: String
      var pieces: [Piece]
      var result: String
    }
    var steps: [Step]
  }

  private struct Comparison: Decodable {
    struct Digest: Decodable {
      struct Piece: Decodable { var side: String, bytes: String }
      var subject: String
      var pieces: [Piece]
      var first: String?, second: String?
    }
    var digests: [Digest]
    var equal: Bool
  }

  @Test("a comparison contains exactly the byte strings that only one of two explanations has")
  func comparison() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    func answer<Payload: Decodable>(_ line: String) throws -> Payload {
      try JSONDecoder().decode(Payload.self, from: Data(session(line + " --json").output.utf8))
    }
    let models = (1...5).map { "Model\($0)" }
    for first in models {
      let one: Explanation = try answer("hash \(first) --explain")
      for second in models {
        let two: Explanation = try answer("hash \(second) --explain")
        let found: Comparison = try answer("hash \(first) \(second) --explain")
        #expect(found.equal == (one.steps.map(\.result) == two.steps.map(\.result)))
        let others = Dictionary(uniqueKeysWithValues: two.steps.map { ($0.subject, $0) })
        for step in one.steps {
          guard let other = others[step.subject] else { continue }
          let digest = found.digests.first { $0.subject == step.subject }
          #expect((digest == nil) == (step.result == other.result), "\(step.subject)")
          let (old, new) = (step.pieces.map(\.bytes), other.pieces.map(\.bytes))
          let shown = { (side: String) in
            digest?.pieces.filter { $0.side == side }.map(\.bytes) ?? []
          }
          #expect(shown("first") == old.filter { !new.contains($0) }, "\(step.subject)")
          #expect(shown("second") == new.filter { !old.contains($0) }, "\(step.subject)")
        }
      }
    }
  }
}
