import Foundation
import StrataBase
import StrataCommands

/// A temporary project of a test: a bundle `App.xcdatamodeld`, mapping models beside it, and stores.
package struct TemporaryProject {
  package let folder: TemporaryFolder
  package let session: TestSession

  /// A version: its entities with their attributes and types.
  package typealias Version = [String: [String: String]]

  package init(_ versions: [(name: String, entities: Version)]) throws {
    folder = try TemporaryFolder()
    for version in versions { try Self.write(version.entities, version.name, in: folder) }
    session = TestSession(in: folder)
    session("load App.xcdatamodeld")
  }

  /// Writes a version, or edits it.
  package func write(_ entities: Version, _ name: String) throws {
    try Self.write(entities, name, in: folder)
  }

  private static func write(_ entities: Version, _ name: String, in folder: TemporaryFolder) throws
  {
    let body = entities.sorted { $0.key < $1.key }.map { entity, attributes in
      "<entity name=\"\(entity)\">"
        + attributes.sorted { $0.key < $1.key }.map {
          "<attribute name=\"\($0.key)\" optional=\"YES\" attributeType=\"\($0.value)\"/>"
        }.joined() + "</entity>"
    }
    try folder.write(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\(body.joined())</model>",
      to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
  }

  /// Writes a mapping model in Xcode's form: one entity mapping a line, with what stands below it.
  package func map(
    _ name: String, _ source: String, _ destination: String, _ lines: [String],
    in place: String = "."
  ) throws {
    try text("scratch", source, destination, lines)
    let written = session("mapping write scratch.mapping \(place)/\(name).xcmappingmodel --force")
    try FileManager.default.removeItem(atPath: folder.path("scratch.mapping"))
    guard written.status == .done else { throw Unwritten(answer: "\(written)") }
  }

  /// Writes a mapping model as a text.
  package func text(
    _ name: String, _ source: String, _ destination: String, _ lines: [String]
  ) throws {
    let text = ["mapping from App/\(source) to App/\(destination)", ""] + lines
    try folder.write(text.joined(separator: "\n") + "\n", to: "\(name).mapping")
  }

  private struct Unwritten: Error {
    var answer: String
  }
}
