import StrataBase
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

@Suite("Replaced links")
struct LinkReplacementTests {
  /// A relationship `r` of A and its inverse `s`, of B or of A itself.
  private struct Shape: CustomTestStringConvertible {
    var isToMany: Bool
    /// Whether the inverse is to-many; `nil` without an inverse.
    var inverse: Bool?
    var isOrdered = false
    /// Whether both ends belong to A.
    var isReflexive = false
    /// Whether `r` is its own inverse.
    var isOwnInverse = false

    static let all: [Shape] = [false, true].flatMap { isToMany in
      [nil, false, true].flatMap { inverse in
        [false, true].flatMap { isReflexive in
          (isToMany ? [false, true] : [false]).map {
            Shape(
              isToMany: isToMany, inverse: inverse, isOrdered: $0, isReflexive: isReflexive)
          }
        }
      } + [Shape(isToMany: isToMany, inverse: isToMany, isReflexive: true, isOwnInverse: true)]
    }

    var testDescription: String {
      let other = inverse.map { "s to-\($0 ? "many" : "one")" } ?? "no inverse"
      return "r to-\(isToMany ? "many" : "one")\(isOrdered ? " ordered" : ""), "
        + (isOwnInverse ? "its own inverse" : other) + (isReflexive ? ", of A" : ", of B")
    }

    func model() throws -> ObjectModel {
      let other = isReflexive ? "A" : "B"
      func end(
        _ name: String, _ destination: String, _ isToMany: Bool, _ inverse: String?
      ) -> Relationship {
        var end = Relationship(
          name: name, destinationName: destination, isOptional: true, isToMany: isToMany)
        end.inverseName = inverse
        return end
      }
      var (a, b) = (Entity(name: "A"), Entity(name: "B"))
      var r = end("r", other, isToMany, isOwnInverse ? "r" : inverse.map { _ in "s" })
      r.isOrdered = isOrdered
      a.relationships = [r]
      if let inverse, !isOwnInverse {
        let s = end("s", "A", inverse, "r")
        if isReflexive { a.relationships.append(s) } else { b.relationships = [s] }
      }
      return try ObjectModel(ModelDocument(entities: [a, b]))
    }
  }

  /// The links of `r`, as an app has them after assignments.
  private struct Links {
    var shape: Shape
    private(set) var pairs: [(own: Int64, other: Int64)] = []

    init(_ shape: Shape) { self.shape = shape }

    /// Assigns objects to `r`, or to `s`.
    mutating func assign(_ objects: [Int64], of key: Int64, isInverse: Bool) {
      func end(_ pair: (own: Int64, other: Int64)) -> Int64 { isInverse ? pair.other : pair.own }
      func rest(_ pair: (own: Int64, other: Int64)) -> Int64 { isInverse ? pair.own : pair.other }
      // Of a to-many relationship without an inverse, the destination's row keeps its one owner.
      let takesOver = !(isInverse ? shape.isToMany : shape.inverse ?? !shape.isToMany)
      remove { end($0) == key && !objects.contains(rest($0)) }
      for object in objects {
        if takesOver { remove { rest($0) == object && end($0) != key } }
        if shape.isOwnInverse, takesOver {
          remove { $0.own == object && $0.other != key }
        }
        add(isInverse ? (object, key) : (key, object))
        if shape.isOwnInverse { add((object, key)) }
      }
    }

    private mutating func add(_ pair: (own: Int64, other: Int64)) {
      if !pairs.contains(where: { $0 == pair }) { pairs.append(pair) }
    }

    private mutating func remove(where isGone: ((own: Int64, other: Int64)) -> Bool) {
      let gone = pairs.filter(isGone)
      pairs.removeAll { pair in
        gone.contains { $0 == pair || shape.isOwnInverse && $0 == (pair.other, pair.own) }
      }
    }
  }

  @Test("an assignment leaves both ends as an app would have them", arguments: Shape.all)
  private func assignments(shape: Shape) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let model = try shape.model()
    var store = try NewStore(
      path: folder.path("a.sqlite"), model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000003")
    for entity in ["A", "B"] {
      for _ in 1...4 { _ = try store.insert(entity, attributes: [:]) }
    }
    let r = try #require(model.relationship("r", of: "A"))
    let s = shape.isOwnInverse ? nil : model.relationship("s", of: shape.isReflexive ? "A" : "B")
    var (links, generator) = (Links(shape), SeededRandom(seed: 7))
    for _ in 0..<600 {
      let isInverse = s != nil && Bool.random(using: &generator)
      guard let end = isInverse ? s : r else { return }
      let key = Int64.random(in: 1...4, using: &generator)
      let count = Int.random(in: 0...(end.property.isToMany ? 3 : 1), using: &generator)
      let objects = Array([1, 2, 3, 4].shuffled(using: &generator).prefix(count)).map(Int64.init)
      try store.connect(end, of: key, to: objects)
      links.assign(objects, of: key, isInverse: isInverse)
      for own in 1...4 as ClosedRange<Int64> {
        let found = try store.destinations(of: r, from: own)
        #expect(
          found.sorted() == links.pairs.filter { $0.own == own }.map(\.other).sorted(),
          "\(end.property.name) of \(key) = \(objects): r of \(own)")
        if own == key, !isInverse, shape.isOrdered { #expect(found == objects) }
        guard let s else { continue }
        #expect(
          try store.destinations(of: s, from: own).sorted()
            == links.pairs.filter { $0.other == own }.map(\.own).sorted(),
          "\(end.property.name) of \(key) = \(objects): s of \(own)")
      }
    }
  }
}
