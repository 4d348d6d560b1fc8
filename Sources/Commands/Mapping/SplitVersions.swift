internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel

/// The versions of a split, with their names: a version that the bundle already has keeps its name.
struct SplitVersions {
  struct Version {
    var name: String
    var step: VersionChain.Step
    /// Whether the bundle already has the version, with the same renaming identifiers.
    var isThere: Bool
  }

  let versions: [Version]
  /// The destination, if the bundle has it without the renaming identifiers of the last step.
  let outdated: String?

  var names: [String] { versions.map(\.name) }
  /// The versions that are still to be written.
  var missing: [Version] { versions.filter { !$0.isThere } }

  /// - Parameters:
  ///     - old: The name of the source version.
  ///     - new: The name of the last version, if the bundle does not have it.
  ///   - known: The versions of the bundle.
  init(_ chain: VersionChain, between old: String, and new: String, among known: [NamedModel]) {
    var usedNames = Set(known.map(\.name)).union([old])
    var versions: [Version] = []
    var outdated: String?
    for (index, step) in chain.steps.enumerated() {
      let isLast = index == chain.steps.count - 1
      if let same = known.first(where: { $0.name != old && step.model.isSameVersion(as: $0.model) })
      {
        versions.append(Version(name: same.name, step: step, isThere: true))
        continue
      }
      if !isLast { usedNames.insert(new) }
      let name = isLast && new != old ? new : Self.free(after: old, besides: usedNames)
      let hashes = step.model.versionHashes()
      if isLast, known.contains(where: { $0.name == name && $0.model.versionHashes() == hashes }) {
        outdated = name
      }
      usedNames.insert(name)
      versions.append(Version(name: name, step: step, isThere: false))
    }
    (self.versions, self.outdated) = (versions, outdated)
  }

  /// `Model1a`; the next letter if the name is in use.
  private static func free(after old: String, besides usedNames: Set<String>) -> String {
    let ends = "abcdefghijklmnopqrstuvwxyz".map(String.init) + (2...1000).map { "a\($0)" }
    return ends.lazy.map { old + $0 }.first { !usedNames.contains($0) } ?? old
  }

  /// A name for another version of the destination.
  func freeName(_ new: String, among known: [NamedModel]) -> String {
    Self.free(after: new, besides: Set(known.map(\.name)).union(names))
  }
}

extension ObjectModel {
  /// Whether both have the same hashes, and the same renaming identifiers.
  fileprivate func isSameVersion(as other: ObjectModel) -> Bool {
    versionHashes() == other.versionHashes() && difference(from: other).entities.isEmpty
  }
}
