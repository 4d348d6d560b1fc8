/// Preserved XML attributes, by name.
///
/// Nearly every property of a model has two or three: for so few, a sorted list uses a third of a dictionary's
/// memory.
///
/// ```swift
/// KeptXMLAttributes(["syncable": "YES"])["syncable"]  // "YES"
/// ```
package struct KeptXMLAttributes: Sendable, Hashable {
  private struct Entry: Sendable, Hashable {
    var name: String
    var value: String
  }

  private var entries: [Entry]

  package init(_ attributes: some Sequence<(key: String, value: String)>) {
    entries = attributes.map { Entry(name: $0.key, value: $0.value) }
    entries.sort { $0.name < $1.name }
  }

  package init() {
    entries = []
  }

  /// The names, sorted.
  package var names: [String] { entries.map(\.name) }

  /// The value of an attribute; setting `nil` removes the attribute.
  package subscript(name: String) -> String? {
    get {
      let index = insertionIndex(of: name)
      return index < entries.endIndex && entries[index].name == name ? entries[index].value : nil
    }
    set {
      let index = insertionIndex(of: name)
      let isKnown = index < entries.endIndex && entries[index].name == name
      if let newValue {
        let entry = Entry(name: name, value: newValue)
        entries.replaceSubrange(index..<(isKnown ? index + 1 : index), with: CollectionOfOne(entry))
      } else if isKnown {
        entries.remove(at: index)
      }
    }
  }

  /// The index of the first name that does not precede `name`.
  private func insertionIndex(of name: String) -> Int {
    var (low, high) = (entries.startIndex, entries.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
