/// The location of a command's recorded output in the bytes of a document.
struct OutputLocation: Sendable {
  /// The range of the recorded lines with their line breaks, without blank lines after them. If nothing is
  /// recorded, an empty range after the command.
  var range: Range<Int>
  /// The index of the fence of the command's block, in a notebook.
  var fence: Int?
}
