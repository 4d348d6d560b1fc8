/// A set of primary keys, as one bit for each key, since keys are dense.
struct KeySet {
  private var words: [UInt64] = []
  private(set) var count = 0
  /// Whether it contains all keys.
  private(set) var isAll = false
  /// The keys removed from a set of all keys.
  private var removed: Set<Int64> = []

  mutating func insertAll() { (isAll, removed) = (true, []) }

  mutating func insert(_ key: Int64) {
    guard key >= 0, key < Self.limit else { return }
    let (word, bit) = (Int(key >> 6), UInt64(1) << UInt64(key & 63))
    if word >= words.count {
      words += repeatElement(0, count: word + 1 - words.count)
    }
    if words[word] & bit == 0 { count += 1 }
    words[word] |= bit
    removed.remove(key)
  }

  mutating func remove(_ key: Int64) {
    if isAll { removed.insert(key) }
    let (word, bit) = (Int(key >> 6), UInt64(1) << UInt64(key & 63))
    guard key >= 0, word < words.count, words[word] & bit != 0 else { return }
    words[word] &= ~bit
    count -= 1
  }

  func contains(_ key: Int64) -> Bool {
    if isAll { return !removed.contains(key) }
    let word = Int(key >> 6)
    return key >= 0 && word < words.count && words[word] & UInt64(1) << UInt64(key & 63) != 0
  }

  /// The number of keys that are also in another set.
  func count(in other: KeySet) -> Int {
    if other.isAll { return count - other.removed.count(where: contains) }
    return zip(words, other.words).reduce(0) { $0 + ($1.0 & $1.1).nonzeroBitCount }
  }

  /// The number of keys that are also in another set, if there are so many keys in all.
  func count(in other: KeySet, ofAll total: Int) -> Int {
    guard isAll else { return count(in: other) }
    return other.isAll
      ? total - removed.union(other.removed).count
      : other.count - removed.count(where: other.contains)
  }

  mutating func formUnion(_ other: KeySet) {
    let missing = (isAll ? removed : other.removed).filter { !contains($0) && !other.contains($0) }
    removed = isAll || other.isAll ? missing : []
    isAll = isAll || other.isAll
    if other.words.count > words.count {
      words += repeatElement(0, count: other.words.count - words.count)
    }
    for (index, word) in other.words.enumerated() {
      count += (word & ~words[index]).nonzeroBitCount
      words[index] |= word
    }
  }

  /// The maximum number of keys: no store has more rows, and one bit for each takes 128 MB.
  private static let limit: Int64 = 1 << 30
}
