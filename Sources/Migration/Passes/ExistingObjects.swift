internal import StrataBase
internal import StrataObjectModel
package import StrataSQLite
package import StrataStore

/// The objects of a store that grows, as the policies of a migration find them.
///
/// A manager of Core Data migrates into the store that is there: a policy that looks for an object finds those that
/// earlier mapping models created. Here an object that is found gets a stand-in in the new store, and when the new
/// objects are appended, links to the stand-in lead to the object itself.
package final class ExistingObjects {
  private let reader: StoreReader
  /// The keys of objects by the values of attributes that were asked for: `Entity.name`.
  private var indexes: [String: [AttributeValue: [Int64]]] = [:]
  package private(set) var standIns = StandIns()

  package init(_ reader: consuming StoreReader) {
    self.reader = reader
  }

  package func count(of entity: String) throws(StoreError) -> Int { try reader.count(of: entity) }

  package func checkUnchanged() throws(StoreError) { try reader.store.checkUnchanged() }

  /// The objects of an entity itself that have no stand-in yet; with a name, those with this value.
  func missing(
    of entity: String, where name: String? = nil, is value: AttributeValue = .null
  ) throws -> [StoredObject] {
    var keys: [Int64]
    if let name {
      let place = "\(entity).\(name)"
      if indexes[place] == nil { indexes[place] = try reader.keys(of: entity, by: name) }
      keys = indexes[place]?[value] ?? []
    } else {
      keys = try reader.keys(of: entity)
    }
    let root = reader.model.rootName(of: entity)
    keys.removeAll { standIns.has($0, root: root) }
    return try keys.compactMap { try reader.object($0, of: entity) }
  }

  func stand(in key: Int64, for object: StoredObject) {
    standIns.add(
      object.entity, root: reader.model.rootName(of: object.entity), key: key,
      existing: object.key, attributes: object.attributes)
  }

  func isStandIn(_ key: Int64, of entity: String) -> Bool {
    standIns.existing(key, root: reader.model.rootName(of: entity)) != nil
  }
}
