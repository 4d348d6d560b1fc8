internal import StrataBase
internal import StrataGit

/// What a repository lacks for `check`.
extension GitError {
  var isUnknownRevision: Bool {
    guard case .unknownRevision = self else { return false }
    return true
  }

  static var shallowCheck: Diagnostic {
    Diagnostic(
      id: "check.shallow", severity: .warning,
      what: "the clone is shallow: which versions were released is not known",
      fix: "`git fetch --unshallow --tags`, or `fetch-depth: 0` in a workflow")
  }

  static var shallowLock: Diagnostic {
    Diagnostic(
      id: "check.shallow", severity: .note,
      what:
        "the clone is shallow: only \(LockFile.fileName) says which versions were released",
      fix: "to read the release tags too: `git fetch --unshallow --tags`")
  }

  /// - Parameters:
  ///   - bundle: The name of the bundle in a command.
  ///   - folder: That of its folder.
  static func leftOut(_ bundle: String, in folder: String) -> Diagnostic {
    Diagnostic(
      id: "check.leftOut", severity: .note,
      what:
        "\(bundle) is not checked: folders of build products and packages, and hidden ones, are left out",
      fix: "if it belongs to the app: `strata check \(folder)`")
  }

  /// - Parameter folder: The folder of the bundle in the repository.
  static func sparseCheck(_ bundle: String, in folder: [String]) -> Diagnostic {
    let path = folder.joined(separator: "/").shellQuoted
    return Diagnostic(
      id: "check.sparse", severity: .warning,
      what: "\(bundle) is not checked: the sparse checkout leaves it out",
      fix: folder.isEmpty
        ? "`git sparse-checkout disable`"
        : "`git sparse-checkout add \(path)`, or `git sparse-checkout disable`")
  }

  /// - Parameter inner: The folder of another repository that contains the bundle; `nil` if there is none.
  static func untracked(_ bundle: String, inner: String?) -> Diagnostic {
    Diagnostic(
      id: "check.untracked", severity: .warning,
      what: inner.map {
        "whether versions of \(bundle) shipped is not known: it belongs to the repository in \($0)"
      } ?? "whether versions of \(bundle) shipped is not known: git tracks no file of it",
      fix: inner.map {
        "check that repository with its tags: `strata check \($0.shellQuoted)`, or record the shipped versions here: `strata lock`"
      }
        ?? "if the bundle is new: `git add \(bundle.shellQuoted)`; otherwise record its shipped versions: `strata lock`"
    )
  }

  static let replayed = Diagnostic(
    id: "check.replayed",
    what: "a replayed document reads no git repository: which versions were released is not known",
    fix: "run `strata check` outside the document")

  static func noReleases(_ pattern: String?) -> Diagnostic {
    Diagnostic(
      id: "check.noReleases", severity: .warning,
      what: pattern.map { "no tag matches \($0)" }
        ?? "no tag has a version number: which versions were released is not known",
      fix:
        "tag the commit of each release, such as `git tag v1.0 <commit>`, or name the tags with `--released`; `git fetch --tags` gets those of the remote; without tags, run `strata lock` for each release: it records all versions as shipped"
    )
  }
}
