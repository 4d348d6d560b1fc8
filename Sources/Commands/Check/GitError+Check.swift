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
        "tag the commit of each release, such as `git tag v1.0 <commit>`, or name the tags with `--released`; `git fetch --tags` gets those of the remote; without tags, `strata lock` records the shipped versions"
    )
  }
}
