import Foundation

/// On Linux, Strata in Core Data's place: a rehearsal of every check. See `Framework.swift`.
struct Framework {
  var strata: Strata

  var version: String { "none: a rehearsal, Strata answers in its place" }
  func compile(_ source: URL, to compiled: URL) throws {
    guard source.pathExtension == "xcmappingmodel" else { return }
    try FileManager.default.copyItem(at: source, to: twin(compiled))
  }
  private func twin(_ compiled: URL) -> URL { compiled.appendingPathExtension("xcmappingmodel") }
  func hashes(_ model: Model) throws -> Facts { try strata.hashes(model.source) }
  func create(_ store: Store) throws { try strata.create(store, rows: 0) }
  func copy(_ store: Store, to other: Store) throws {
    guard other.type != "binary" else { throw Failure("Strata writes no binary store") }
    let xml = ["migrate", store.url.path, "--to", store.model.source.path, "--output"]
    let copy = ["create", other.url.path, "--copy", store.url.path]
    try strata.ask(other.type == "xml" ? xml + [other.url.path] : copy)
  }
  func objects(_ store: Store) throws -> Facts { try strata.objects(store) }
  func infer(_ first: Model, _ second: Model) throws -> Facts {
    try strata.infer(first.source, second.source)
  }
  func mapping(_ compiled: URL) throws -> Facts { try strata.mapping(twin(compiled)) }
  func choice(in folder: URL, _ first: Model, _ second: Model) throws -> Facts? { nil }
  func migrate(_ store: Store, to model: Model, _ part: String = "") throws {
    try strata.migrate(store, to: model)
  }
  func migrate(_ store: Store, to model: Model, mapping: URL, output: URL) throws {
    try strata.migrate(store, to: model, strategy: "custom", mapping: [twin(mapping), output])
  }
  func migrateAndFail(_ store: Store, through models: [Model]) throws {
    try strata.migrate(store, to: models[1])
    throw Failure("stopped by the handler")
  }
  func keys(_ store: Store, where predicate: String) throws -> [String] {
    try strata.keys(store, where: predicate)
  }
  func delete(_ key: String, in store: Store) throws { try strata.change(store, "delete", key) }
  func insert(_ values: [Any], attribute: String, in store: Store) throws {
    for case let data as Data in values {
      try data.write(to: store.url.appendingPathExtension("value"))
      try strata.change(store, "insert", "A \(attribute)=@\(store.url.path).value")
    }
  }
}
