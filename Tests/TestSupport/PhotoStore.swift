package import StrataBase
package import StrataObjectModel
import StrataStore

/// Stores whose objects have data too large for their rows.
package enum PhotoStore {
  package static func model() throws -> ObjectModel {
    var photo = Entity(name: "Photo")
    photo.attributes = [
      Attribute(name: "title", type: .string, isOptional: true),
      Attribute(name: "data", type: .binary, isOptional: true),
    ]
    photo.attributes[1].allowsExternalBinaryStorage = true
    return try ObjectModel(ModelDocument(entities: [photo]))
  }

  package static func image(_ number: Int) -> [UInt8] {
    (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
  }

  package static func write(_ images: [Int], to path: String, replacing: String? = nil) throws {
    var store = try NewStore(
      path: path, replacing: replacing, model: model(),
      uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    for image in images {
      _ = try store.insert(
        "Photo", attributes: ["title": .text("\(image)"), "data": .bytes(Self.image(image))])
    }
    try store.finish()
  }

  /// The data of all objects, in the order of their keys.
  package static func read(_ path: String) throws -> [AttributeValue] {
    let reader = try StoreReader(SQLiteStore(reading: path), model: model())
    let index = reader.shape(of: "Photo")?.index(of: "data") ?? 0
    var found: [AttributeValue] = []
    try reader.forEachRow(of: "Photo") { found.append($0.values[index]) }
    return found
  }
}
