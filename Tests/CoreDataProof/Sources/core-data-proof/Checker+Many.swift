import Foundation

/// Checks of many models.
extension Checker {
  /// Every version of every sample, as Strata writes it.
  func sampleModels() throws -> [URL] {
    try strata.ask(["samples", "--write", path("samples").path, "--force"])
    return models(in: path("samples"))
  }

  private func models(in folder: URL) -> [URL] {
    (FileManager.default.subpaths(atPath: folder.path) ?? [])
      .filter { $0.hasSuffix(".xcdatamodel") }.sorted().map { folder.appendingPathComponent($0) }
  }

  private func ask(_ part: String, _ first: Model, _ second: () throws -> Model) throws -> Outcome {
    let outcome =
      switch part {
      case "hashes": Outcome(differences: try hashes(first))
      case "schema": Outcome(differences: try schema(first))
      case "opened": try opened(first, "sqlite", rows: 5)
      case "migration": try migration(first, try second(), rows: 5)
      default: inference(first, try second())
      }
    return outcome.verdict == .asStated ? Outcome(.asStated) : outcome
  }

  func samples(_ part: String) throws -> Outcome {
    let models = try sampleModels()
    var outcome = Outcome(.asStated)
    for (model, next) in zip(models, models.dropFirst() + [models[0]]) {
      let isHop = model.deletingLastPathComponent() == next.deletingLastPathComponent()
      guard isHop || !["migration", "inference"].contains(part) else { continue }
      let name = model.pathComponents.suffix(2).joined(separator: "/")
      outcome.add(try ask(part, try compiled(model)) { try compiled(next) }, from: name)
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
      let texts = "\(sketch.text) => \(edited.text)"
      outcome.add(answer, from: answer.verdict == .asStated ? "" : "model \(number) (\(texts))")
    }
    return outcome
  }

  func corpusHashes() throws -> Outcome {
    guard let corpus else { return Outcome(.couldNotAsk, ["no folder was given with --corpus"]) }
    var outcome = Outcome(.asStated)
    for (number, source) in models(in: corpus).enumerated() {
      do {
        let found = try hashes(try compiled(source))
        outcome.add(Outcome(differences: found), from: "model \(number)")
      } catch { outcome.add(Outcome(.couldNotAsk, ["\(error)"]), from: "model \(number)") }
    }
    return outcome
  }

  /// The join tables of ten models: one entity with 0 to 60 attributes and a pair of relationships to
  /// itself, or an owner of two tables whose first columns would have the same name.
  func joinTables(_ round: Int, isClash: Bool) throws -> Outcome {
    var outcome = Outcome(.asStated)
    for number in round * 10..<round * 10 + 10 {
      var random = SeededRandom(state: seed &* 1_000_003 &+ UInt64(number))
      let names = ["likes", "fans", "friends", "b", "a", "parents", "children", "zed", "next"]
        .shuffled(using: &random)
      let fields = (0..<number % (isClash ? 31 : 61)).map { "f\($0) str, " }.joined()
      let pair =
        isClash
        ? "A: \(fields)\(names[0]) ->> B.as, \(names[1]) ->> C.as; B: as ->> A.\(names[0]); C: as ->> A.\(names[1])"
        : "A: \(fields)\(names[0]) ->> A.\(names[1]), \(names[1]) ->> A.\(names[0])"
      let model = try model(pair, "J\(number)")
      let store = Store(url: path(new: "theirs.sqlite"), model: model)
      try framework.create(store)
      let tables = try strata.statements(store.url).filter { $0.hasPrefix("CREATE TABLE Z_") }
        .filter { $0.contains("PRIMARY KEY (") }
      let isSame = try schema(model).allSatisfy { !$0.contains("CREATE TABLE Z_") }
      let name = "\(number % (isClash ? 31 : 61)) attributes, \(names[0]), \(names[1])"
      outcome.add(
        Outcome(isSame ? .asStated : .otherwise, [tables.joined(separator: "; ")]), from: name)
    }
    return outcome
  }

  /// Whether one attribute type can become each other one.
  func typePairs(_ round: Int) throws -> Outcome {
    let type = ModelText.typeNames[round]
    let first = try model("A: x \(type)")
    var outcome = Outcome(.asStated)
    for other in ModelText.typeNames {
      let answer = inference(first, try model("A: x \(other)", "To-\(other)"))
      if answer.verdict != .asStated { outcome.add(answer, from: "\(type) to \(other)") }
    }
    return outcome
  }

  /// One edit by `try`: which hashes change, and what can be inferred.
  func edit(_ edit: String) throws -> Outcome {
    let first = try model(Question.editedModel, "E")
    let (script, edited) = (path("edit.strata"), path("Edited.xcdatamodel"))
    let lines = [
      "load '\(first.source.path)'", "try E\(edit) --json", "write try:E '\(edited.path)'",
    ]
    try lines.joined(separator: "\n").write(to: script, atomically: true, encoding: .utf8)
    let printed = try strata.run(["run", script.path]).output
    guard let start = printed.firstIndex(of: "{"), let end = printed.firstRange(of: "\n}") else {
      throw Failure("try E\(edit): \(printed)")
    }
    let moved = try Strata.json(printed[start..<end.upperBound])["moved"].list.compactMap(\.text)
      .sorted()
    let second = try compiled(edited)
    let hashes = try [first, second].map {
      try framework.hashes($0).filter { !$0.key.contains(".") }
    }
    // Of a renamed entity `try` names the new name only.
    let names =
      edit.contains(" rename ") ? Set(hashes[1].keys) : Set(hashes[0].keys).union(hashes[1].keys)
    let changed = names.filter { $0 != "checksum" && hashes[0][$0] != hashes[1][$0] }.sorted()
    var outcome = Outcome(.asStated)
    outcome.add(inference(first, second), from: edit)
    if changed != moved {
      outcome.add(
        Outcome(.otherwise, ["Core Data changes \(changed), Strata \(moved)"]), from: edit)
    }
    return outcome
  }
}
