internal import ArgumentParser
internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStepping
internal import StrataStore

/// Options of `rows` and `count`.
struct PredicateOptions: ParsableArguments {
  @OptionGroup var objects: ObjectOptions
  @Flag(
    help: "Show the SQL query, SQLite's plan and what Strata itself evaluates, without running it.")
  var explain = false
}

extension Session {
  /// The objects of a store, for predicates.
  func objects(of text: String, model modelName: String? = nil) throws -> StoreObjects {
    StoreObjects(try reader(of: text, model: modelName))
  }

  /// Reads objects of a store with the model that wrote it; in the stepper, `source` and `destination` are the stores
  /// of the hop.
  ///
  /// - Throws: ``Diagnostic`` if the store cannot be read, or has changed meanwhile.
  func reading<Result>(
    _ text: String, model modelName: String?, _ body: (StoreObjects) throws -> Result
  ) throws -> Result {
    if modelName == nil, let side = TraceStatement.Side(rawValue: text),
      let stepper = stepping?.stepper
    {
      return try stepper.reading {
        try body(side == .source ? stepper.sourceObjects() : stepper.destinationObjects())
      }
    }
    let objects = try objects(of: text, model: modelName)
    let result = try body(objects)
    try objects.checkUnchanged()
    return result
  }

  /// Opens a store with the model that wrote it.
  ///
  /// - Parameters:
  ///   - modelName: The model, if given; a bundle means its version that wrote the store.
  ///   - candidates: Further models that may have written the store, besides the loaded ones.
  /// - Throws: ``Diagnostic`` if the model is unknown or a model other than the given one wrote the store.
  func reader(
    of text: String, model modelName: String? = nil, candidates: [ObjectModel] = []
  ) throws -> StoreReader {
    let (name, path) = try store(text)
    let others = candidates.map {
      WriterCandidate(NamedModel(name: "the other store's model", model: $0))
    }
    var store = try open(path)
    let found =
      try modelName.map { try modelOf(store, name, path: path, named: $0) }
      ?? modelOf(store, path: path, candidates: others)
    guard let model = found.model else {
      let kept = found.warnings.first?.what ?? "it contains no cached model"
      throw Diagnostic(
        id: "store.noModel", what: "the model that wrote the store is unknown, and \(kept)",
        location: Location(element: name),
        fix: "load the bundle with its version, or name it: --model App.xcdatamodeld/Model1")
    }
    // Without its model, only the metadata of an atomic store can be read.
    if isAtomicStore(path) { store = try open(path, among: [model.model]) }
    do {
      return try StoreReader(store, model: model.model)
    } catch {
      throw error.diagnostic.located(in: shown(path))
    }
  }
}

extension StoreQuery {
  /// Parses a query and checks it against the model and the UUID of a store.
  ///
  /// - Throws: ``Diagnostic`` with the location in the predicate.
  init(
    entity: String, predicates texts: [String], in objects: StoreObjects
  ) throws {
    _ = try objects.model.existingEntity(entity)
    self.init(entity: entity)
    let parts = try texts.map { text in
      do throws(ExpressionError) {
        return try objects.model.resolved(
          Predicate(parsing: text), for: entity, in: objects.metadata.uuid)
      } catch {
        throw error.located(in: text)
      }
    }
    predicate = parts.count > 1 ? .and(parts) : parts.first
  }
}
