package import StrataArchives
package import StrataBase
internal import StrataEssentials
package import StrataObjectModel
package import StrataSQLite

/// Deletes an object of an existing store by the delete rules of its model, in one transaction that is validated
/// before it is committed.
///
/// ```swift
/// let result = try StoreDeletion("TopicList", 1).perform(at: path, model: model1)
/// result.deleted  // TopicList/p1, and by the rule Cascade its topics
/// ```
///
/// Cascade deletes the destination objects, Deny refuses if one of them remains, Nullify clears their inverse, and No
/// Action leaves it. Rows of join tables are deleted with either of their objects. `Z_OPT` of objects whose rows have
/// changed is incremented, and `Z_MAX` stays: the key is not used again. Persistent history is not written.
///
/// Source: `Docs/Facts/sqlite-schema.md`, sections 3 to 7; `Docs/Facts/deletion.md`.
package struct StoreDeletion {
  /// The entity of the object, or one of its ancestors.
  package let entity: String
  package let key: Int64

  package init(_ entity: String, _ key: Int64) {
    self.entity = entity
    self.key = key
  }

  /// What a deletion has done.
  package struct Result {
    /// The object itself, then the objects deleted by the rule Cascade.
    package var deleted: [ObjectRef] = []
    /// The objects whose rows have changed.
    package var changed: [ObjectRef] = []
    /// The relationships that still have the key of a deleted object.
    package var left: [LeftKey] = []
    /// The objects that have lost an object of a to-many relationship; their rows are unchanged.
    var shrunk: [ObjectRef] = []
  }

  /// A key of a deleted object that Core Data does not clear.
  package struct LeftKey: Hashable {
    /// The object with the key in its row.
    package var object: ObjectRef
    /// The relationship with the key: its own, or that of the deleted owner, `Whole.parts`.
    package var relationship: String
    package var destination: ObjectRef
    /// Whether the relationship has an inverse, and the inverse the delete rule No Action.
    package var hasInverse: Bool
  }

  /// Deletes the object from a SQLite store.
  ///
  /// - Parameter log: Hears of the statements.
  /// - Throws: ``RefusedChange`` if the model does not allow it, ``StoreError``; the store is then unchanged.
  package func perform(
    at given: String, model: ObjectModel, log: StatementLog? = nil
  ) throws -> Result {
    let reader = try StoreReader(changingObjectsOf: given, model: model, log: log)
    let path = reader.store.path
    var deleter = ObjectDeleter(reader: reader, keepsKeys: true)
    let (result, files) = try deleter.delete(key, of: entity)
    try deleter.commit()
    _ = consume deleter
    // Only now: a store that keeps the object needs its files.
    let external = ExternalData(storePath: path)
    for name in (try? ExternalData.unused(among: files, of: path)) ?? [] { external.remove(name) }
    return result
  }

  /// Deletes the object from an XML store: the whole document is rewritten. References that a SQLite store would keep
  /// are cleared, and their objects validated: a document with them cannot be read.
  ///
  /// - Throws: As ``perform(at:model:log:)``.
  package func perform(
    on xml: XMLStore, model: ObjectModel
  ) throws -> (result: Result, document: XMLDatabase) {
    var deleter = ObjectDeleter(
      reader: try StoreReader(changingObjectsOf: xml, model: model), keepsKeys: false)
    let (result, _) = try deleter.delete(key, of: entity)
    let touched = result.changed + result.shrunk
    let document = xml.database.taking(
      try deleter.document(from: xml.database), touched: Set(touched.map(\.key)),
      deleted: Set(result.deleted.map(\.key)))
    return (result, document)
  }
}
