/// What a reader found in the bytes of a document.
struct SessionContents {
  var entries: [SessionEntry] = []
  /// As many as entries.
  var places: [OutputPlace] = []
  /// The blocks of commands, of a notebook.
  var fences: [Fence] = []
  /// The lines of prose, by the number of entries before them.
  var words: [Int: [String]] = [:]
  var marks = AnswerMarks()
  /// Where the fingerprints of the answers stand: whole lines.
  var marksPlaces: [Range<Int>] = []

  /// Gives the entries their fingerprints.
  mutating func applyMarks() {
    for index in entries.indices { entries[index].digest = marks[entries[index]] }
  }

  mutating func add(word line: ArraySlice<UInt8>) {
    words[entries.count, default: []].append(String(decoding: line, as: UTF8.self))
  }
}
