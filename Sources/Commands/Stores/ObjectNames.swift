internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataStore

/// The names of objects of a store.
struct ObjectNames {
  let model: ObjectModel
  let storePath: String

  /// The key of an object of an entity: `p1` as `rows` shows it, `1`, `Topic/p1`, or its URI.
  func key(_ text: String, of entity: String) throws(Diagnostic) -> Int64 {
    func refusal(_ what: String) -> Diagnostic {
      Diagnostic(id: "store.notAKey", what: what, fix: "write the key as `rows` shows it: p1")
    }
    if let named = ObjectRef(text) {
      guard model.canBe(named.entity, entity) else {
        throw refusal("\(text) is not an object of \(entity)")
      }
      return named.key
    }
    guard let object = TextualValue.object(text) else {
      guard let key = Int64(text) else {
        throw refusal("\(text) is not the key of an object")
      }
      return key
    }
    guard model.canBe(object.entity, entity) else {
      throw refusal("\(text) is not an object of \(entity)")
    }
    guard object.store == nil || object.store == StoreMetadata.ofStore(at: storePath)?.uuid else {
      throw refusal("\(text) is an object of another store")
    }
    return object.key
  }
}
