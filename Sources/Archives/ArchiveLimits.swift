/// Limits of the readers of this module; a file beyond a limit is refused.
///
/// Each limit lies far above what any real file needs (the largest known compiled model has 30,000
/// objects and nests 6 deep) and far below what would cost memory or time.
package enum ArchiveLimits {
  /// Bytes of a file that is read as a whole.
  package static let fileSize = 256 << 20
  /// Bytes that a compressed stream may expand to.
  package static let inflatedSize = 64 << 20
  /// Objects in a property list.
  package static let objectCount = 500_000
  /// Bytes of shared long strings and data in a property list, counted for each reference: a reader of the list
  /// writes them out each time.
  package static let sharedSize = 16 << 20
  /// Nesting depth of values.
  package static let depth = 128
  /// Nesting depth of elements in an XML document.
  package static let elementDepth = 64
  /// Elements in an XML document.
  package static let elementCount = 500_000
  /// Elements in all containers of a property list together. The model editor's own archive of a model has
  /// some 600 for each attribute.
  package static let listElementCount = 2_000_000
}
