internal import StrataArchives
internal import StrataEssentials

/// The program git with the options and the environment that make it read only, and run no other program.
///
/// A repository can be hostile: its own config may name programs for hooks, filters, textconv, fsmonitor, a pager,
/// ssh, gpg and aliases. Of the commands used here, only fsmonitor (`ls-files`) and fetching missing objects
/// (`cat-file`) would run any; both are disabled, and every other option is overridden nevertheless.
struct GitProgram: Sendable {
  /// The absolute path of the program.
  let path: String
  private let location: GitLocation
  /// The environment of the caller.
  private let callersEnvironment: [String: String]

  /// The oldest version with which every option has its documented effect.
  static let minimum = [2, 25]

  /// - Throws: ``GitError/gitNotFound``, ``GitError/gitTooOld(version:minimum:)``,
  ///   ``GitError/gitNotStarted(reason:)``.
  init(
    for location: GitLocation, environment: [String: String], patience: Duration
  ) throws {
    guard let path = Self.find(in: environment["PATH"] ?? "") else { throw GitError.gitNotFound }
    self.path = path
    self.location = location
    callersEnvironment = environment
    try checkVersion(patience: patience)
  }

  /// Only absolute folders count: a relative one would run a program out of the repository.
  private static func find(in path: String) -> String? {
    path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/git" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
        && (try? OpenedPath.kind($0)) != .folder
    }
  }

  private func checkVersion(patience: Duration) throws {
    let process = try GitProcess(self, ["version"], patience: patience)
    let line = try process.line(endingWith: UInt8(ascii: "\n"), limit: 1 << 10) ?? []
    try process.finish()
    // Shape: `git version 2.39.5 (Apple Git-154)`.
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count >= 3, words[1] == "version" else {
      throw GitError.unexpectedOutput(command: "version")
    }
    let numbers = words[2].split(separator: ".").prefix(2).map { Int($0) ?? 0 }
    if numbers.lexicographicallyPrecedes(Self.minimum) {
      throw GitError.gitTooOld(
        version: String(words[2]), minimum: Self.minimum.map(String.init).joined(separator: "."))
    }
  }

  // MARK: Options

  /// The arguments of a command, without the path of the program.
  func arguments(_ command: [String]) -> [String] {
    var arguments = ["-C", location.root, "--no-optional-locks", "--no-pager"]
    arguments += ["--no-replace-objects"]
    for (name, value) in Self.settings { arguments += ["-c", "\(name)=\(value)"] }
    return arguments + command
  }

  private static let settings: KeyValuePairs = [
    // An empty value disables it in every version; before git 2.36, `false` would be the name of a program.
    "core.fsmonitor": "",
    "core.hooksPath": "/dev/null",
    "core.pager": "cat",
    "core.attributesFile": "/dev/null",
    "core.sshCommand": "false",
    "core.gitProxy": "",
    "core.askPass": "",
    "credential.helper": "",
    "protocol.allow": "never",
  ]

  /// The caller's environment without the variables of git, except those that name the user's config.
  ///
  /// `GIT_DIR`, `GIT_WORK_TREE` and `GIT_COMMON_DIR` are removed: the repository is the one that contains the given
  /// folder.
  ///
  /// - Parameter indexFile: See ``indexFile(currentFolder:)``.
  func environment(indexFile: String?) -> [String: String] {
    var environment = callersEnvironment.filter { name, _ in
      !name.hasPrefix("GIT_") || Self.isConfig(name)
    }
    // git must not search for a repository above the root if the one there is invalid.
    environment["GIT_CEILING_DIRECTORIES"] = GitLocation.parent(of: location.root)
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    environment["GIT_NO_LAZY_FETCH"] = "1"
    // Overrides the config of every protocol: versions that ignore GIT_NO_LAZY_FETCH do not connect either.
    environment["GIT_ALLOW_PROTOCOL"] = "none"
    environment["GIT_TERMINAL_PROMPT"] = "0"
    environment["LC_ALL"] = "C"
    environment["GIT_INDEX_FILE"] = indexFile
    return environment
  }

  private static func isConfig(_ name: String) -> Bool {
    let names = [
      "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_PARAMETERS",
      "GIT_CONFIG_COUNT",
    ]
    return names.contains(name) || name.hasPrefix("GIT_CONFIG_KEY_")
      || name.hasPrefix("GIT_CONFIG_VALUE_")
  }

  // MARK: The index

  /// The index that the caller's environment names; `nil` for that of the repository.
  ///
  /// `git commit` runs a pre-commit hook with `GIT_INDEX_FILE`: with `git commit -a` or a path, what is to be
  /// committed is not in the usual index. The variable is about the repository of the current folder, so it is used
  /// only if the current folder is in this working tree and `GIT_DIR`, if set, is its git folder.
  func indexFile(currentFolder: String) -> String? {
    guard let index = callersEnvironment["GIT_INDEX_FILE"], !index.isEmpty,
      let current = try? GitLocation.find(containing: currentFolder), current == location
    else { return nil }
    if let folder = callersEnvironment["GIT_DIR"], !folder.isEmpty,
      GitLocation.realPath(GitLocation.resolved(folder, in: currentFolder))
        != GitLocation.realPath(location.gitFolder)
    {
      return nil
    }
    return GitLocation.resolved(index, in: currentFolder)
  }
}
