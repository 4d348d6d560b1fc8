internal import StrataBase
internal import StrataGit
internal import StrataMigration
internal import StrataObjectModel

/// The configuration of `check`: the file `strata.toml` of a project, and the options of the command, which win.
struct CheckConfiguration {
  static let fileName = "strata.toml"

  /// How one bundle is checked. Paths are relative to the project folder.
  struct Bundle {
    var path: String
    /// The files of its mapping models, or folders of them; `nil` for all of the project.
    var mappings: [String]?
    /// The policy files; `nil` for all of the project.
    var policies: [String]?
    var strategy: MigrationStrategy?
    /// The oldest version that is checked; older ones, in the order of their numbers, are retired.
    var oldest: String?
    /// The pattern of the tags of its releases; `nil` for that of the project.
    var released: String?
    /// Patterns of the stores; `nil` for all of the project.
    var stores: [String]?
    /// The number of generated objects of each concrete entity.
    var rows: Int?
    /// Whether its model is mirrored to CloudKit; `nil` if the model says so.
    var cloudkit: Bool?
    /// The line of its first key.
    var line: Int?

    func isRetired(_ version: String) -> Bool { oldest.map(version.precedesByNumber) ?? false }

    func contains(store path: String) -> Bool {
      stores.map { $0.contains { GitPattern(paths: $0).matches(path) } } ?? true
    }

    /// Whether a file is one of some files or in one of some folders.
    static func isFile(_ path: String, in items: [String]?) -> Bool {
      items.map { $0.contains { path == $0 || path.hasPrefix($0 + "/") || $0 == "." } } ?? true
    }
  }

  /// A finding that the project accepts.
  struct Accepted {
    /// As in the JSON of `check`: `loss/values Wallet: Wallet 6 -> Wallet 7: Card.color`.
    var finding: String
    var acceptance: FindingAcceptance
    var line: Int?

    /// - Parameter day: A date such as `2026-11-25`.
    func hasEnded(on day: String) -> Bool {
      acceptance.until.map { day.prefix($0.utf8.count) > $0 } ?? false
    }
  }

  /// The path of the file as it is shown.
  var file = fileName
  /// The pattern of the tags of releases.
  var released: String?
  var bundles: [Bundle] = []
  var severities: [CheckRule.Kind: Diagnostic.Severity] = [:]
  var accepted: [Accepted] = []
  /// The options of the command.
  var options: (strategy: MigrationStrategy?, rows: Int?, released: String?)

  static let defaultRows = 10

  func bundle(at path: String) -> Bundle { bundles.first { $0.path == path } ?? Bundle(path: path) }

  /// Whether a version of a bundle of this name, at whatever path, is retired.
  func isRetired(_ version: String, ofBundleNamed name: String) -> Bool {
    bundles.contains { Session.baseName($0.path) == name && $0.isRetired(version) }
  }

  func strategy(at path: String) -> MigrationStrategy {
    options.strategy ?? bundle(at: path).strategy ?? .default
  }

  /// The patterns of the tags of releases; `nil` for the default.
  var releasePatterns: Set<String?> {
    options.released.map { [$0] }
      ?? Set(bundles.compactMap(\.released).map(Optional.some) + [released])
  }

  /// The pattern of the tags of releases of a bundle, which may have been moved; `nil` for the default.
  func released(at path: String) -> String? {
    func name(_ path: String) -> Substring? { path.split(separator: "/").last }
    let entry =
      bundles.first { $0.path == path } ?? bundles.first { name($0.path) == name(path) }
    return options.released ?? entry?.released ?? released
  }

  func rows(at path: String) -> Int { options.rows ?? bundle(at: path).rows ?? Self.defaultRows }

  // MARK: Comparison with the project

  /// What the file names and the project does not have: it is not checked.
  ///
  /// - Parameter gone: The paths of bundles that were shipped, whose versions can be retired here.
  func problems(
    in project: ProjectState, _ checked: [CheckedBundle], besides gone: Set<String>
  ) -> [Diagnostic] {
    bundles.enumerated().flatMap { index, entry -> [Diagnostic] in
      func problem(_ what: String, _ key: String, near: String? = nil, fix: String) -> Diagnostic {
        Diagnostic(
          id: "configuration.noMatch", severity: .warning, what: what,
          location: Location(file: file, line: entry.line, element: "bundle[\(index)].\(key)"),
          fix: near.map { NearestName.question($0) } ?? fix)
      }
      guard let known = checked.first(where: { $0.bundle.path == entry.path }) else {
        let paths = project.bundles.map(\.path)
        guard !gone.contains(entry.path) else { return [] }
        return [
          problem(
            "the project has no readable model bundle \(entry.path)", "path",
            near: NearestName.of(entry.path, in: paths),
            fix: "the bundles are \(Phrase.list(paths))")
        ]
      }
      var problems: [Diagnostic] = []
      let bundle = known.bundle
      let versions = bundle.bundle.versions.map(\.name) + known.shippedNames
      if let oldest = entry.oldest, !versions.contains(oldest) {
        problems.append(
          problem(
            "\(bundle.name) has no version \(oldest)", "oldest",
            near: NearestName.of(oldest, in: versions),
            fix: "the versions are \(Phrase.list(bundle.bundle.versions.map(\.name)))"))
      }
      func check(_ items: [String]?, _ key: String, _ noun: String, _ isFound: (String) -> Bool) {
        for item in items ?? [] where !isFound(item) {
          problems.append(
            problem(
              "the project has no \(noun) \(item)", key, fix: "correct the path, or remove it"))
        }
      }
      check(entry.mappings, "mappings", "mapping model") { item in
        project.mappingPaths.contains { Bundle.isFile($0, in: [item]) }
      }
      check(entry.policies, "policies", "policy file") { item in
        project.policyPaths.contains { Bundle.isFile($0, in: [item]) }
      }
      check(entry.stores, "stores", "store") { item in
        (project.storePaths + project.otherPaths).contains(where: GitPattern(paths: item).matches)
      }
      return problems
    }
  }
}
