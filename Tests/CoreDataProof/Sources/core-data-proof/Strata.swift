import Foundation

/// A reason why a question has no answer.
struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// A model as source, and as the file that Core Data loads.
struct Model {
  var source: URL
  var compiled: URL
}

struct Store {
  var url: URL
  var model: Model
  /// `sqlite`, `xml` or `binary`.
  var type = "sqlite"
  var configuration: String?
  /// Whether Core Data records persistent history.
  var hasHistory = false
}

/// What a program printed, and how it ended.
struct Printed {
  var status: Int32
  var output: String
  var errors: String

  /// Runs a program; both streams go through files, so that neither can block it.
  static func run(_ program: String, _ words: [String]) throws -> Printed {
    let files = ["out", "err"].map {
      FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\($0)")
    }
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

  func run(_ words: [String]) throws -> Printed { try Printed.run(program, words) }

  /// The answer of a command with a status up to 1, as JSON.
  @discardableResult
  func ask(_ words: [String]) throws -> JSON {
    let printed = try run(words + ["--json"])
    guard printed.status <= 1, let answer = try? Self.json(printed.output) else {
      let error = try? Self.json(printed.output)["error"]
      let (what, id) = (try? error?["what"].text, try? error?["id"].text)
      throw Failure("strata \(words[0]): \(what ?? printed.output + printed.errors) [\(id ?? "")]")
    }
    return answer
  }

  /// The answer of a command that prints an object on each line.
  func lines(_ words: [String]) throws -> [JSON] {
    let printed = try run(words + ["--json"])
    guard printed.status == 0 else { throw Failure("strata \(words[0]): \(printed.output)") }
    return try printed.output.split(separator: "\n").map(Self.json)
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
    try ask(
      ["create", store.url.path, "--model", store.model.source.path, "--rows", "\(rows)"]
        + ["--seed", "\(seed)", "--framework", framework]
        + (store.type == "xml" ? ["--type", "xml"] : [])
        + (store.configuration.map { ["--configuration", $0] } ?? []))
  }

  func insert(_ row: String, into store: Store) throws {
    try ask(["insert", store.url.path] + row.split(separator: " ").map(String.init))
  }

  func delete(_ key: String, in store: Store) throws {
    try ask(["delete", store.url.path] + key.split(separator: "/").map(String.init))
  }

  /// The first column of a query's rows.
  func column(_ store: URL, _ query: String) throws -> [String] {
    try lines(["sql", store.path, query]).compactMap { $0.object.first?.value.text }
  }

  /// The statements of a store's schema, in the order of their creation.
  func statements(_ store: URL) throws -> [String] {
    try column(store, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
  }

  /// Every row of the tables of a store but its metadata and its cached model, or of one table.
  func rows(_ store: URL, table: String = "%") throws -> [String] {
    let tables = "name NOT LIKE 'Z\\_M%' ESCAPE '\\' AND name LIKE '\(table)'"
    let names = try column(
      store, "SELECT name FROM sqlite_master WHERE type = 'table' AND \(tables)")
    return try names.sorted().flatMap { name in
      try run(["sql", store.path, "SELECT * FROM \"\(name)\" ORDER BY 1, 2", "--json"])
        .output.split(separator: "\n").map { "\(name) \($0)" }
    }
  }

  func metadata(_ store: URL, _ key: String) throws -> JSON {
    try ask(["metadata", store.path])[key]
  }

  func keys(_ store: Store, entity: String, where predicate: String) throws -> [String] {
    try lines(["rows", store.url.path, entity, "--where", predicate, "--limit", "0"])
      .compactMap { try $0["objectID"].text }.sorted()
  }

  /// Every object as `A/p1`, and its values.
  func objects(_ store: Store) throws -> Facts {
    var facts: Facts = [:]
    for entity in try ask(["hash", store.model.source.path])["entities"].object.keys {
      let model = ["--model", store.model.source.path]
      for line in try lines(["rows", store.url.path, entity, "--limit", "0"] + model) {
        guard let key = try line["objectID"].text else { continue }
        facts[key] = "object"
        for (name, value) in line.object where name != "objectID" {
          facts["\(key).\(name)"] = value.text
        }
      }
    }
    return facts
  }

  /// The entity mappings with their types, and their expressions; an error if there is an obstacle.
  func infer(_ source: URL, _ destination: URL) throws -> Facts {
    let answer = try ask(["infer", source.path, destination.path])
    guard try answer["inferable"].text == "true" else {
      let reasons = try answer["obstacles"].list.map {
        "\(try $0["code"].text ?? "") \(try $0["reason"].text ?? "")"
      }
      throw Failure(reasons.joined(separator: "; "))
    }
    return try mappings(answer)
  }

  func mapping(_ file: URL) throws -> Facts {
    try mappings(try ask(["mapping", "show", file.path]))
  }

  private func mappings(_ answer: JSON) throws -> Facts {
    var facts: Facts = [:]
    for mapping in try answer["entityMappings"].list {
      let name = try mapping["name"].text ?? ""
      facts[name] = try mapping["type"].text
      for property in try mapping["attributes"].list + mapping["relationships"].list {
        let expression = try property["expression"]
        facts["\(name).\(try property["name"].text ?? "")"] =
          try expression.object.isEmpty ? expression.text : expression["text"].text
      }
    }
    return facts
  }

  /// Migrates; with a mapping model into a new file, otherwise in the store itself.
  func migrate(_ store: Store, to model: Model, mapping: URL? = nil, output: URL? = nil) throws {
    try ask(
      ["migrate", store.url.path, "--to", model.source.path, "--from", store.model.source.path]
        + (mapping.map { ["--strategy", "custom", "--mapping", $0.path] }
          ?? ["--strategy", "lightweight"])
        + (output.map { ["--output", $0.path] } ?? ["--keep-old", "never"]))
  }
}
