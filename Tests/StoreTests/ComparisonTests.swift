import StrataBase
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// Which objects of two stores are the same, and what differs in them.
@Suite("Comparison of stores")
struct ComparisonTests {
  private static let model = "A\n  a Integer_16\n  b Integer_16\n  c Integer_16"

  private static func write(
    _ name: String, in folder: TemporaryFolder, _ model: ObjectModel,
    _ rows: KeyValuePairs<Int64, [Int64]>
  ) throws {
    var store = try NewStore(path: folder.path(name), model: model, uuid: "A")
    guard let shape = store.shape(of: "A") else { throw StoreError.missingTable("A") }
    for (key, numbers) in rows {
      let values = Dictionary(uniqueKeysWithValues: zip(["a", "b", "c"], numbers))
      try store.insert(
        ObjectRow(
          key: key,
          values: shape.names.map { name in values[name].map { .integer($0) } ?? .null }),
        of: "A")
    }
    try store.finish()
  }

  /// The differences in the notation of the tests: `p1-` and `p1+` are only in one store.
  private static func differences(
    _ one: KeyValuePairs<Int64, [Int64]>, _ other: KeyValuePairs<Int64, [Int64]>
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    let model = try ObjectModel(brief: model)
    try write("one", in: folder, model, one)
    try write("other", in: folder, model, other)
    let difference = try StoreDifference(
      between: StoreReader(SQLiteStore(reading: folder.path("one")), model: model),
      and: StoreReader(SQLiteStore(reading: folder.path("other")), model: model))
    return difference.entities.flatMap { entity in
      entity.onlyInFirst.map { "p\($0.key)-" } + entity.onlyInSecond.map { "p\($0.key)+" }
        + entity.changed.map { change in
          "p\(change.first.key) p\(change.second.key) \(change.properties.joined())"
        }
    }
  }

  @Test("an object without a partner of its key gets the most similar one that no other has")
  func similar() throws {
    // p2 of the other store is like p1, but is the partner of p2.
    #expect(
      try Self.differences([1: [1, 1, 1], 2: [2, 2, 2]], [2: [1, 1, 9], 3: [2, 8, 8]])
        == ["p1-", "p3+", "p2 p2 abc"])
    // Each is taken once.
    #expect(
      try Self.differences(
        [1: [1, 1, 1], 2: [1, 1, 2]], [11: [1, 1, 7], 12: [1, 6, 8], 13: [5, 5, 5]])
        == ["p2-", "p12+", "p13+", "p1 p11 c"])
    // Fewer than half of the values are equal.
    #expect(try Self.differences([1: [1, 1, 1]], [5: [1, 2, 2]]) == ["p1-", "p5+"])
  }

  @Test("the order of links counts where both models have it")
  func order() throws {
    let folder = try TemporaryFolder()
    let models = try ["ordered", ""].map { kind in
      try ObjectModel(
        brief: """
          A
            a Integer_16
            bs -> B many \(kind) inverse=as
          B
            b Integer_16
            as -> A many inverse=bs
          """)
    }
    func store(_ name: String, _ model: ObjectModel, _ keys: [Int64]) throws {
      var store = try NewStore(path: folder.path(name), model: model, uuid: "A")
      for number in 1...2 { _ = try store.insert("B", attributes: ["b": .integer(Int64(number))]) }
      let key = try store.insert("A", attributes: ["a": .integer(1)]).key
      let end = try #require(model.relationship("bs", of: "A"))
      try store.connect(end, of: key, to: keys)
      try store.finish()
    }
    for (kind, model) in zip(["ordered", "plain"], models) {
      for keys in [[1, 2], [2, 1]] as [[Int64]] { try store("\(kind)\(keys[0])", model, keys) }
    }
    for (one, other, isEqual) in [
      ("ordered1", "ordered2", false), ("ordered1", "ordered1", true),
      ("ordered1", "plain2", true), ("plain2", "ordered1", true), ("plain1", "plain2", true),
    ] {
      let readers = { (name: String) in
        try StoreReader(
          SQLiteStore(reading: folder.path(name)), model: models[name.hasPrefix("o") ? 0 : 1])
      }
      let difference = try StoreDifference(between: readers(one), and: readers(other))
      #expect(difference.isEmpty == isEqual, "\(one) \(other)")
    }
  }
}
