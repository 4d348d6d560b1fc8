/// Where a command's recorded output stands in the bytes of a document.
struct OutputPlace: Sendable {
  /// The recorded lines with their line breaks, without blank lines after them; empty, below the
  /// command, where nothing is recorded.
  var range: Range<Int>
  /// The fence of the command's block, of a notebook.
  var fence: Int?
}
