import StrataArchives
import StrataMapping

extension FuzzTarget {
  /// An archive within Xcode's mapping document, which of its places the first byte says: what is printed of the
  /// mapping model reads as the same.
  static func readXcodeMapping(_ bytes: [UInt8]) throws {
    guard let first = bytes.first, var database = soundMapping else { return }
    let place = archivePlaces[Int(first) % archivePlaces.count]
    database.objects[place.object].attributes[place.attribute] = XMLDatabase.Attribute(
      name: database.objects[place.object].attributes[place.attribute].name,
      bytes: Array(bytes.dropFirst()))
    try checkPrinted(MappingDocument(reading: database.encoded()).mapping)
  }

  private static let soundMapping = try? XMLDatabase(reading: SoundFiles.bytes("xcmapping.xml"))

  /// Where the document holds archives, in its order.
  private static let archivePlaces: [(object: Int, attribute: Int)] =
    soundMapping.map { database in
      database.objects.enumerated().flatMap { object, found in
        found.attributes.indices.filter { found.attributes[$0].type == "binary" }.map {
          (object, $0)
        }
      }
    } ?? []
}
