import StrataBase
import StrataObjectModel
import StrataSamples
import Testing

@Suite("Samples")
struct SampleTests {
  @Test("every version of every sample is read and written byte for byte")
  func everyVersion() throws {
    #expect(Sample.all.map(\.name) == ["FirstTopics", "Topics", "Recipes", "Flight", "Journeys"])
    for sample in Sample.all {
      #expect(sample.bundle.currentVersion != nil)
      for version in sample.bundle.versions {
        guard case .embedded(let bytes) = version.source else {
          Issue.record("\(version.name) is not embedded")
          continue
        }
        let document = try ModelDocument(reading: bytes)
        #expect(
          String(decoding: document.encodedXML(), as: UTF8.self)
            == String(decoding: bytes, as: UTF8.self))
        #expect(document.versionIdentifiers == [version.name])
        _ = try ObjectModel(document)
      }
    }
  }

  @Test("the Topics versions have the hashes of the presentation's own files")
  func topics() throws {
    let expected: [(String, String, String)] = [
      ("Model1", "Topic", "cb75b3e2fa30458cd4538d5aa54e84a2248bed5164a021f8f507608b08d6d89c"),
      ("Model2", "Topic", "5db58c25cab3738ee0f5b6df5cc413bda61d26f994ee78426a8742cb63dd5e65"),
      ("Model3", "Topic", "5ad8cc59ca5dadaaf797315f088d9f1a3fe2e459c40b397b4831ea6aa6985f7b"),
      ("Model4", "Topic", "c9dd736b6a40d5ffd06f943b1658a175f0b039a34f389ff61be5f08d8e4c49e9"),
      ("Model5", "Topic", "847159aa079b805c1154fe969891ce6610a9dfd1153a31438c6ce8c2a33a30bc"),
      ("Model4", "TopicList", "4927b7d17bba6dd7ebac5de5285be4714f0392ceabde13628120105153e8f347"),
      ("Model5", "TopicList", "8f415f93f8c7a85ec77dbc5890e3e7196e16eb020edca1b06b1ee0e7b19a69a6"),
      ("Model5", "Member", "82962fd56a377899f34e0f3c9e9df1dd9515b0183c9b7114c2d0a4b707df48bd"),
    ]
    let bundle = try #require(Sample.named("Topics")).bundle
    for (version, entity, hash) in expected {
      let model = try #require(bundle.version(named: version)).read()
      #expect(model.versionHashes()[entity]?.hex == hash, "\(version) \(entity)")
    }
  }

  @Test("the first demonstration has the hashes printed on its slides")
  func firstTopics() throws {
    let bundle = try #require(Sample.named("FirstTopics")).bundle
    let hashes = try #require(bundle.version(named: "Model1")).read().versionHashes()
    #expect(
      hashes["Topic"]?.hex == "698da797f6cf0f5639f882fab3fbe868bc8ac1428f571ce2e2a2eb4e641dbc75")
    #expect(
      hashes["TopicList"]?.hex == "4927b7d17bba6dd7ebac5de5285be4714f0392ceabde13628120105153e8f347"
    )
  }
}
