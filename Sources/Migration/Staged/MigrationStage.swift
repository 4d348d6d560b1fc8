internal import Foundation
internal import StrataBase
public import StrataObjectModel
public import StrataStore

/// A stage of a staged migration, with its versions found.
public struct MigrationStage: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// Versions at which a store may be; none of them is a target by itself.
    case lightweight([NamedModel])
    /// One hop, with work of one's own before and after.
    case custom(from: NamedModel, to: NamedModel)
  }

  public var kind: Kind
  /// Done while the store is at the old model: scripts first, then changes, which are one transaction with
  /// the migration.
  public var will: Steps
  /// Done when it is at the new one: changes first, in that transaction, then scripts.
  public var did: Steps

  public struct Steps: Sendable, Hashable {
    public var changes: [StageChange] = []
    /// The scripts of commands, by their paths.
    public var scripts: [String] = []
  }

  /// The names of the first and the last version.
  public var ends: (from: String, to: String) {
    (versions.first?.name ?? "", versions.last?.name ?? "")
  }

  /// The versions that it names, in order.
  public var versionNames: [String] { versions.map(\.versionName) }

  var versions: [NamedModel] {
    switch kind {
    case .lightweight(let versions): versions
    case .custom(let from, let to): [from, to]
    }
  }

  /// What a store is told while scripts of the stage are still to be run.
  public var pending: PendingStage {
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
  /// - Throws: ``PolicyScriptError`` with its line.
  public func resolved(
    among versions: [NamedModel], policies: PolicyRegistry, folder: String
  ) throws(PolicyScriptError) -> [MigrationStage] {
    var resolved: [MigrationStage] = []
    for stage in stages {
      var found: [NamedModel] = []
      for name in stage.versions { found.append(try version(name, among: versions, stage.line)) }
      guard let first = found.first, let last = found.last else {
        throw PolicyScriptError(.stages, line: stage.line, what: "the stage names no version")
      }
      let kind: MigrationStage.Kind =
        if case .custom = stage.kind { .custom(from: found[0], to: found[1]) } else {
          .lightweight(found)
        }
      let did = try steps(stage.did, policies, folder, stage.line, at: last)
      if let change = did.changes.first(where: \.createsObjects) {
        throw PolicyScriptError(
          .stages, line: stage.line, what: "did creates no objects: \(change.words)",
          mend: "create them before the migration: will: \(change.words)")
      }
      resolved.append(
        MigrationStage(
          kind: kind, will: try steps(stage.will, policies, folder, stage.line, at: first),
          did: did))
    }
    try checkOnce(resolved)
    return resolved
  }

  private func version(
    _ name: String, among versions: [NamedModel], _ line: Int
  ) throws(PolicyScriptError) -> NamedModel {
    let found = versions.first { $0.versionName == name || $0.name == name }
    guard
      let found = found
        ?? versions.first(where: { name == $0.model.versionHashes().versionChecksum })
    else {
      throw PolicyScriptError(
        .stages, line: line,
        what: "there is no version \(name) (\(CoreDataError.managedObjectModelReferenceNotFound))",
        mend: NearestName.of(name, in: versions.map(\.versionName)).map(NearestName.question)
          ?? "load the bundle that holds it")
    }
    return found
  }

  /// - Parameter version: The version that the store is at when they are done.
  private func steps(
    _ steps: [Step], _ policies: PolicyRegistry, _ folder: String, _ line: Int,
    at version: NamedModel
  ) throws(PolicyScriptError) -> MigrationStage.Steps {
    var found = MigrationStage.Steps()
    for step in steps {
      switch step {
      case .script(let path): found.scripts.append(path.hasPrefix("/") ? path : "\(folder)/\(path)")
      case .change(let change, let line):
        try change.check(at: version, line: line)
        found.changes.append(change)
      case .policy(let name, let entity, let line):
        guard let policy = policies.script(named: name).map({ FilePolicy($0) }) else {
          throw PolicyScriptError(
            .stages, line: line, what: "there is no policy \(name) in a file",
            mend: NearestName.of(name, in: policies.names).map(NearestName.question)
              ?? "name its file with --policies")
        }
        guard let change = policy.change(of: entity, words: "policy \(name) on \(entity)") else {
          throw PolicyScriptError(
            .stages, line: line,
            what: "\(name) makes other objects, and a stage changes those it has",
            mend: StageChange.verbs)
        }
        try change.check(at: version, line: line)
        found.changes.append(change)
      }
    }
    return found
  }

  /// A version stands in one stage, or where one ends and the next begins.
  private func checkOnce(_ resolved: [MigrationStage]) throws(PolicyScriptError) {
    var last: [String: Int] = [:]
    for (number, stage) in resolved.enumerated() {
      for (place, version) in stage.versions.enumerated() {
        let checksum = version.model.versionHashes().versionChecksum
        if let earlier = last[checksum] {
          let isBoundary =
            earlier == number - 1 && place == 0
            && resolved[earlier].versions.last?.model.versionHashes()
              == version.model.versionHashes()
          guard isBoundary else {
            throw PolicyScriptError(
              .stages, line: stages[number].line,
              what: "\(version.versionName) stands in two stages")
          }
        }
        last[checksum] = number
      }
    }
  }
}
