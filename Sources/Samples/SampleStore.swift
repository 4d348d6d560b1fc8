package import StrataBase
internal import StrataObjectModel
internal import StrataStore

/// A small store of a sample model, with readable values and gaps in its keys.
///
/// ```swift
/// let kitchen = SampleStore.named("Kitchen")
/// try kitchen?.write(to: "kitchen.sqlite")  // the same bytes every time
/// ```
///
/// A missing key is that of a deleted object: Core Data does not assign it again.
package struct SampleStore: Sendable {
  /// The name after `sample:`; no sample model has it.
  package let name: String
  /// What is in it, in one line.
  package let summary: String
  /// The model that wrote it.
  package let sample: Sample
  package let version: String
  package let objects: [Object]
  /// The highest key that was assigned, by root entity, where the object with it was deleted.
  package let highestKeys: [String: Int64]

  /// An object: its attributes and the keys of its to-one relationships, by name.
  package struct Object: Sendable {
    package let entity: String
    package let key: Int64
    package let values: [String: AttributeValue]

    /// Values that are `nil` are omitted.
    init(_ entity: String, _ key: Int64, _ values: [String: AttributeValue?]) {
      self.entity = entity
      self.key = key
      self.values = values.compactMapValues(\.self)
    }
  }
}

extension SampleStore {
  /// All sample stores, simplest first.
  package static let all: [SampleStore] = [.kitchen, .phone, .fleet, .diary]

  /// The sample store with a name; the name is case-sensitive, as for models.
  package static func named(_ name: String) -> SampleStore? {
    all.first { $0.name == name }
  }

  /// Creates the store as a file.
  ///
  /// - Throws: ``StoreError``: the file already exists, or cannot be written.
  package func write(to path: String) throws {
    guard let model = try sample.bundle.version(named: version)?.read() else {
      preconditionFailure("\(sample.name) has no version \(version)")
    }
    var random = SeededRandom(seed: name)
    var store = try NewStore(path: path, model: model, uuid: random.uuidText())
    for object in objects {
      guard let shape = store.shape(of: object.entity),
        object.values.keys.allSatisfy({ shape.index(of: $0) != nil })
      else { preconditionFailure("\(name): \(object.entity) p\(object.key)") }
      let values = shape.names.map { object.values[$0] ?? .null }
      try store.insert(ObjectRow(key: object.key, values: values), of: object.entity)
    }
    for (entity, highest) in highestKeys {
      _ = store.takeKeys(Int(highest - store.nextKey(of: entity) + 1), of: entity)
    }
    try store.finish()
  }
}
