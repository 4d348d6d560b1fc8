package import StrataArchives
package import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// Inserts an object into an existing store, in one transaction that is validated before it is committed.
///
/// ```swift
/// let insertion = StoreInsertion("TopicList", attributes: ["title": .text("New")])
/// try insertion.perform(at: path, model: model1).key  // 1
/// ```
///
/// Keys are assigned as by Core Data, `Z_OPT` of other changed objects is incremented, and the store's own triggers
/// update derived attributes. Persistent history is not written: an app that observes it does not see the object.
package struct StoreInsertion {
  package let entity: String
  /// The attributes by name; others get their default.
  package var attributes: [String: AttributeValue]
  /// The destination keys of each relationship by name, in order.
  package var relationships: [String: [Int64]]

  package init(
    _ entity: String, attributes: [String: AttributeValue] = [:],
    relationships: [String: [Int64]] = [:]
  ) {
    self.entity = entity
    self.attributes = attributes
    self.relationships = relationships
  }

  /// Inserts the object.
  ///
  /// - Parameter log: Hears of the statements.
  /// - Returns: Its key, and the other objects whose rows have changed.
  /// - Throws: ``RefusedChange`` if the model does not allow it, ``StoreError``; the store is then unchanged.
  package func perform(
    at given: String, model: ObjectModel, log: StatementLog? = nil
  ) throws -> (key: Int64, changed: [ObjectRef]) {
    var writer = RowWriter(
      insertion: self, reader: try StoreReader(changingObjectsOf: given, model: model, log: log))
    return try writer.write()
  }

  /// Inserts the object into an XML store: the whole document is rewritten.
  ///
  /// - Returns: Its id in the document, and the other objects that have changed.
  /// - Throws: As ``perform(at:model:)``.
  package func perform(
    on xml: XMLStore, model: ObjectModel
  ) throws -> (key: Int64, changed: [ObjectRef], document: XMLDatabase) {
    var writer = RowWriter(
      insertion: self, reader: try StoreReader(changingObjectsOf: xml, model: model))
    let (key, changed) = try writer.write()
    let written = try writer.document(from: xml.database)
    let document = xml.database.taking(
      written, new: written.objects.filter { $0.id == "z\(key)" },
      touched: Set(writer.touchedKeys))
    return (key, changed, document)
  }
}
