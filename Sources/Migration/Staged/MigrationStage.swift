internal import StrataBase
internal import StrataEssentials
package import StrataExpressions
package import StrataObjectModel
package import StrataStore

/// A stage of a staged migration, with resolved versions.
package struct MigrationStage: Sendable, Hashable {
  /// Whether it is one hop with custom steps before and after; else none of its versions is a target by itself.
  var isCustom: Bool
  /// The versions, in order; those of a custom stage are the old and the new one.
  var versions: [NamedModel]
  /// The steps with the old model: first scripts, then changes in the transaction of the migration.
  package var will: Steps
  /// The steps with the new model: first changes in that transaction, then scripts.
  package var did: Steps

  package struct Steps: Sendable, Hashable {
    package var changes: [StageChange] = []
    /// The scripts of commands, by their paths.
    package var scripts: [String] = []

    /// The relationships that the changes set.
    ///
    /// - Parameter onlyFound: Only those to objects that may be there already.
    func relationships(in model: ObjectModel, onlyFound: Bool = false) -> Set<PropertyID> {
      Set(changes.flatMap { $0.relationships(in: model, onlyFound: onlyFound) })
    }
  }

  /// The names of the first and the last version.
  package var ends: (from: String, to: String) {
    (versions.first?.name ?? "", versions.last?.name ?? "")
  }

  /// The model of a store while scripts before or after the migration run.
  package func model(isBefore: Bool) -> ObjectModel? {
    (isBefore ? versions.first : versions.last)?.model
  }

  /// The versions of the stage, in order.
  package var versionNames: [String] { versions.map(\.versionName) }

  /// The record in a store while scripts of the stage still have to run.
  package var pending: PendingStage {
    PendingStage(
      checksums: versions.map { $0.model.versionHashes().versionChecksum },
      scripts: did.scripts.map { URL(fileURLWithPath: $0).lastPathComponent })
  }
}

extension StageScript {
  /// Resolves the versions and policies of the stages.
  ///
  /// - Parameters:
  ///   - versions: The known versions; each is referred to by its name or checksum.
  ///   - folder: The base folder of script paths.
  /// - Throws: ``LineError`` for an unknown or invalid name.
  package func resolved(
    among versions: [NamedModel], policies: PolicyRegistry, folder: String
  ) throws(LineError) -> [MigrationStage] {
    var resolved: [MigrationStage] = []
    for stage in stages {
      var found: [NamedModel] = []
      for name in stage.versions { found.append(try version(name, among: versions)) }
      // Every stage of a file has versions.
      guard let first = found.first, let last = found.last else { continue }
      resolved.append(
        MigrationStage(
          isCustom: stage.isCustom, versions: found,
          will: try steps(stage.will, policies, folder, at: first, createObjects: true),
          did: try steps(stage.did, policies, folder, at: last, createObjects: false)))
    }
    try checkOnce(resolved)
    return resolved
  }

  private func version(
    _ name: LinePart, among versions: [NamedModel]
  ) throws(LineError) -> NamedModel {
    let text = name.unquotedText
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
  ///   - version: The version of the store when the steps run.
  ///   - createObjects: Whether the steps can create objects.
  private func steps(
    _ steps: [Step], _ policies: PolicyRegistry, _ folder: String, at version: NamedModel,
    createObjects: Bool
  ) throws(LineError) -> MigrationStage.Steps {
    var found = MigrationStage.Steps()
    for step in steps {
      let (change, position): (StageChange, LinePart)
      var script: PolicyScript?
      switch step {
      case .script(let path):
        found.scripts.append(path.hasPrefix("/") ? path : "\(folder)/\(path)")
        continue
      case .change(let known, let step): (change, position) = (known, step)
      case .policy(let name, let entity, let step):
        script = policies.script(named: name.unquotedText)
        guard let policy = script.map({ FilePolicy($0) }) else {
          throw name.problem(
            "no file defines the policy \(name.unquotedText)",
            fix: NearestName.of(name.unquotedText, in: policies.names).map(NearestName.question)
              ?? "name its file with --policies")
        }
        let text = "policy \(name.unquotedText) on \(entity.unquotedText)"
        guard let known = policy.change(of: entity.unquotedText, text: text) else {
          throw name.problem(
            "\(name.unquotedText) creates other objects; a stage only changes existing objects",
            fix: StageChange.verbs)
        }
        (change, position) = (known, step)
      }
      try change.check(at: version, position, of: script)
      guard createObjects || !change.createsObjects else {
        throw position.problem(
          "did cannot create objects: \(change.text)",
          fix: "create them before the migration: will: \(change.text)")
      }
      found.changes.append(change)
    }
    return found
  }

  /// Checks that a version is in one stage only, or is the end of one and the start of the next, of which at least one
  /// is a custom stage.
  ///
  /// Source: `Docs/Facts/migration-process.md`, section 4, outcome 9.
  private func checkOnce(_ resolved: [MigrationStage]) throws(LineError) {
    var last: [String: (number: Int, name: String)] = [:]
    for (number, stage) in resolved.enumerated() {
      for (index, version) in stage.versions.enumerated() {
        let checksum = version.model.versionHashes().versionChecksum
        if let earlier = last[checksum] {
          let isBoundary =
            earlier.number == number - 1 && index == 0
            && (stage.isCustom || resolved[earlier.number].isCustom)
            && resolved[earlier.number].versions.last?.model.versionHashes()
              == version.model.versionHashes()
          guard isBoundary else {
            let equal =
              earlier.name == version.versionName
              ? "" : ": \(earlier.name) has the same version hashes"
            throw stages[number].versions[index].problem(
              "\(version.versionName) is in two stages\(equal)")
          }
        }
        last[checksum] = (number, version.versionName)
      }
    }
  }
}
