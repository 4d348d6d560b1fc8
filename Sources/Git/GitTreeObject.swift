internal import StrataBase

/// A tree object: the entries of one folder.
///
/// Shape of the object: `<octal mode> SP <name> NUL <20 or 32 bytes of the id>` for each entry, in byte order of the
/// names, where the name of a folder is compared as if it ended with a slash.
///
/// Source: gitformat-pack(5) and observed in repositories of git 2.39.
struct GitTreeObject: Sendable {
  struct Entry: Sendable {
    var name: String
    /// Whether the name is valid UTF-8.
    var isExact: Bool
    var kind: GitEntry.Kind
    var id: GitObjectID
  }

  var entries: [Entry] = []

  /// - Throws: ``GitError/malformedObject(_:reason:)``, ``GitError/hostilePath(_:)``.
  init(reading bytes: [UInt8], id: GitObjectID) throws {
    var rest = bytes[...]
    var names: Set<ExactText> = []
    while !rest.isEmpty {
      let entry = try Self.entry(from: &rest, of: id)
      if GitName.isHostile(entry.name) { throw GitError.hostilePath(entry.name) }
      guard names.insert(ExactText(entry.name)).inserted || !entry.isExact else {
        throw GitError.malformedObject(id, reason: "two entries have the same name")
      }
      entries.append(entry)
    }
    // Some tools have written trees in another order.
    if !zip(entries, entries.dropFirst()).allSatisfy(Self.precedes) {
      entries.sort(by: Self.precedes)
    }
  }

  private static func entry(
    from rest: inout ArraySlice<UInt8>, of id: GitObjectID
  ) throws -> Entry {
    guard let space = rest.prefix(8).firstIndex(of: UInt8(ascii: " ")),
      let end = rest[space...].firstIndex(of: 0)
    else { throw GitError.malformedObject(id, reason: "an entry has no end") }
    let mode = String(decoding: rest[..<space], as: UTF8.self)
    guard let kind = GitEntry.Kind(mode: mode) else {
      throw GitError.malformedObject(id, reason: "an entry has the unknown mode \(mode)")
    }
    let (name, isExact) = GitName.text(rest[(space + 1)..<end])
    let hash = rest[(end + 1)...].prefix(id.bytes.count)
    guard hash.count == id.bytes.count, let entryID = GitObjectID(bytes: hash) else {
      throw GitError.malformedObject(id, reason: "the id of an entry is truncated")
    }
    rest = rest[hash.endIndex...]
    return Entry(name: name, isExact: isExact, kind: kind, id: entryID)
  }

  private static func precedes(_ a: Entry, _ b: Entry) -> Bool {
    func key(_ entry: Entry) -> String { entry.kind == .folder ? "\(entry.name)/" : entry.name }
    return key(a).utf8.lexicographicallyPrecedes(key(b).utf8)
  }
}
