import Foundation

/// A reason why a question has no answer.
struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// A model as source, and as the file that Core Data loads.
struct Model { var source: URL, compiled: URL }

/// A store of the type `sqlite`, `xml` or `binary`; Core Data may record persistent history in it.
struct Store {
  var url: URL, model: Model
  var type = "sqlite", configuration: String?, hasHistory = false
}

/// What a program printed, and how it ended.
struct Printed {
  var status: Int32, output: String, errors: String

  /// Runs a program; both streams go through files, so that neither can block it.
  static func run(_ program: String, _ words: [String]) throws -> Printed {
    let folder = FileManager.default.temporaryDirectory
    let files = (0..<2).map { _ in folder.appendingPathComponent("\(UUID().uuidString).log") }
    defer { for file in files { try? FileManager.default.removeItem(at: file) } }
    for file in files { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return Printed(status: process.terminationStatus, output: texts[0], errors: texts[1])
  }
}

/// The program that is checked.
struct Strata {
  var program: String

  static func json(_ text: some StringProtocol) throws -> JSON {
    try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
  }

  /// The lines of a command whose status is 0, or 1 for the answer no.
  func lines(_ words: [String]) throws -> [String] {
    let printed = try Printed.run(program, words)
    guard printed.status <= 1 else {
      let error = try? Self.json(printed.output)["error"]
      let (what, id) = (try? error?["what"].text, try? error?["id"].text)
      let codes = Set(printed.output.matches(of: /"(?:code|failure)" : (\d+)/).map { String($0.1) })
        .sorted()
      let text = codes.isEmpty ? printed.output + printed.errors : "\(codes)"
      throw Failure("strata \(words[0]): \(what ?? text) [\(id ?? "")]")
    }
    return printed.output.split(separator: "\n").map(String.init)
  }

  @discardableResult
  func ask(_ words: [String]) throws -> JSON {
    try Self.json(try lines(words + ["--json"]).joined(separator: "\n"))
  }

  /// The hash of each entity and property, and the checksum of the model.
  func hashes(_ model: URL) throws -> Facts {
    let answer = try ask(["hash", model.path, "--properties"])
    var facts = ["checksum": try answer["checksum"].text ?? ""]
    for (name, entity) in try answer["entities"].object {
      facts[name] = try entity["hash"].text
      for (property, hash) in try entity["properties"].object {
        facts["\(name).\(property)"] = hash.text
      }
    }
    return facts
  }

  func create(_ store: Store, rows: Int, seed: UInt64 = 1, framework: String = "1344") throws {
    var words = ["create", store.url.path, "--model", store.model.source.path]
    words += ["--rows", "\(rows)", "--seed", "\(seed)", "--framework", framework]
    if store.type == "xml" { words += ["--type", "xml"] }
    if let name = store.configuration { words += ["--configuration", name] }
    try ask(words)
  }

  /// `insert`, or `delete` with the object `A/p1`.
  func change(_ store: Store, _ command: String, _ text: String) throws {
    let words = text.split { command == "delete" ? $0 == "/" : $0 == " " }
    try ask([command, store.url.path] + words.map(String.init))
  }

  func column(_ store: Store, _ query: String) throws -> [String] {
    try lines(["sql", store.url.path, query, "--json"])
      .compactMap { try Self.json($0).object.first?.value.text }
  }

  func statements(_ store: Store) throws -> [String] {
    try column(store, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
  }

  /// Every row of the tables of a store but its metadata and its cached model, or of one table.
  func rows(_ store: Store, table: String = "%") throws -> [String] {
    let tables = "type = 'table' AND name LIKE '\(table)' AND name NOT GLOB 'Z_M*A*'"
    let names = try column(store, "SELECT name FROM sqlite_master WHERE \(tables) ORDER BY 1")
    return try names.flatMap { name in
      try lines(["sql", store.url.path, "SELECT * FROM \"\(name)\" ORDER BY 1, 2", "--json"])
        .map { "\(name) \($0)" }
    }
  }

  func keys(_ store: Store, where predicate: String) throws -> [String] {
    try lines(["rows", store.url.path, "A", "--where", predicate, "--limit", "0", "--json"])
      .compactMap { try Self.json($0)["objectID"].text }.sorted()
  }

  /// Every object as `A/p1`, and its values as `A/p1.n`.
  func objects(_ store: Store) throws -> Facts {
    var facts: Facts = [:]
    let model = store.model.source.path
    for entity in try ask(["hash", model])["entities"].object.keys {
      let words = ["rows", store.url.path, entity, "--limit", "0", "--model", model, "--json"]
      for line in try lines(words).map(Self.json) {
        let key = try line["objectID"].text ?? ""
        for (name, value) in line.object { facts["\(key).\(name)"] = value.text }
        (facts[key], facts["\(key).objectID"]) = ("object", nil)
      }
    }
    return facts
  }

  func infer(_ source: URL, _ destination: URL) throws -> Facts {
    let answer = try ask(["infer", source.path, destination.path])
    let obstacles = try answer["obstacles"].list.map {
      (try $0["code"].text, try $0["reason"].text)
    }
    guard obstacles.isEmpty else { throw Failure("\(obstacles)") }
    return try mappings(answer)
  }

  func mapping(_ file: URL) throws -> Facts { try mappings(ask(["mapping", "show", file.path])) }

  /// The type of each entity mapping, and its expressions as `mapping.property`.
  private func mappings(_ answer: JSON) throws -> Facts {
    var facts: Facts = [:]
    for mapping in try answer["entityMappings"].list {
      let name = try mapping["name"].text ?? ""
      facts["order."] = facts["order."].map { "\($0) \(name)" } ?? name
      facts[name] = try mapping["type"].text
      for property in try mapping["attributes"].list + mapping["relationships"].list {
        let expression = try property["expression"]
        let text = expression.object["text"] ?? expression
        facts["\(name).\(try property["name"].text ?? "")"] = text.text
      }
    }
    return facts
  }

  /// Migrates; with a mapping model and a new file, or in the store itself.
  func migrate(
    _ store: Store, to model: Model, strategy: String = "lightweight", mapping: [URL] = []
  ) throws {
    var words = ["migrate", store.url.path, "--to", model.source.path]
    words += ["--from", store.model.source.path, "--strategy", strategy]
    for (name, file) in zip(["--mapping", "--output"], mapping) { words += [name, file.path] }
    try ask(words + (mapping.isEmpty ? ["--keep-old", "never"] : []))
  }
}
