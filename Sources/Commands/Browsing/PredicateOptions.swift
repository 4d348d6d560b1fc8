internal import ArgumentParser
internal import Foundation
internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// What `rows` and `count` have in common.
struct PredicateOptions: ParsableArguments {
  @OptionGroup var objects: ObjectOptions
  @Flag(help: "Show what SQLite is asked, and what is evaluated besides, instead of asking.")
  var explain = false
}

extension Session {
  /// The objects of a store, as predicates ask them.
  func objects(of text: String, model modelName: String? = nil) throws -> StoreObjects {
    StoreObjects(try reader(of: text, model: modelName))
  }

  /// A store, to be read by the model that wrote it.
  ///
  /// - Parameters:
  ///   - modelName: The model, where it is said which; a bundle means the version that wrote the store.
  ///   - candidates: Models that may be it, besides those that are loaded.
  /// - Throws: ``Diagnostic``, where no model is known too, and where another one than was said wrote it.
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
      let kept = found.warnings.first?.what ?? "it keeps none itself"
      throw Diagnostic(
        id: "store.noModel", what: "no model is known that wrote the store, and \(kept)",
        location: Location(element: name),
        fix: "load the bundle that holds its version, or name it: --model App.xcdatamodeld/Model1")
    }
    // Without its model, a document is no more than its metadata.
    if isAtomicStore(path) { store = try open(path, among: [model.model]) }
    do {
      return try StoreReader(store, model: model.model)
    } catch {
      throw error.diagnostic.located(in: shown(path))
    }
  }
}

extension StoreQuery {
  /// A query as it was typed, checked against the model.
  ///
  /// - Throws: ``Diagnostic`` with the place in the predicate.
  init(
    entity: String, predicates texts: [String], model: ObjectModel
  ) throws {
    guard model[entity] != nil else {
      throw ModelEditError.unknownEntity(
        entity, near: NearestName.of(entity, in: model.entityNames))
    }
    self.init(entity: entity)
    now = Date().timeIntervalSinceReferenceDate
    let parts = try texts.map { text in
      do throws(ExpressionError) {
        return try model.resolved(Predicate(parsing: text), for: entity)
      } catch {
        throw error.placed(in: text)
      }
    }
    predicate = parts.count > 1 ? .and(parts) : parts.first
  }
}
