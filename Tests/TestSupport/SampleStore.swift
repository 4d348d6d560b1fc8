import Foundation
import StrataBase
package import StrataObjectModel
import StrataSamples
package import StrataStore

/// Stores of the sample models, made by the project's own writer.
package enum SampleStore {
  package static func model(_ sample: String, _ version: String) throws -> ObjectModel {
    guard let found = Sample.named(sample)?.bundle.version(named: version) else {
      throw StoreFixture.Failure(message: "no sample \(sample)/\(version)")
    }
    return try found.read()
  }

  /// A store of Topics Model1: two lists, three topics, one of them in no list.
  ///
  /// - Parameter version: What the store seems to be made by; before 637 it keeps no model.
  package static func topics(at path: String, version: FrameworkVersion = .newest) throws {
    let model = try model("Topics", "Model1")
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    var store = try NewStore(
      path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000001", version: version)
    let first = try store.insert("TopicList", attributes: ["title": .text("Talks")])
    let second = try store.insert("TopicList", attributes: ["title": .text("Löcher 🎈")])
    let list = try required(model.relationship("topicList", of: "Topic"))
    for (content, presenter, owner) in [
      ("How migrations work", "Alesha", first.key), ("Hashes", "Ben", second.key),
      ("Alone", "Cleo", nil),
    ] {
      let topic = try store.insert(
        "Topic",
        attributes: [
          "content": .text(content), "presenterName": .text(presenter), "dateCreated": .real(1.5),
        ])
      if let owner { try store.connect(list, of: topic.key, to: [owner]) }
    }
    try store.finish()
  }

  private static func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw StoreFixture.Failure(message: "missing") }
    return value
  }
}
