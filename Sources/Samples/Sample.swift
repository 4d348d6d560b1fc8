internal import StrataBase
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
  ///   - versions: The `contents` file of each version, under the version's name.
  ///   - current: The name of the current version.
  ///   - mappings: The names of the mapping models; each is a file of its name.
  ///   - policies: The file of policies, if it has any.
  ///   - stages: The file of stages, if it has any.
  init(
    name: String, summary: String, versions: KeyValuePairs<String, String>, current: String,
    mappings: [String] = [], policies: String? = nil, stages: String? = nil
  ) {
    self.init(
      name: name, summary: summary,
      bundle: ModelBundle(
        name: name,
        versions: versions.map { name, file in
          ModelVersion(name: name, source: .embedded(Array(ProgramText.text(of: file).utf8)))
        },
        currentVersionName: current),
      mappings: mappings.map {
        SampleMapping(name: $0, text: ProgramText.text(of: "\($0).mapping"))
      },
      policies: policies.map(ProgramText.text(of:)) ?? "",
      stages: stages.map(ProgramText.text(of:)) ?? "")
  }
}
