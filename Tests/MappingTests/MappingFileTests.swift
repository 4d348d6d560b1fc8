import StrataArchives
import StrataBase
import StrataExpressions
import StrataMapping
import StrataObjectModel
import TestSupport
import Testing

@Suite("Mapping model files")
struct MappingFileTests {
  static let uuid = "00000000-0000-4000-8000-000000000000"

  @Test(
    "a filter is in quotes only if the quotes around it are one pair",
    arguments: [
      ("'a'=='b'", "'a'=='b'"), ("\"n == 1\"", "n == 1"), ("'n == 1'", "n == 1"),
      ("n == 'b'", "n == 'b'"),
    ])
  func quotedFilter(typed: String, filter: String) throws {
    let script = try MappingScript(parsing: "A: B -> C\n  where \(typed)\n")
    #expect(script.mapping.entityMappings.map(\.filter) == [filter])
  }

  @Test(
    "random mapping models are unchanged after writing and reading the text form", arguments: 0..<4)
  func texts(seed: Int) throws {
    var maker = RandomMapping(random: SeededRandom(seed: UInt64(seed)))
    for _ in 0..<100 {
      let old = try RandomModel.make(using: &maker.random)
      let new = try RandomModel.edited(old, edits: 3, using: &maker.random)
      let (first, last) = (MatchableModel(old), MatchableModel(new))
      let mapping = maker.wild(from: first, to: last)
      let text = MappingText(mapping).text
      #expect(try MappingScript(parsing: text).mapping == mapping, "\(text)")
      #expect(try MappingText(MappingScript(parsing: text).mapping).text == text)
    }
  }

