/// What a reader found in the bytes of a document.
struct SessionContents {
  var entries: [SessionEntry] = []
  /// As many as entries.
  var places: [OutputPlace] = []
  /// The blocks of commands, of a notebook.
  var fences: [Fence] = []
}
