internal import StrataBase
internal import StrataObjectModel
package import StrataSQLite
package import StrataStore

/// The existing objects of a store to which a migration appends, for policies.
///
/// Core Data's manager migrates into the existing store, so a policy finds objects that earlier mapping models
/// created. Here, an existing object that is found gets a placeholder in the new store; when the new objects
/// are appended, links to the placeholder are replaced by links to the object.
package final class ExistingObjects {
  private let reader: StoreReader
  /// The keys of objects by the values of requested attributes: `Entity.name`.
  private var indexes: [String: [AttributeValue: [Int64]]] = [:]
  package private(set) var placeholders = ObjectPlaceholders()
  private var notesReleases = false

  package init(_ reader: consuming StoreReader) {
    self.reader = reader
  }

  package func count(of entity: String) throws(StoreError) -> Int { try reader.count(of: entity) }

  package func checkUnchanged() throws(StoreError) { try reader.store.checkUnchanged() }

  /// The objects of an entity, without its subentities, that have no placeholder yet; with an attribute name,
  /// only those with the given value.
  func missing(
    of entity: String, where name: String? = nil, is value: AttributeValue = .null
  ) throws -> [StoredObject] {
    var keys: [Int64]
    if let name {
      let qualifiedName = "\(entity).\(name)"
      if indexes[qualifiedName] == nil {
        indexes[qualifiedName] = try reader.keys(of: entity, by: name)
      }
      keys = indexes[qualifiedName]?[value.comparable] ?? []
    } else {
      keys = try reader.keys(of: entity)
    }
    let root = reader.model.rootName(of: entity)
    keys.removeAll { placeholders.has($0, root: root) }
    return try keys.compactMap { try reader.object($0, of: entity) }
  }

  func stand(in key: Int64, for object: StoredObject) {
    placeholders.add(
      object.entity, root: reader.model.rootName(of: object.entity), key: key,
      existing: object.key, attributes: object.attributes)
  }

  /// Notes which links of stand-ins are set and cleared again, from the first stand-in on.
  func noteReleases(in part: borrowing NewStore) throws(StoreError) {
    guard !notesReleases else { return }
    try part.noteReleases()
    notesReleases = true
  }

  func takeReleases(of part: borrowing NewStore) throws(StoreError) {
    if notesReleases { try placeholders.takeReleases(of: part) }
  }

  func isStandIn(_ key: Int64, of entity: String) -> Bool {
    placeholders.existing(key, root: reader.model.rootName(of: entity)) != nil
  }
}
