import Foundation
import StrataArchives
import StrataBase
import StrataObjectModel
import TestSupport
import Testing

@Suite("Version hashes of real models", .needsCorpus)
struct ModelHashTests {
  @Test("every XML model hashes as Core Data hashed it")
  func everyXMLModel() throws {
    var checked = 0
    for (path, expected) in try Corpus.expectedHashes() where Corpus.exists(path + "/contents") {
      let model = try ModelVersion(name: path, source: .file(Corpus.path(path))).read()
      #expect(model.versionHashes().mapValues(\.hex) == expected, "\(path)")
      checked += 1
    }
    #expect(checked >= 257, "the corpus holds 257 XML models with expected hashes")
  }

  @Test(
    "the binary models of Xcode 3 and 4 hash as expected, and are converted to XML without loss")
  func oldModels() throws {
    var checked = 0
    for (path, expected) in try Corpus.expectedHashes() where Corpus.exists(path + "/elements") {
      let model = try ModelVersion(name: path, source: .file(Corpus.path(path))).read()
      #expect(model.versionHashes().mapValues(\.hex) == expected, "\(path)")
      let converted = try ModelDocument(reading: model.document.encodedXML())
      #expect(converted == model.document, "\(path)")
      checked += 1
    }
    #expect(checked >= 11, "the corpus holds 11 models in this format")
  }

  @Test(
    "a model is written as Xcode wrote it, and reads again with the same content and hashes",
    .part(3))
  func roundTrip() throws {
    for (path, expected) in try Corpus.expectedHashes() where Corpus.exists(path + "/contents") {
      let bytes = try FileBytes.read(Corpus.path(path + "/contents"))
      let document = try ModelDocument(reading: bytes)
      let written = document.encodedXML()
      let again = try ModelDocument(reading: written)
      // Three of them end in a line feed that Xcode never writes.
      let original = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
      #expect(written[...] == original, "\(path)")
      #expect(again == document, "\(path)")
      #expect(again.encodedXML() == written, "\(path): the second writing changes a byte")
      #expect(try ObjectModel(again).versionHashes().mapValues(\.hex) == expected, "\(path)")
    }
  }

  @Test("a model that is written unchanged keeps every byte")
  func bytes() throws {
    var checked = 0
    for path in try Corpus.expectedHashes().keys where Corpus.exists(path + "/contents") {
      let model = try ModelVersion(name: path, source: .file(Corpus.path(path))).read()
      let written = try ModelFolderWriter.contents(of: model.document, writtenTo: path)
      #expect(try written == FileBytes.read(Corpus.path(path + "/contents")), "\(path)")
      checked += 1
    }
    #expect(checked >= 257)
  }

  @Test("a compiled bundle says what its versions are", arguments: CompiledModelTests.bundles)
  func versionInfo(path: String) throws {
    let bundle = try ModelBundle(path: Corpus.path(path))
    let models = try bundle.versions.map { (name: $0.name, model: try $0.read()) }
    #expect(bundle.versionInfoWarnings(models) == [])
    #expect(bundle.versionInfoWarnings(models.map { ("other", $0.model) }).count == models.count)
  }

  @Test(
    "the models that newer systems archived in their stores hash as those stores say",
    .needsArchivedModels,
    arguments: ["ChatModel", "Photos-10.15.7", "Photos-13.0.1", "Photos-15.7.1"])
  func archivedModels(name: String) throws {
    let cache = try FileBytes.read(Corpus.path("archived-models/\(name).modelcache.deflate"))
    let metadata = try PropertyList(
      reading: FileBytes.read(Corpus.path("archived-models/\(name).metadata.plist")))
    let model = try ObjectModel(ModelDocument(reading: Deflate.expand(cache)))
    let hashes = model.versionHashes()
    let expected = metadata["NSStoreModelVersionHashes"]?.dictionary ?? [:]
    #expect(!expected.isEmpty)
    #expect(Set(hashes.keys) == Set(expected.keys))
    for (entity, hash) in expected {
      #expect(hashes[entity] == hash.data.flatMap { VersionHash(bytes: $0) }, "\(entity)")
    }
    if let digest = metadata["NSStoreModelVersionHashesDigest"]?.string {
      #expect(hashes.versionDigest == digest)
    }
    if let checksum = metadata["NSStoreModelVersionChecksumKey"]?.string {
      #expect(hashes.versionChecksum == checksum)
    }
  }
}
