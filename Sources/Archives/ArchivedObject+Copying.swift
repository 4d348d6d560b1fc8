/// Copies an object out of a keyed archive: as a property list, or as a separate archive.
extension ArchivedObject {
  /// This object as a property list; `nil` if it is or contains an object that property lists cannot represent.
  ///
  /// - Parameter budget: How many values may still be created; long texts and data count as several. An archive may
  ///   refer to one array a million times.
  /// - Throws: ``ArchiveError``: damaged, cyclic, or beyond the budget.
  package func propertyList(budget: inout Int) throws(ArchiveError) -> PropertyList? {
    try propertyList(budget: &budget, depth: 0)
  }

  private func propertyList(
    budget: inout Int, depth: Int
  ) throws(ArchiveError) -> PropertyList? {
    guard depth < ArchiveLimits.depth else { throw .tooDeep(limit: ArchiveLimits.depth) }
    switch className {
    case "NSArray", "NSMutableArray":
      try spend(1 + memberCount(), of: &budget)
      var elements: [PropertyList] = []
      for member in try members() {
        guard let element = try member?.propertyList(budget: &budget, depth: depth + 1) else {
          return nil
        }
        elements.append(element)
      }
      return .array(elements)
    case "NSDictionary", "NSMutableDictionary":
      try spend(1 + (value["NS.keys"]?.array?.count ?? 0), of: &budget)
      var entries: [String: PropertyList] = [:]
      for (key, member) in try self.entries() {
        guard let entry = try member.propertyList(budget: &budget, depth: depth + 1) else {
          return nil
        }
        entries[key] = entry
      }
      return .dictionary(entries)
    default:
      guard let scalar = try scalar() else { return nil }
      try spend(1 + (scalar.string?.utf8.count ?? scalar.data?.count ?? 0) / 64, of: &budget)
      return scalar
    }
  }

  private func spend(_ amount: Int, of budget: inout Int) throws(ArchiveError) {
    budget -= amount
    guard budget >= 0 else {
      throw .tooLarge(what: "the size of shared values", limit: ArchiveLimits.sharedSize)
    }
  }

  /// A text, number, date or data, whatever class it was archived as; `nil` for any other object.
  package func scalar() throws(ArchiveError) -> PropertyList? {
    switch value {
    case .string, .integer, .largeInteger, .real, .boolean, .data, .date: return value
    case .dictionary: break
    case .null, .array, .uid: return nil
    }
    switch className {
    case "NSString", "NSMutableString": return try string("NS.string").map { .string($0) }
    case "NSData", "NSMutableData": return try plain("NS.data")?.data.map { .data($0) }
    case "NSDate":
      switch try plain("NS.time") {
      case .real(let seconds)?: return .date(seconds)
      case .integer(let seconds)?: return .date(Double(seconds))
      default: return nil
      }
    default: return nil
    }
  }

  /// This object, with everything it refers to, as a separate archive.
  ///
  /// - Throws: ``ArchiveError``: an invalid reference, or too large.
  package func archived() throws(ArchiveError) -> [UInt8] {
    var copy = ArchiveCopy(archive: archive)
    let root = try copy.reference(to: index)
    var objects: [PropertyList] = [.string("$null")]
    while objects.count <= copy.order.count {
      objects.append(try copy.moved(archive.objects[copy.order[objects.count - 1]]))
    }
    return PropertyList.dictionary([
      "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
      "$top": .dictionary(["root": root]), "$objects": .array(objects),
    ]).encoded()
  }
}

/// The objects that an object refers to, in the order in which they are found.
private struct ArchiveCopy {
  let archive: KeyedArchive
  private(set) var order: [Int] = []
  private var newIndices: [Int: Int] = [:]
  private var elementCount = 0

  init(archive: KeyedArchive) { self.archive = archive }

  mutating func reference(to index: Int) throws(ArchiveError) -> PropertyList {
    guard try archive.object(index) != nil else { return .uid(0) }
    if let known = newIndices[index] { return .uid(known) }
    order.append(index)
    newIndices[index] = order.count
    return .uid(order.count)
  }

  /// A value with the references of the copy; the reader has checked its depth.
  mutating func moved(_ value: PropertyList) throws(ArchiveError) -> PropertyList {
    elementCount += 1
    guard elementCount <= ArchiveLimits.listElementCount else {
      throw .tooLarge(what: "the number of elements", limit: ArchiveLimits.listElementCount)
    }
    switch value {
    case .uid(let index): return try reference(to: index)
    case .array(let elements):
      var moved: [PropertyList] = []
      for element in elements { moved.append(try self.moved(element)) }
      return .array(moved)
    case .dictionary(let entries):
      var moved: [String: PropertyList] = [:]
      for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
        moved[key] = try self.moved(entry)
      }
      return .dictionary(moved)
    default: return value
    }
  }
}
