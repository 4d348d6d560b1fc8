import Foundation

/// Checks of many models.
extension Checker {
  /// Every version of every sample, as Strata writes it.
  func sampleModels() throws -> [URL] {
    try strata.ask(["samples", "--write", path("samples").path, "--force"])
    return models(in: path("samples"))
  }

  func models(in folder: URL) -> [URL] {
    (FileManager.default.subpaths(atPath: folder.path) ?? [])
      .filter { $0.hasSuffix(".xcdatamodel") }.sorted().map(folder.appendingPathComponent)
  }

  private func ask(_ part: String, _ first: Model, _ second: () throws -> Model) throws -> Outcome {
    switch part {
    case "hashes": Outcome(differences: try hashes(first))
    case "schema": Outcome(differences: try schema(first))
    case "opened": try read(first, "sqlite", rows: 5)
    case "migration": try migration(first, try second(), rows: 5)
    case "passes": try passes(first, try second())
    case "means": try means(first, try second())
    default: inference(first, try second())
    }
  }

  /// Each version; for migrations and inference each hop to the next version.
  func each(of models: [URL], _ part: String) throws -> Outcome {
    var outcome = Outcome(.asStated)
    for (number, model) in models.enumerated() {
      let next = models[(number + 1) % models.count]
      let isHop = model.deletingLastPathComponent() == next.deletingLastPathComponent()
      guard isHop || !["migration", "inference", "means"].contains(part) else { continue }
      var answer = Outcome(.asStated)
      let refusal = failure { answer = try ask(part, try compiled(model)) { try compiled(next) } }
      if let refusal { answer = Outcome(.couldNotAsk, [refusal]) }
      let isSample = model.path.hasPrefix(folder.path)
      let name = model.pathComponents.suffix(2).joined(separator: "/")
      outcome.add(answer, from: isSample ? name : "model \(number)")
    }
    return outcome
  }

  /// Five models and edits by the seed.
  func random(_ part: String, _ round: Int) throws -> Outcome {
    var outcome = Outcome(.asStated)
    for number in round * 5..<round * 5 + 5 {
      var random = SeededRandom(state: seed &* 1_000_003 &+ UInt64(number))
      let sketch = Sketch(&random)
      let edited = sketch.edited(&random)
      let first = try model(sketch.text, "R\(number)")
      let answer = try ask(part, first) { try model(edited.text, "S\(number)") }
      outcome.add(answer, from: "model \(number) (\(sketch.text) => \(edited.text))")
    }
    return outcome
  }

  /// The join tables of ten models: one entity with 0 to 60 attributes and a pair of relationships
  /// to itself, or an owner of two tables whose first columns would have the same name.
  func joinTables(_ round: Int, isClash: Bool) throws -> Outcome {
    var outcome = Outcome(.asStated)
    for number in round * 10..<round * 10 + 10 {
      var random = SeededRandom(state: seed &* 1_000_003 &+ UInt64(number))
      let names = ["likes", "fans", "friends", "b", "a", "parents", "children", "zed", "next"]
      let two = Array(names.shuffled(using: &random).prefix(2))
      let count = number % (isClash ? 31 : 61)
      let head = "A: " + (0..<count).map { "f\($0) str, " }.joined()
      let clash =
        "\(two[0]) ->> B.as, \(two[1]) ->> C.as; B: as ->> A.\(two[0]); C: as ->> A.\(two[1])"
      let pair = "\(two[0]) ->> A.\(two[1]), \(two[1]) ->> A.\(two[0])"
      let model = try model(head + (isClash ? clash : pair), "J\(number)")
      let stores = ["theirs", "ours"].map { Store(url: path(new: "\($0).sqlite"), model: model) }
      try framework.create(stores[0])
      try strata.create(stores[1], rows: 0)
      let tables = try stores.map { store in
        let tables = try strata.statements(store).filter { $0.contains(", PRIMARY KEY (") }
        return tables.sorted().joined(separator: "; ")
      }
      let name = "\(count) attributes, \(two[0]), \(two[1]): \(tables[0])"
      outcome.add(Outcome(tables[0] == tables[1] ? .asStated : .otherwise, [name]))
    }
    return outcome
  }

  /// Whether one attribute type can become each other one.
  func typePairs(_ round: Int) throws -> Outcome {
    let type = ModelText.typeNames[round]
    let first = try model("A: x \(type)")
    var outcome = Outcome(.asStated)
    for other in ModelText.typeNames {
      let second = try model("A: x \(other)", "To-\(other)")
      outcome.add(inference(first, second), from: "\(type) to \(other)")
    }
    return outcome
  }

  /// One edit by `try`: which hashes change, and what can be inferred.
  func edit(_ first: Model, _ edit: String) throws -> Outcome {
    let edited = path("Edited.xcdatamodel")
    let line = "try M\(edit.hasPrefix(".") ? "" : " ")\(edit) --json"
    let lines = ["load '\(first.source.path)'", line, "write try:M '\(edited.path)'"]
    let printed = try run(lines)
    guard let start = printed.firstIndex(of: "{"), let end = printed.firstIndex(of: "}") else {
      throw Failure(printed.joined(separator: " "))
    }
    let answer = try Strata.json(printed[start...end].joined(separator: "\n"))
    let moved = try answer["moved"].list.compactMap(\.text).sorted()
    let second = try compiled(edited)
    let hashes = try [first, second].map { try framework.hashes($0).short }
    // Of a renamed entity `try` names the new name only.
    let names = Set((edit.contains(" rename ") ? [:] : hashes[0]).keys).union(hashes[1].keys)
    let changed = names.filter { $0 != "checksum" && hashes[0][$0] != hashes[1][$0] }.sorted()
    var outcome = Outcome(.asStated)
    outcome.add(inference(first, second), from: edit)
    let note = "\(edit): Core Data changes \(changed), Strata \(moved)"
    if changed != moved { outcome.add(Outcome(.otherwise, [note])) }
    return outcome
  }

  /// What a script prints.
  func run(_ lines: [String]) throws -> [String] {
    let script = path("lines.strata")
    try lines.joined(separator: "\n").write(to: script, atomically: true, encoding: .utf8)
    return try strata.lines(["run", script.path])
  }
}
