package import StrataBase

/// Why a mapping model cannot be read or written: facts only; the words are in
/// `MappingError+Diagnostic.swift`.
package enum MappingError: Error, Hashable, Sendable {
  /// The document is of another kind, and what was found.
  case notAMappingModel(found: String)
  /// An archive or document with something else where a part of a mapping model belongs.
  case malformed(String, mapping: String?)
  /// An expression that cannot be read, of an entity mapping's property.
  case badExpression(String, place: String, reason: String)
  /// A part of an `.xcmappingmodel` that is an archive of its own, and what is wrong with it.
  case badPart(String, Diagnostic)
  case duplicateName(String)
  /// More of something than any real mapping model has.
  case tooMany(String, limit: Int)

  /// An `.xcmappingmodel` gives every entity mapping the name of its entities.
  case nameNotKept(String, wouldBe: String)
  /// The expression has a form that no real archive shows.
  case expressionNotKept(String, place: String)
  /// What an `.xcmappingmodel` has no place for.
  case notKept(String, mapping: String)
}
