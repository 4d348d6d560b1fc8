internal import Foundation
internal import StrataBase
package import StrataExpressions
package import StrataObjectModel
package import StrataStore

/// A stage of a staged migration, with its versions found.
package struct MigrationStage: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// Versions at which a store may be; none of them is a target by itself.
    case lightweight([NamedModel])
    /// One hop, with work of one's own before and after.
    case custom(from: NamedModel, to: NamedModel)
  }

  package var kind: Kind
  /// Done while the store is at the old model: scripts first, then changes, which are one transaction with
  /// the migration.
  package var will: Steps
  /// Done when it is at the new one: changes first, in that transaction, then scripts.
  package var did: Steps

  package struct Steps: Sendable, Hashable {
    package var changes: [StageChange] = []
    /// The scripts of commands, by their paths.
    package var scripts: [String] = []
  }

  /// The names of the first and the last version.
  package var ends: (from: String, to: String) {
    (versions.first?.name ?? "", versions.last?.name ?? "")
  }

  /// The versions that it names, in order.
  package var versionNames: [String] { versions.map(\.versionName) }

  var versions: [NamedModel] {
    switch kind {
    case .lightweight(let versions): versions
    case .custom(let from, let to): [from, to]
    }
  }

  /// What a store is told while scripts of the stage are still to be run.
  package var pending: PendingStage {
    PendingStage(
      checksums: versions.map { $0.model.versionHashes().versionChecksum },
      scripts: did.scripts.map { URL(fileURLWithPath: $0).lastPathComponent })
  }
}

extension StageScript {
  /// Finds the versions and policies that the stages name.
  ///
  /// - Parameters:
  ///   - versions: Those that are known; each is called by its name or by its checksum.
  ///   - folder: Where the paths of scripts begin.
  /// - Throws: ``LineError`` for a name that is not found, or that does not fit.
  package func resolved(
    among versions: [NamedModel], policies: PolicyRegistry, folder: String
  ) throws(LineError) -> [MigrationStage] {
    var resolved: [MigrationStage] = []
    for stage in stages {
      var found: [NamedModel] = []
      for name in stage.versions { found.append(try version(name, among: versions)) }
      // The file has no stage without versions.
      guard let first = found.first, let last = found.last else { continue }
      let kind: MigrationStage.Kind =
        if case .custom = stage.kind { .custom(from: first, to: last) } else {
          .lightweight(found)
        }
      resolved.append(
        MigrationStage(
          kind: kind,
          will: try steps(stage.will, policies, folder, at: first, createObjects: true),
          did: try steps(stage.did, policies, folder, at: last, createObjects: false)))
    }
    try checkOnce(resolved)
    return resolved
  }

  private func version(
    _ name: LinePart, among versions: [NamedModel]
  ) throws(LineError) -> NamedModel {
    let text = name.text
    let found = versions.first { $0.versionName == text || $0.name == text }
    guard
      let found = found
        ?? versions.first(where: { text == $0.model.versionHashes().versionChecksum })
    else {
      throw name.problem(
        "there is no version \(text) (\(CoreDataError.managedObjectModelReferenceNotFound))",
        fix: NearestName.of(text, in: versions.map(\.versionName)).map(NearestName.question)
          ?? "load the bundle that contains it")
    }
    return found
  }

  /// - Parameters:
  ///   - version: The version that the store is at when they are done.
  ///   - createObjects: Whether they may.
  private func steps(
    _ steps: [Step], _ policies: PolicyRegistry, _ folder: String, at version: NamedModel,
    createObjects: Bool
  ) throws(LineError) -> MigrationStage.Steps {
    var found = MigrationStage.Steps()
    for step in steps {
      let (change, position): (StageChange, LinePart)
      switch step {
      case .script(let path):
        found.scripts.append(path.hasPrefix("/") ? path : "\(folder)/\(path)")
        continue
      case .change(let known, let step): (change, position) = (known, step)
      case .policy(let name, let entity, let step):
        guard let policy = policies.script(named: name.text).map({ FilePolicy($0) }) else {
          throw name.problem(
            "there is no policy \(name.text) in a file",
            fix: NearestName.of(name.text, in: policies.names).map(NearestName.question)
              ?? "name its file with --policies")
        }
        let words = "policy \(name.text) on \(entity.text)"
        guard let known = policy.change(of: entity.text, words: words) else {
          throw name.problem(
            "\(name.text) creates other objects; a stage only changes existing objects",
            fix: StageChange.verbs)
        }
        (change, position) = (known, step)
      }
      try change.check(at: version, position)
      guard createObjects || !change.createsObjects else {
        throw position.problem(
          "did creates no objects: \(change.words)",
          fix: "create them before the migration: will: \(change.words)")
      }
      found.changes.append(change)
    }
    return found
  }

  /// A version belongs to one stage, or to two of which one ends and the next begins with it.
  private func checkOnce(_ resolved: [MigrationStage]) throws(LineError) {
    var last: [String: Int] = [:]
    for (number, stage) in resolved.enumerated() {
      for (index, version) in stage.versions.enumerated() {
        let checksum = version.model.versionHashes().versionChecksum
        if let earlier = last[checksum] {
          let isBoundary =
            earlier == number - 1 && index == 0
            && resolved[earlier].versions.last?.model.versionHashes()
              == version.model.versionHashes()
          guard isBoundary else {
            throw stages[number].versions[index].problem(
              "\(version.versionName) is in two stages")
          }
        }
        last[checksum] = number
      }
    }
  }
}
