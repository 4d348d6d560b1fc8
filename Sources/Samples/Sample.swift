package import StrataObjectModel

/// A sample: a versioned model that is compiled into the program, to try things on without a file.
///
/// ```swift
/// let topics = Sample.named("Topics")
/// topics?.bundle.currentVersionName             // "Model5"
/// try topics?.bundle.version(named: "Model1")?.read().entities.count  // 2
/// ```
///
/// A sample's versions are the bytes of a `contents` file as Xcode writes it, so that they take the
/// same road as a model of one's own.
///
/// Source: facts on the demonstrations, sections 1 to 3. Every model is written for this project.
package struct Sample: Sendable {
  /// The name after `sample:`.
  package let name: String
  /// What the versions show, in one line.
  package let summary: String
  /// The versions; the bundle bears the sample's name.
  package let bundle: ModelBundle
  /// From version to version, in the order of their names.
  package let mappings: [SampleMapping]
  /// The policies that the mapping models name, as a policy file.
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
