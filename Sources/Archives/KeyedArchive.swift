/// A keyed archive: a property list whose `$objects` refer to one another by UID.
///
/// The graph may be cyclic (an entity knows its properties, a property its entity), so nothing is decoded in
/// advance: an ``ArchivedObject`` is a reference into the archive, and its reader decides how far to follow
/// references.
///
/// ```swift
/// let archive = try KeyedArchive(reading: FileBytes.read("App.mom"))
/// try archive.root().className  // "NSManagedObjectModel"
/// ```
package struct KeyedArchive: Sendable {
  let objects: [PropertyList]
  private let top: [String: PropertyList]

  /// - Throws: ``ArchiveError``: not a property list, or one without the keys of a keyed archive.
  package init(reading bytes: [UInt8]) throws(ArchiveError) {
    let plist = try PropertyList(reading: bytes)
    guard let objects = plist["$objects"]?.array else {
      throw .notAKeyedArchive(missing: "$objects")
    }
    guard let top = plist["$top"]?.dictionary else { throw .notAKeyedArchive(missing: "$top") }
    self.objects = objects
    self.top = top
  }

  /// The archived root object.
  ///
  /// - Parameter key: The key in `$top`.
  package func root(_ key: String = "root") throws(ArchiveError) -> ArchivedObject {
    guard case .uid(let index)? = top[key], let root = try object(index) else {
      throw .notAKeyedArchive(missing: "the \(key) object")
    }
    return root
  }

  /// The object with this UID; `nil` for the archive's null.
  func object(_ index: Int) throws(ArchiveError) -> ArchivedObject? {
    guard objects.indices.contains(index) else {
      throw .outOfRange(what: "UID", value: index, count: objects.count)
    }
    return objects[index] == .string("$null") ? nil : ArchivedObject(archive: self, index: index)
  }
}
