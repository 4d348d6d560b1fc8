/// The result of reading the bytes of a document.
struct SessionContents {
  var entries: [SessionEntry] = []
  /// One for each entry.
  var outputLocations: [OutputLocation] = []
  /// The blocks of commands of a notebook.
  var fences: [Fence] = []
  /// The lines of prose, by the number of entries before them.
  var prose: [Int: [String]] = [:]
  var marks = AnswerMarks()
  /// The ranges of the fingerprints of the answers: whole lines.
  var markRanges: [Range<Int>] = []

  /// Assigns the fingerprints to the entries.
  mutating func applyMarks() {
    for (index, digest) in marks.digests(of: entries).enumerated() {
      entries[index].digest = digest
    }
  }

  mutating func add(prose line: ArraySlice<UInt8>) {
    prose[entries.count, default: []].append(String(decoding: line, as: UTF8.self))
  }
}
