/// The objects that an answer showed, which `_` means in the next line.
struct ShownObjects: Sendable, Hashable {
  var store = ""
  var entity = ""
  var keys: [Int64] = []
}