  @Test("the text contains the hashes of its models; they can be omitted if the models are named")
  func namedModels() throws {
    var maker = RandomMapping(random: SeededRandom(seed: 9))
    for _ in 0..<100 {
      let old = try RandomModel.make(using: &maker.random)
      let new = try RandomModel.edited(old, edits: 3, using: &maker.random)
      let (first, last) = (MatchableModel(old), MatchableModel(new))
      let mapping = maker.authored(from: first, to: last)
      let text = MappingText(
        mapping, models: MappingText.Models("the old", "new", new)
      ).text
      let short = text.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("  hashes ") }.joined(separator: "\n")
      for (text, tellsHashes) in [(text, true), (short, false)] {
        let script = try MappingScript(parsing: text)
        #expect(script.models?.source == "the old" && script.models?.destination == "new")
        #expect(script.tellsHashes == (tellsHashes && !mapping.entityMappings.isEmpty))
        #expect(try script.mapping(from: first, to: last) == mapping, "\(text)")
      }
    }
  }

  @Test(
    "random mapping models are unchanged after writing and reading an .xcmappingmodel", .part(3),
    arguments: 0..<4)
  func xcodeDocuments(seed: Int) throws {
    var maker = RandomMapping(random: SeededRandom(seed: UInt64(100 + seed)))
    var count = 0
    for _ in 0..<15 {
      let old = try RandomModel.make(using: &maker.random)
      let new = try RandomModel.edited(old, edits: 3, using: &maker.random)
      let mapping = maker.authored(from: MatchableModel(old), to: MatchableModel(new))
      let document = MappingDocument(
        mapping, sourcePath: "A.xcdatamodel", destinationPath: "B.xcdatamodel", sourceModel: old,
        destinationModel: new)
      let bytes: [UInt8]
      do {
        bytes = try document.xcodeDocument(uuid: Self.uuid).encoded()
      } catch MappingError.expressionNotKept, MappingError.severalNotKept {
        continue
      }
      let again = try MappingDocument(reading: bytes)
      #expect(again.mapping == mapping)
      #expect(again.sourceModel?.versionHashes() == old.versionHashes())
      #expect(again.destinationPath == "B.xcdatamodel")
      // Written again, the bytes are the same.
      #expect(try again.xcodeDocument(uuid: Self.uuid).encoded() == bytes)
      count += 1
    }
    #expect(count > 5)
  }

  @Test("parts that an .xcmappingmodel cannot store are rejected, not changed")
  func notKept() throws {
    let model = try SampleStore.model("Topics", "Model1")
    let plain = MappingModel(startingFrom: MatchableModel(model), to: MatchableModel(model))
    func refusal(_ change: (inout EntityMapping) -> Void) -> MappingError? {
      var mapping = plain
      change(&mapping.entityMappings[0])
      do {
        _ = try MappingDocument(mapping).xcodeDocument(uuid: Self.uuid)
        return nil
      } catch {
        return error as? MappingError
      }
    }
    #expect(refusal { $0.name = "Mine" } == .nameNotKept("Mine", wouldBe: "TopicToTopic"))
    #expect(
      refusal { $0.kind = .transform } == .notKept("the type transform", mapping: "TopicToTopic"))
    #expect(
      refusal { $0.attributeMappings[0].expression = .collection([]) }
        == .expressionNotKept("{}", element: "TopicToTopic.content"))
    #expect(refusal { _ in } == nil)
    let breaks: [(expected: MappingError, change: (inout EntityMapping) -> Void)] = [
      (.nameNotKept("Mine", wouldBe: "TopicToTopic"), { $0.name = "Mine" }),
      (.notKept("the type transform", mapping: "Mine"), { $0.kind = .transform }),
      (
        .expressionNotKept("{}", element: "Mine.content"),
        { $0.attributeMappings[0].expression = .collection([]) }
      ),
      (
        .expressionNotKept("{}", element: "Mine.topicList"),
        { $0.relationshipMappings[0].expression = .collection([]) }
      ),
    ]
    for bits in 0..<8 {
      let chosen = [breaks[0]] + (1..<4).filter { bits & 1 << ($0 - 1) != 0 }.map { breaks[$0] }
      let error = refusal { mapping in
        for broken in chosen { broken.change(&mapping) }
      }
      let expected = chosen.map(\.expected)
      #expect(error == (expected.count == 1 ? expected[0] : .severalNotKept(expected)))
      #expect(error?.diagnostic.notes.count == expected.count - 1)
    }
  }

  @Test("comments, tabs and Windows line endings are read")
  func layout() throws {
    let script = try MappingScript(
      parsing:
        "# a comment\r\n\r\nA: B -> C # one\r\n\t# another\r\n\tx = $source.#where # yes\r\n\ty = '# no'\r\n\tr <- default\r\n"
    )
    #expect(
      script.mapping.entityMappings[0].attributeMappings == [
        PropertyMapping(name: "x", expression: .sourceValue(["where"])),
        PropertyMapping(name: "y", expression: .constant(.text("# no"))),
      ])
    #expect(
      script.mapping.entityMappings[0].relationshipMappings == [
        PropertyMapping(name: "r", expression: nil)
      ])
  }

  @Test("hashes of other versions are preserved or rejected, never replaced")
  func staleHashes() throws {
    let old = try SampleStore.model("Topics", "Model1")
    let new = try SampleStore.model("Topics", "Model2")
    let (first, last) = (MatchableModel(old), MatchableModel(new))
    var mapping = MappingModel(startingFrom: first, to: last)
    mapping.entityMappings[0].sourceHash = last.hashes["Topic"]
    mapping.entityMappings[1].destinationHash = nil
    let text = MappingText(mapping, models: MappingText.Models("a", "b", new)).text
    #expect(try MappingScript(parsing: text).mapping(from: first, to: last) == mapping, "\(text)")
    #expect(
      throws: MappingError.severalNotKept(
        ["TopicToTopic", "TopicListToTopicList"].map {
          .notKept("version hashes that differ from those of its models", mapping: $0)
        })
    ) {
      try MappingDocument(mapping, sourceModel: old, destinationModel: new)
        .xcodeDocument(uuid: Self.uuid)
    }
  }

  @Test("text that is not UTF-8 is rejected, and a byte order mark is skipped")
  func encodings() throws {
    #expect(throws: MappingError.self) {
      try MappingScript(reading: Array("A: B -> C\n  where a == '".utf8) + [0xFF, 0x27])
    }
    let marked = [0xEF, 0xBB, 0xBF] + Array("A: B -> C\n".utf8)
    #expect(try MappingScript(reading: marked).mapping.entityMappings.count == 1)
  }
}
