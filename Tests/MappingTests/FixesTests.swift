import StrataBase
import StrataMapping
import StrataObjectModel
import Testing

@Suite("Fixes")
struct FixesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var old: String
    var new: String
    /// Whether inference is refused, or warns.
    var isRefused: Bool

    var testDescription: String { name }

    init(_ name: String, _ old: String, _ new: String, isRefused: Bool = false) {
      self.name = name
      self.old = old
      self.new = new
      self.isRefused = isRefused
    }
  }

  private static func entity(_ parts: String) -> String { #"<entity name="A">\#(parts)</entity>"# }

  static let cases = [
    Case(
      "ambiguousIdentifier", #"<entity name="A" elementID="x"/><entity name="B" elementID="x"/>"#,
      #"<entity name="C" elementID="x"/>"#, isRefused: true),
    Case(
      "ambiguousIdentifier",
      entity(
        #"<attribute name="a" attributeType="String" elementID="x"/><attribute name="b" attributeType="String" elementID="x"/>"#
      ),
      entity(#"<attribute name="c" attributeType="String" elementID="x"/>"#), isRefused: true),
    Case(
      "rivalIdentifiers", entity(#"<attribute name="a" attributeType="String"/>"#),
      entity(
        #"<attribute name="a" attributeType="String"/><attribute name="b" attributeType="String" elementID="a"/>"#
      ), isRefused: true),
    Case(
      "rivalIdentifiers", #"<entity name="A"/>"#,
      #"<entity name="A"/><entity name="B" elementID="A"/>"#, isRefused: true),
    Case(
      "incompatibleTypes", entity(#"<attribute name="a" attributeType="String"/>"#),
      entity(#"<attribute name="a" attributeType="Date"/>"#), isRefused: true),
    Case(
      "mergedHierarchies",
      #"<entity name="A"><attribute name="a" attributeType="String"/><relationship name="b" optional="YES" maxCount="1" destinationEntity="B" inverseName="a" inverseEntity="B"/></entity><entity name="B"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="b" inverseEntity="A"/><relationship name="c" optional="YES" maxCount="1" destinationEntity="C" inverseName="b" inverseEntity="C"/></entity><entity name="C"><relationship name="b" optional="YES" toMany="YES" destinationEntity="B" inverseName="c" inverseEntity="B"/></entity>"#,
      #"<entity name="P" isAbstract="YES"/><entity name="A" parentEntity="P"><attribute name="a" attributeType="String"/><relationship name="b" optional="YES" maxCount="1" destinationEntity="B" inverseName="a" inverseEntity="B"/></entity><entity name="B" parentEntity="P"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="b" inverseEntity="A"/><relationship name="c" optional="YES" maxCount="1" destinationEntity="C" inverseName="b" inverseEntity="C"/></entity><entity name="C"><relationship name="b" optional="YES" toMany="YES" destinationEntity="B" inverseName="c" inverseEntity="B"/></entity>"#,
      isRefused: true),
    Case(
      "missingDefault", entity(""), entity(#"<attribute name="a" attributeType="Integer 16"/>"#)),
    Case("missingDefault", entity(""), entity(#"<attribute name="a" attributeType="UUID"/>"#)),
    Case(
      "missingDefault", entity(#"<attribute name="a" optional="YES" attributeType="Date"/>"#),
      entity(#"<attribute name="a" attributeType="Date"/>"#)),
    Case(
      "missingDestination", entity(""),
      entity(#"<relationship name="r" maxCount="1" destinationEntity="A"/>"#)),
    Case(
      "newConstraint", entity(#"<attribute name="a" attributeType="String"/>"#),
      entity(
        #"<attribute name="a" attributeType="String"/><uniquenessConstraints><uniquenessConstraint><constraint value="a"/></uniquenessConstraint></uniquenessConstraints>"#
      )),
    Case(
      "unhashedRename",
      entity(
        #"<attribute name="a" optional="YES" attributeType="Date" derived="YES" derivationExpression="now:()"/>"#
      ),
      entity(
        #"<attribute name="b" optional="YES" attributeType="Date" derived="YES" derivationExpression="now:()"/>"#
      )),
    Case("becameAbstract", entity(""), #"<entity name="A" isAbstract="YES"/>"#),
    Case(
      "narrowed", entity(#"<relationship name="r" toMany="YES" destinationEntity="A"/>"#),
      entity(#"<relationship name="r" optional="YES" maxCount="1" destinationEntity="A"/>"#)),
    Case(
      "narrowedNumber", entity(#"<attribute name="a" attributeType="Double"/>"#),
      entity(#"<attribute name="a" attributeType="Integer 64"/>"#)),
    Case("removed", entity(#"<attribute name="a" attributeType="Double"/>"#), entity("")),
    Case("removedEntity", entity("") + #"<entity name="B"/>"#, entity("")),
    Case(
      "unordered",
      entity(#"<relationship name="r" toMany="YES" ordered="YES" destinationEntity="A"/>"#),
      entity(#"<relationship name="r" toMany="YES" destinationEntity="A"/>"#)),
    Case(
      "becameTransient", entity(#"<attribute name="a" optional="YES" attributeType="Double"/>"#),
      entity(#"<attribute name="a" optional="YES" transient="YES" attributeType="Double"/>"#)),
    Case(
      "becamePersistent",
      entity(#"<attribute name="a" optional="YES" transient="YES" attributeType="Double"/>"#),
      entity(#"<attribute name="a" optional="YES" attributeType="Double"/>"#)),
    Case(
      "becameRelationship", entity(#"<attribute name="a" optional="YES" attributeType="Double"/>"#),
      entity(#"<relationship name="a" optional="YES" maxCount="1" destinationEntity="A"/>"#)),
    Case(
      "becameAttribute",
      entity(#"<relationship name="a" optional="YES" maxCount="1" destinationEntity="A"/>"#),
      entity(#"<attribute name="a" optional="YES" attributeType="Double"/>"#)),
    Case(
      "retargeted",
      entity(#"<relationship name="r" optional="YES" maxCount="1" destinationEntity="A"/>"#)
        + #"<entity name="B"/>"#,
      entity(#"<relationship name="r" optional="YES" maxCount="1" destinationEntity="B"/>"#)
        + #"<entity name="B"/>"#),
    Case(
      "unmatchedRename",
      entity(#"<attribute name="colour" optional="YES" attributeType="String"/>"#),
      entity(#"<attribute name="color" optional="YES" attributeType="String"/>"#)),
    Case(
      "unmatchedRename",
      #"<entity name="Mood"><attribute name="date" optional="YES" attributeType="Date"/></entity>"#,
      #"<entity name="Temper"><attribute name="date" optional="YES" attributeType="Date"/></entity>"#
    ),
    Case(
      "unmatchedSplit", entity(#"<attribute name="name" optional="YES" attributeType="String"/>"#),
      entity(
        #"<attribute name="firstName" optional="YES" attributeType="String"/><attribute name="lastName" optional="YES" attributeType="String"/>"#
      )),
    Case(
      "copiedUnchanged", entity(#"<attribute name="a" optional="YES" attributeType="Double"/>"#),
      entity(
        #"<attribute name="a" optional="YES" attributeType="Double" versionHashModifier="2"/>"#)),
    Case(
      "notComputed", entity(#"<attribute name="a" optional="YES" attributeType="Double"/>"#),
      entity(
        #"<attribute name="a" optional="YES" attributeType="Double"/><attribute name="b" optional="YES" attributeType="Double" derived="YES" derivationExpression="a"/>"#
      )),
  ]

  private static func model(_ entities: String) throws -> MatchableModel {
    MatchableModel(
      try ObjectModel(ModelDocument(reading: Array("<model>\(entities)</model>".utf8))))
  }

  @Test("every kind of finding has a message and fixes", arguments: cases)
  func isFound(example: Case) throws {
    let (old, new) = (try Self.model(example.old), try Self.model(example.new))
    let inference = Inference(from: old, to: new)
    #expect(inference.isInferable != example.isRefused)
    let found = example.isRefused ? inference.obstacles : inference.warnings
    #expect(found.contains { $0.rule.caseName == example.name }, "\(found)")
    var finder = RemedyFinder(from: old, to: new)
    for obstacle in found {
      #expect(!obstacle.reason.isEmpty)
      #expect(!finder.remedies(for: obstacle).isEmpty)
    }
  }

  @Test(
    "the first fix of an obstacle makes inference succeed",
    arguments: cases.filter(\.isRefused))
  func firstFix(example: Case) throws {
    let (old, new) = (try Self.model(example.old), try Self.model(example.new))
    let obstacle = try #require(Inference(from: old, to: new).obstacles.first)
    var finder = RemedyFinder(from: old, to: new)
    let first = try #require(finder.remedies(for: obstacle).first)
    #expect(first.proof == .verified)
    switch first.means {
    case .edits(let edits):
      var document = new.model.document
      for edit in edits { try document.apply(edit) }
      #expect(Inference(from: old.model, to: try ObjectModel(document)).isInferable)
    case .split:
      let chain = try #require(VersionChain(from: old, to: new))
      var before = old
      for step in chain.steps {
        let after = MatchableModel(step.model)
        #expect(Inference(from: before, to: after).isInferable)
        before = after
      }
      #expect(before.hashes == new.hashes)
      #expect(chain.steps.contains { !$0.copies.isEmpty })
    case .mappingModel, .advice: Issue.record("nothing that can be tried")
    }
  }

  @Test("the proposed edits of a warning remove it", arguments: cases.filter { !$0.isRefused })
  func warningVanishes(example: Case) throws {
    let (old, new) = (try Self.model(example.old), try Self.model(example.new))
    let warning = try #require(
      Inference(from: old, to: new).warnings.first {
        $0.rule.caseName == example.name
      })
    var finder = RemedyFinder(from: old, to: new)
    for remedy in finder.remedies(for: warning) {
      guard case .edits(let edits) = remedy.means else { continue }
      #expect(remedy.proof == .verified)
      var document = new.model.document
      for edit in edits { try document.apply(edit) }
      let after = Inference(from: old.model, to: try ObjectModel(document))
      #expect(after.isInferable && !after.warnings.contains(warning))
    }
  }

  @Test("a renaming identifier that may serve another version is only replaced under a condition")
  func ownIdentifier() throws {
    func remedies(_ attribute: String) throws -> [Remedy] {
      let note = #"<attribute name="note" optional="YES" attributeType="String"/>"#
      let (old, new) = try (Self.model(Self.entity(note)), Self.model(Self.entity(attribute)))
      let warning = try #require(Inference(from: old, to: new).warnings.first)
      var finder = RemedyFinder(from: old, to: new)
      return finder.remedies(for: warning)
    }
    let story = #"<attribute name="story" optional="YES" attributeType="String""#
    let plain = try remedies(story + "/>")
    #expect(plain.map(\.text) == ["set its renaming identifier to note"])
    #expect(plain.map(\.proof) == [.verified])
    let later = try remedies(story + #" elementID="remark"/>"#)
    #expect(later.map(\.means).first == .mappingModel)
    #expect(
      later.map(\.text).last
        == "set its renaming identifier to note, if no store of a version with remark is left")
  }

  @Test("a rename proposal contains its evidence")
  func evidence() throws {
    let old = Self.entity(
      #"<attribute name="presenterName" optional="YES" attributeType="String"/><attribute name="other" optional="YES" attributeType="String"/>"#
    )
    let new = Self.entity(
      #"<attribute name="presenterFullName" optional="YES" attributeType="String"/><attribute name="other" optional="YES" attributeType="String"/>"#
    )
    let warnings = Inference(from: try Self.model(old), to: try Self.model(new)).warnings
    guard case .unmatchedRename(let from, let to, let score)? = warnings.first?.lossRule else {
      Issue.record("no rename: \(warnings)")
      return
    }
    #expect(from == "presenterName" && to == "presenterFullName")
    #expect(score.value > 0.8 && score.value <= 1)
    #expect(
      score.evidence == [
        "both are String", "no other String is added or removed", "the names are similar",
      ])
  }

  @Test("a split does not resolve identifiers that match several elements")
  func ambiguousSplit() throws {
    let old = try Self.model(
      Self.entity(#"<attribute name="a" attributeType="String" elementID="k"/>"#))
    let new = try Self.model(
      Self.entity(
        #"<attribute name="b" attributeType="String" elementID="k"/><attribute name="c" attributeType="String" elementID="k"/>"#
      ))
    #expect(VersionChain(from: old, to: new) == nil)
  }

  @Test("hundreds of obstacles are reported fast")
  func manyObstacles() throws {
    func entity(_ type: String, _ identifier: String) -> String {
      Self.entity(
        (0..<800).map { number in
          #"<attribute name="a\#(number)" optional="YES" attributeType="\#(type)" \#(identifier)/>"#
        }.joined())
    }
    for identifier in ["", #"elementID="k""#] {
      let (old, new) = (
        try Self.model(entity("String", identifier)), try Self.model(entity("Date", identifier))
      )
      let obstacles = Inference(from: old, to: new).obstacles
      #expect(obstacles.count == 800)
      var finder = RemedyFinder(from: old, to: new)
      #expect(obstacles.allSatisfy { !finder.remedies(for: $0).isEmpty })
    }
  }
}
