import Foundation
import StrataArchives
import StrataObjectModel
import TestSupport
import Testing

@Suite("Compiled models of real apps", .needsCorpus)
struct CompiledModelTests {
  static let bundles = [
    "cartkit/Sources/CartKitStorageCoreData/Resources/CartStorage.momd",
    "coredataplus-sample/Tests/Resources/SampleModel/Fixtures/SampleModel.momd",
    "coredataplus-staged/Tests/Resources/SampleModel3/Fixtures/SampleModel3.momd",
  ]

  @Test("a .momd lists and hashes its versions as its compiler did", arguments: bundles)
  func compiledBundle(path: String) throws {
    let bundle = try ModelBundle(path: Corpus.path(path))
    let info = try VersionInfo(
      PropertyList(reading: FileBytes.read(Corpus.path(path + "/VersionInfo.plist"))))
    #expect(bundle.warnings.isEmpty)
    #expect(bundle.currentVersionName == info.currentVersionName)
    #expect(Set(bundle.versions.map(\.name)) == Set(info.versionHashes.keys))
    for version in bundle.versions {
      let hashes = try version.read().versionHashes()
      #expect(hashes == info.versionHashes[version.name], "\(version.name)")
      if !info.versionChecksums.isEmpty {
        #expect(hashes.versionChecksum == info.versionChecksums[version.name])
      }
    }
  }

  @Test("a compiled model equals the source it was compiled from")
  func sourceTwins() throws {
    let folder = "coredataplus-sample/Tests/Resources/SampleModel"
    let compiled = try ModelBundle(path: Corpus.path("\(folder)/Fixtures/SampleModel.momd"))
    let source = try ModelBundle(path: Corpus.path("\(folder)/SampleModel.xcdatamodeld"))
    #expect(source.versions.map(\.name) == compiled.versions.map(\.name))
    for (one, other) in zip(source.versions, compiled.versions) {
      #expect(try one.read().difference(from: other.read()).isCompatible, "\(one.name)")
    }
  }

  @Test("a compiled model written as XML and read again has the same content and hashes")
  func roundTrip() throws {
    let models =
      try Self.bundles.flatMap { try ModelBundle(path: Corpus.path($0)).versions } + [
        ModelVersion(
          name: "docSet",
          source: .file(
            Corpus.path(
              "baseten-docset/Documentation/html/fi.karppinen.BaseTen.docset/Contents/Resources/docSet.mom"
            )))
      ]
    for version in models {
      let model = try version.read()
      let written = model.document.encodedXML()
      let again = try ModelDocument(reading: written)
      #expect(again == model.document, "\(version.name)")
      #expect(again.encodedXML() == written, "\(version.name): the second writing changes a byte")
      #expect(try ObjectModel(again).versionHashes() == model.versionHashes(), "\(version.name)")
    }
  }
}
