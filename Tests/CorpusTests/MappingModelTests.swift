import Foundation
import StrataArchives
import StrataMapping
import StrataObjectModel
import TestSupport
import Testing

@Suite("Real mapping models", .enabled(if: Corpus.isPresent))
struct MappingModelTests {
  static let sources = Corpus.files(named: "xcmapping.xml").map { Corpus.path($0) }

  private static func read(_ path: String) throws -> MappingDocument {
    try MappingDocument(reading: FileBytes.read(path))
  }

  @Test("an .xcmappingmodel and its compiled twin are the same mapping model")
  func twins() throws {
    let folder = Corpus.path("coredataplus-sample/Tests/Resources/SampleModel")
    let source = try Self.read("\(folder)/MappingModels/V2toV3.xcmappingmodel/xcmapping.xml")
    let compiled = try Self.read("\(folder)/Fixtures/V2toV3.cdm")
    #expect(source.mapping.entityMappings.count == 5)
    #expect(source.mapping.entityMappings.map(\.name) == compiled.mapping.entityMappings.map(\.name))
    for (left, right) in zip(source.mapping.entityMappings, compiled.mapping.entityMappings) {
      #expect(left == right, "\(left.name)")
    }
  }

  @Test("the models inside have the hashes of the versions that they were made for", arguments: sources)
  func embedded(path: String) throws {
    let document = try Self.read(path)
    let expected = try Corpus.expectedHashes()
    for (model, place) in [
      (document.sourceModel, document.sourcePath), (document.destinationModel, document.destinationPath),
    ] {
      let hashes = try #require(model).versionHashes().mapValues(\.hex)
      let name = try #require(place).split(separator: "/").last.map(String.init) ?? ""
      let known = expected.filter { $0.key.hasSuffix("/" + name) }
      #expect(known.contains { $0.value == hashes }, "\(name)")
    }
  }

  @Test("read, printed, written and read again: the same", arguments: sources)
  func roundTrip(path: String) throws {
    let document = try Self.read(path)
    let text = MappingText(document.mapping).text
    #expect(try MappingScript(parsing: text).mapping == document.mapping, "\(text)")
    let written = try document.xcodeDocument(uuid: "00000000-0000-0000-0000-000000000000")
    let again = try MappingDocument(reading: written.encoded())
    #expect(again.mapping == document.mapping)
    #expect(again.sourceModel?.versionHashes() == document.sourceModel?.versionHashes())
  }
}
