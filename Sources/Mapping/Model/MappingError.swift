package import StrataBase

/// An error when reading or writing a mapping model; the messages are in `MappingError+Diagnostic.swift`.
package enum MappingError: Error, Hashable, Sendable {
  /// The document is of another kind; what was found.
  case notAMappingModel(found: String)
  /// An archive or document with an unexpected object.
  case malformed(String, mapping: String?)
  /// An invalid expression of a property mapping.
  case badExpression(String, element: String, reason: String)
  /// An error in an archive inside an `.xcmappingmodel`.
  case badPart(String, Diagnostic)
  case duplicateName(String)
  /// A limit that no known mapping model exceeds.
  case tooMany(String, limit: Int)

  /// A custom entity mapping name, which an `.xcmappingmodel` cannot store.
  case nameNotKept(String, wouldBe: String)
  /// An expression with an unknown archive format.
  case expressionNotKept(String, element: String)
  /// A part that an `.xcmappingmodel` cannot store.
  case notKept(String, mapping: String)
  /// Several parts that an `.xcmappingmodel` cannot store.
  case severalNotKept([MappingError])
}
