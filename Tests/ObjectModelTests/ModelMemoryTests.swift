import StrataBase
import StrataObjectModel
import Synchronization
import TestSupport
import Testing

@Suite("The cache of a model")
struct ModelMemoryTests {
  private static func model(_ type: String = "String") throws -> ObjectModel {
    try ObjectModel(
      ModelDocument(
        reading: Array(
          """
          <model><entity name="A"><attribute name="x" optional="YES" attributeType="\(type)"/></entity></model>
          """.utf8)))
  }

  /// How often something was computed and not remembered.
  private static func computed(_ body: () throws -> Void) rethrows -> Int {
    let count = Mutex(0)
    try ModelMemory.$listener.withValue({ _ in count.withLock { $0 += 1 } }, operation: body)
    return count.withLock { $0 }
  }

  @Test("the hashes of a model and its copies are computed once")
  func once() throws {
    let model = try Self.model()
    let copy = model
    var hashes: [[String: VersionHash]] = []
    let count = Self.computed {
      for model in [model, copy, model] { hashes.append(model.versionHashes()) }
    }
    #expect(count == 1)
    #expect(Set(hashes).count == 1)
  }

  @Test("a model that is read again and another model have their own cached hashes")
  func another() throws {
    let models = [try Self.model(), try Self.model("Integer 16"), try Self.model()]
    let count = Self.computed { for model in models { _ = model.versionHashes() } }
    #expect(count == 3)
    #expect(models[0].versionHashes() != models[1].versionHashes())
    #expect(models[0].versionHashes() == models[2].versionHashes())
  }

  @Test("hashes of properties are equal before and after those of the entities are computed")
  func properties() throws {
    let (first, second) = (try Self.model(), try Self.model())
    let before = first.propertyHashes(of: "A")
    let entities = first.versionHashes()
    #expect(second.versionHashes() == entities)
    #expect(second.propertyHashes(of: "A") == before && first.propertyHashes(of: "A") == before)
  }

  @Test("values of the most recent pairs are cached, each with its own other model")
  func pairs() throws {
    let memory = ModelMemory()
    let others = (0..<9).map { _ in ModelMemory() }
    func value(_ number: Int) -> Int { memory.value(with: others[number]) { number } }
    func computed(_ numbers: Range<Int>) -> Int {
      Self.computed { for number in numbers { #expect(value(number) == number) } }
    }
    #expect(computed(0..<9) == 9)
    #expect(computed(5..<9) == 0)
    #expect(computed(0..<1) == 1)
  }

  @Test("cached values about a model do not keep it alive")
  func released() throws {
    let memory = ModelMemory()
    weak var gone: ModelMemory?
    do {
      let other = ModelMemory()
      gone = other
      #expect(memory.value(with: other) { 1 } == 1)
      #expect(other.value(with: memory) { 2 } == 2)
    }
    #expect(gone == nil)
  }
}
