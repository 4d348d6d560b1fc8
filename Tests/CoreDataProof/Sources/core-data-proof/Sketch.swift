/// The same numbers for the same seed on every system.
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}

/// A random model whose parts can be edited: each entity's first words, and its members by name.
struct Sketch {
  private var entities: [(head: String, members: [String: String])] = []

  init(_ random: inout SeededRandom) {
    let names = ["Album", "BOX", "Bag", "Chef", "Émile"]
    for index in 0..<random.number(2...5) {
      let parent = names[random.number(0...max(index - 1, 0))]
      let isChild = index > 0 && random.number(1...10) < 4
      entities.append((isChild ? "\(names[index]) < \(parent)" : names[index], [:]))
      for number in 0..<random.number(1...5) { add("a\(index)\(number)", to: index, &random) }
    }
    for number in 0..<random.number(1...4) { relate(number, &random) }
  }

  private mutating func add(_ name: String, to index: Int, _ random: inout SeededRandom) {
    let types = ModelText.typeNames + ["int16! =1", "dbl! =1", "bool! =1"]
    entities[index].members[name] = types[random.number(0...types.count - 1)]
  }

  private mutating func relate(_ number: Int, _ random: inout SeededRandom) {
    let ends = (0..<2).map { _ in random.number(0...entities.count - 1) }
    let kinds = ["-> #", "->> #", "->> #", "->> # ordered"]
    for (index, name, inverse) in [(0, "r", "s"), (1, "s", "r")] {
      let other = entities[ends[1 - index]].head.prefix { $0 != " " }
      entities[ends[index]].members["\(name)\(number)"] = kinds[random.number(0...3)]
        .replacing("#", with: "\(other).\(inverse)\(number)")
    }
  }

  var text: String {
    entities.map { entity in
      let members = entity.members.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return "\(entity.head): \(members.joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  /// A next version that can be inferred: one to three edits.
  func edited(_ random: inout SeededRandom) -> Sketch {
    var edited = self
    for number in 0..<random.number(1...3) {
      let index = random.number(0...entities.count - 1)
      let old = edited.entities[index].members.filter { !"nrsx".contains($0.key.prefix(1)) }
      switch (random.number(0...4), old.keys.max()) {
      case (0, _): edited.add("new\(number)", to: index, &random)
      case (1, let name?): edited.entities[index].members[name] = nil
      case (2, let name?):
        edited.entities[index].members[name] = nil
        edited.entities[index].members["x\(number)"] = "\(old[name] ?? "") elementID=\(name)"
      case (3, _): edited.entities.append(("Zoo\(number)", ["n": "int32"]))
      default: edited.relate(9 - number, &random)
      }
    }
    return edited
  }
}
