#if !canImport(CoreData)
  import Foundation

  /// Strata in Core Data's place, on Linux: a rehearsal of every check, which must answer `as stated`.
  struct Framework {
    var strata: Strata

    func version() -> String { "none: a rehearsal, Strata stands in for Core Data" }
    func compile(_ model: URL, to compiled: URL) throws {}
    func compileMapping(_ mapping: URL, to compiled: URL) throws {
      try FileManager.default.copyItem(at: mapping, to: twin(compiled))
    }
    private func twin(_ compiled: URL) -> URL { compiled.appendingPathExtension("xcmappingmodel") }

    func hashes(_ model: Model) throws -> Facts { try strata.hashes(model.source) }
    func create(_ store: Store) throws { try strata.create(store, rows: 0) }
    func copy(_ store: Store, to other: Store) throws {
      guard other.type != "binary" else { throw Failure("Strata writes no binary store") }
      let output = ["--to", store.model.source.path, "--output", other.url.path]
      try strata.ask(
        other.type == "xml"
          ? ["migrate", store.url.path] + output
          : ["create", other.url.path, "--copy", store.url.path])
    }
    func objects(_ store: Store) throws -> Facts { try strata.objects(store) }
    func infer(_ source: Model, _ destination: Model) throws -> Facts {
      try strata.infer(source.source, destination.source)
    }
    func mapping(_ compiled: URL) throws -> Facts { try strata.mapping(twin(compiled)) }
    func choice(in folder: URL, _ source: Model, _ destination: Model) throws -> Facts? { nil }
    func migrate(_ store: Store, to model: Model, isDeferred: Bool = false) throws {
      try strata.migrate(store, to: model)
    }
    func migrate(_ store: Store, to model: Model, mapping: URL, output: URL) throws {
      try strata.migrate(store, to: model, mapping: twin(mapping), output: output)
    }
    func migrateAndFail(_ store: Store, through models: [Model]) throws {
      try strata.migrate(store, to: models[1])
      throw Failure("stopped by the handler")
    }
    func keys(_ store: Store, entity: String, where predicate: String) throws -> [String] {
      try strata.keys(store, entity: entity, where: predicate)
    }
    func delete(_ key: String, in store: Store) throws { try strata.delete(key, in: store) }
    func insert(_ values: [Any], entity: String, attribute: String, in store: Store) throws {
      for case let data as Data in values {
        let file = store.url.appendingPathExtension("value")
        try data.write(to: file)
        try strata.insert("\(entity) \(attribute)=@\(file.path)", into: store)
      }
    }
  }
#endif
