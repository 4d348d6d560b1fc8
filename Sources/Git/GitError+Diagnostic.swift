package import StrataBase

extension GitError: DiagnosticError {
  package var diagnostic: Diagnostic {
    switch self {
    case .notARepository, .brokenGitFile, .foreignOwner, .unmerged, .folderNotPrivate:
      repositoryDiagnostic
    case .gitNotFound, .gitTooOld, .gitNotStarted, .commandFailed, .notResponding,
      .unexpectedOutput:
      programDiagnostic
    default: objectDiagnostic
    }
  }

  private var repositoryDiagnostic: Diagnostic {
    switch self {
    case .notARepository(let folder):
      Diagnostic(
        id: "git.notARepository", what: "neither the folder nor one above it is a git repository",
        location: Location(file: folder),
        fix: "give a folder in a repository with a working tree, or create one: `git init`")
    case .brokenGitFile(let path):
      Diagnostic(
        id: "git.brokenGitFile", what: "the file names no git repository",
        location: Location(file: path),
        fix: "repair the worktree or the submodule: `git worktree repair`, "
          + "or `git submodule update --init`")
    case .foreignOwner(let root):
      Diagnostic(
        id: "git.foreignOwner",
        what: "the repository belongs to another user, and git refuses to read it",
        location: Location(file: root),
        fix: "if you trust it: `git config --global --add safe.directory \(root.shellQuoted)`")
    case .unmerged(let path):
      Diagnostic(
        id: "git.unmerged", what: "the path has an unresolved merge conflict in the index",
        location: Location(file: path),
        fix: "resolve the conflict, then: `git add \(path.shellQuoted)`")
    case .folderNotPrivate(let path):
      Diagnostic(
        id: "git.folderNotPrivate",
        what: "files of a revision are written only into an empty private folder",
        location: Location(file: path), fix: "give a folder that does not exist yet")
    default: objectDiagnostic
    }
  }

  private var programDiagnostic: Diagnostic {
    switch self {
    case .gitNotFound:
      Diagnostic(
        id: "git.notFound", what: "the program git was not found in the folders of PATH",
        fix: "install git, or add its folder to PATH")
    case .gitTooOld(let version, let minimum):
      Diagnostic(
        id: "git.tooOld", what: "git \(version) is too old; version \(minimum) is required",
        fix: "install git \(minimum) or later")
    case .gitNotStarted(let reason):
      Diagnostic(
        id: "git.notStarted", what: "git cannot be started: \(reason)",
        fix: "check that it runs: `git --version`")
    case .commandFailed(let command, let message):
      Diagnostic(
        id: "git.failed",
        what: "git \(command) failed" + (message.isEmpty ? "" : ": \(message)"),
        fix: "check the repository: `git fsck`")
    case .notResponding(let command, let seconds):
      Diagnostic(
        id: "git.notResponding",
        what: "git \(command) did not respond for \(Phrase.count(seconds, "second"))",
        fix: "check the repository: `git fsck`")
    default:
      Diagnostic(
        id: "git.unexpectedOutput", what: "git \(command) wrote output in an unknown format",
        fix: "check the repository: `git fsck`")
    }
  }

  private var command: String {
    if case .unexpectedOutput(let command) = self { return command }
    return ""
  }

  private var objectDiagnostic: Diagnostic {
    switch self {
    case .unknownRevision(let revision, let clone):
      Diagnostic(
        id: "git.unknownRevision",
        what: "the repository has no commit \(revision)" + clone.explanation,
        fix: clone.fix ?? "list the revisions: `git branch --all`, or `git tag`")
    case .missingObject(let id, let clone):
      Diagnostic(
        id: "git.missingObject",
        what: "the repository does not contain the object \(id.short)" + clone.explanation,
        fix: clone.fix ?? "check the repository: `git fsck --full`")
    case .wrongType(let id, let wanted, let found):
      Diagnostic(
        id: "git.wrongType", what: "the object \(id.short) is a \(found), not a \(wanted)",
        fix: "check the repository: `git fsck --full`")
    case .malformedObject(let id, let reason):
      Diagnostic(
        id: "git.malformedObject", what: "the object \(id.short) is damaged: \(reason)",
        fix: "check the repository: `git fsck --full`")
    case .tooLarge(let what, let limit):
      Diagnostic(
        id: "git.tooLarge", what: "\(what) exceeds the limit of \(limit)",
        fix: "check that this is the repository you meant")
    case .hostilePath(let path):
      Diagnostic(
        id: "git.hostilePath", what: "the repository contains a path that git never creates",
        location: Location(file: path), fix: "do not trust this repository: `git fsck --full`")
    case .unreadablePath(let path):
      Diagnostic(
        id: "git.unreadablePath", what: "the path is not valid UTF-8",
        location: Location(file: path), fix: "rename it: `git mv`")
    default: programDiagnostic
    }
  }
}

extension GitClone {
  /// The reason for a missing object, as the end of a sentence.
  fileprivate var explanation: String {
    isShallow ? ": it is a shallow clone" : isPartial ? ": it is a partial clone" : ""
  }

  fileprivate var fix: String? {
    if isShallow {
      return "`git fetch --unshallow --tags`; in a workflow, `fetch-depth: 0` for actions/checkout"
    }
    return isPartial
      ? "`git fetch --refetch --no-filter --tags`; in a workflow, remove the filter of the checkout"
      : nil
  }
}
