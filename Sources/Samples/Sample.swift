package import StrataObjectModel

/// A versioned model that is built into the program, for use without a file.
///
/// ```swift
/// let topics = Sample.named("Topics")
/// topics?.bundle.currentVersionName             // "Model5"
/// try topics?.bundle.version(named: "Model1")?.read().entities.count  // 2
/// ```
///
/// The versions of a sample are the bytes of a `contents` file as written by Xcode, so that they are read
/// like any other model.
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
  ///   - versions: The text of the `contents` file under each version's name.
  ///   - current: The name of the current version.
  init(
    name: String, summary: String, versions: KeyValuePairs<String, String>, current: String,
    mappings: [SampleMapping] = [], policies: String = "",
    stages: String = ""
  ) {
    self.init(
      name: name, summary: summary,
      bundle: ModelBundle(
        name: name,
        versions: versions.map { version, contents in
          ModelVersion(name: version, source: .embedded(Array(contents.utf8)))
        },
        currentVersionName: current), mappings: mappings, policies: policies,
      stages: stages)
  }
}
