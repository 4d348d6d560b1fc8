/// One object of a ``KeyedArchive``: its class, and its values by key.
///
/// A value is stored in the object itself or behind a UID; the accessors follow one UID.
package struct ArchivedObject: Sendable {
  package let archive: KeyedArchive
  /// The UID, unique in the archive.
  package let index: Int

  /// The archived value: a string, a number or data as such, an object as a dictionary.
  package var value: PropertyList { archive.objects[index] }

  /// `$classname` of the object's class; `nil` for plain values.
  package var className: String? {
    guard case .uid(let type)? = value["$class"], archive.objects.indices.contains(type) else {
      return nil
    }
    return archive.objects[type]["$classname"]?.string
  }

  /// The object under a key; `nil` if the key is absent or null.
  package func object(_ key: String) throws(ArchiveError) -> ArchivedObject? {
    guard let entry = value[key] else { return nil }
    guard case .uid(let target) = entry else { return nil }
    return try archive.object(target)
  }

  /// The plain value under a key, inline or behind a UID.
  package func plain(_ key: String) throws(ArchiveError) -> PropertyList? {
    guard let entry = value[key] else { return nil }
    guard case .uid(let target) = entry else { return entry }
    return try archive.object(target)?.value
  }

  package func string(_ key: String) throws(ArchiveError) -> String? {
    guard let plain = try plain(key) else { return nil }
    if let text = plain.string { return text }
    // NSMutableString is archived as an object.
    return plain["NS.string"]?.string
  }

  package func integer(_ key: String) throws(ArchiveError) -> Int64? {
    guard let plain = try plain(key) else { return nil }
    return plain.integer
  }

  /// Core Data writes its Boolean keys only when they are true.
  package func flag(_ key: String) throws(ArchiveError) -> Bool {
    try plain(key)?.boolean ?? false
  }

  /// The elements of an archived array or set; none if the key is absent.
  package func elements(_ key: String) throws(ArchiveError) -> [ArchivedObject] {
    guard let container = try object(key) else { return [] }
    return try container.elements()
  }

  /// The elements of this archived array or set.
  ///
  /// - Throws: ``ArchiveError/unexpectedObject(wanted:found:)`` if this is no collection.
  package func elements() throws(ArchiveError) -> [ArchivedObject] {
    try members().compactMap { $0 }
  }

  /// The elements of this archived array or set, `nil` for each null of the archive.
  ///
  /// - Throws: As ``elements()``.
  package func members() throws(ArchiveError) -> [ArchivedObject?] {
    try follow(references())
  }

  /// The number of elements of this archived array or set; cheap.
  package func memberCount() throws(ArchiveError) -> Int { try references().count }

  private func references() throws(ArchiveError) -> [PropertyList] {
    guard let references = value["NS.objects"]?.array, value["NS.keys"] == nil else {
      throw .unexpectedObject(wanted: "a collection", found: className ?? value.kind)
    }
    return references
  }

  /// The entries of an archived dictionary, in the order of the archive; none if the key is absent.
  ///
  /// Both `NSDictionary` and Core Data's `NSKnownKeysDictionary1` are read; a slot of the latter that was never
  /// filled is skipped.
  package func entries(
    _ key: String
  ) throws(ArchiveError) -> [(key: String, value: ArchivedObject)] {
    guard let container = try object(key) else { return [] }
    return try container.entries()
  }

  /// The entries of this archived dictionary, in the order of the archive.
  ///
  /// - Throws: ``ArchiveError/unexpectedObject(wanted:found:)`` if this is none.
  package func entries() throws(ArchiveError) -> [(key: String, value: ArchivedObject)] {
    if let strategy = try object("searchMapping") {
      return try knownKeysEntries(strategy)
    }
    let (keys, values) = try pairs()
    return try Self.pair(keys, values)
  }

  /// The keys of this archived dictionary, of any type, and their values, in the order of the archive.
  ///
  /// - Throws: ``ArchiveError/unexpectedObject(wanted:found:)`` if this is none.
  package func pairs() throws(ArchiveError) -> (
    keys: [ArchivedObject?], values: [ArchivedObject?]
  ) {
    guard let keys = value["NS.keys"]?.array, let values = value["NS.objects"]?.array,
      keys.count == values.count
    else { throw .unexpectedObject(wanted: "a dictionary", found: className ?? value.kind) }
    return (try follow(keys), try follow(values))
  }

  private func knownKeysEntries(
    _ strategy: ArchivedObject
  ) throws(ArchiveError) -> [(key: String, value: ArchivedObject)] {
    let keys = try strategy.elements("keys")
    let values = try elements("values")
    return try Self.pair(keys, values).filter { $0.value.value.string != Self.emptySlot }
  }

  private static let emptySlot = "__empty_slot_token_4c24_98dc_ac1e_b773__"

  private static func pair(
    _ keys: [ArchivedObject?], _ values: [ArchivedObject?]
  ) throws(ArchiveError) -> [(key: String, value: ArchivedObject)] {
    var entries: [(key: String, value: ArchivedObject)] = []
    for (key, value) in zip(keys, values) {
      guard let value else { continue }
      guard let name = key?.value.string else {
        throw .unexpectedObject(wanted: "a string as key", found: key?.value.kind ?? "null")
      }
      entries.append((name, value))
    }
    return entries
  }

  private func follow(_ references: [PropertyList]) throws(ArchiveError) -> [ArchivedObject?] {
    var objects: [ArchivedObject?] = []
    for reference in references {
      guard case .uid(let target) = reference else {
        throw .unexpectedObject(wanted: "a reference", found: reference.kind)
      }
      objects.append(try archive.object(target))
    }
    return objects
  }
}
