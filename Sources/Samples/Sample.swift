package import StrataObjectModel

/// A versioned model that is built into the program, for use without a file.
///
/// ```swift
/// let topics = Sample.named("Topics")
/// topics?.bundle.currentVersionName             // "Model5"
/// try topics?.bundle.version(named: "Model1")?.read().entities.count  // 2
/// ```
///
/// The versions of a sample are `contents` files as Xcode writes them, so that they are read like any other model; they
/// and the mapping models, policies and stages are in the folder `Files`.
///
/// Source: `Docs/Facts/samples.md`, sections 1 to 4. Every model is written for this project.
package struct Sample: Sendable {
  /// The name after `sample:`.
  package let name: String
  /// The changes between the versions, in one line.
  package let summary: String
  /// The versions; the bundle has the name of the sample.
  package let bundle: ModelBundle
  /// The mapping models between the versions, sorted by name.
  package let mappings: [SampleMapping]
  /// The policies of the mapping models, as a policy file.
  package let policies: String
  /// The stages of a staged migration through its versions.
  package let stages: String

  package func mapping(named name: String) -> SampleMapping? {
    mappings.first { $0.name == name }
  }
}

extension Sample {
  /// - Parameters:
  ///   - versions: The `contents` file under each version's name.
  ///   - current: The name of the current version.
  ///   - mappings: The mapping models under their names.
  init(
    name: String, summary: String, versions: KeyValuePairs<String, [UInt8]>, current: String,
    mappings: KeyValuePairs<String, [UInt8]> = [:], policies: [UInt8] = [], stages: [UInt8] = []
  ) {
    self.init(
      name: name, summary: summary,
      bundle: ModelBundle(
        name: name,
        versions: versions.map { ModelVersion(name: $0, source: .embedded($1)) },
        currentVersionName: current),
      mappings: mappings.map {
        SampleMapping(name: $0, text: String(decoding: $1, as: UTF8.self))
      },
      policies: String(decoding: policies, as: UTF8.self),
      stages: String(decoding: stages, as: UTF8.self))
  }
}
