internal import StrataArchives
internal import StrataBase
internal import StrataGit
internal import StrataObjectModel

/// Writes the commands that get files of shipped versions back from their releases, and that choose the current version.
struct VersionRestorer {
  /// The path of the project's folder in the repository, with a slash at the end; empty if they are the same.
  let prefix: String
  /// `git`, with the repository if the session is not in it.
  private let git: String
  /// The name of a file of the project in a command.
  private let shown: (String) -> String

  /// - Parameters:
  ///   - repository: The repository; `nil` if there is none, and so no release.
  ///   - shown: The name of a file of the project in a command.
  init(
    _ repository: ProjectRepository?, root: String, sessionFolder: String,
    shown: @escaping (String) -> String
  ) {
    prefix = repository?.prefix ?? ""
    guard let top = repository?.git.root,
      !(RealPath.resolving(sessionFolder) + "/").hasPrefix(top + "/")
    else {
      (git, self.shown) = ("git", shown)
      return
    }
    git = "git -C \(top.shellQuoted)"
    self.shown = { CommandLineLexer.argument(forFile: "\(root)/\($0)") }
  }

  /// The fix that gets the file of a version back.
  ///
  /// - Parameter relative: Its path now, relative to the project's folder.
  func fix(_ version: ShippedVersion, to relative: String) -> Fix {
    let file = shown(relative)
    let advice = "restore the version from the \(version.place), and make changes in a new version"
    let release = version.commit == nil ? version.release : ""
    guard [file, version.path, release].allSatisfy(\.isPastable) else { return Fix(advice) }
    let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    // git itself restores a file that has not been moved; in a path with these characters it would see a pattern.
    if version.path == "\(prefix)\(relative)", !folder.contains(where: { "*?[]\\:".contains($0) }),
      !release.hasPrefix("-")
    {
      let revision = version.commit?.short ?? GitTag.revision(release)
      return Fix(
        advice, commands: ["\(git) checkout \(revision.shellQuoted) -- \(folder.shellQuoted)"])
    }
    // A file is replaced only by what git has found.
    let object = "\(version.commit?.short ?? "refs/tags/\(release)"):\(version.path)".shellQuoted
    return Fix(
      advice,
      commands: [
        "mkdir -p -- \(folder.shellQuoted) && \(git) show \(object) > \((file + ".new").shellQuoted) && mv -- \((file + ".new").shellQuoted) \(file.shellQuoted)"
      ])
  }

  /// The fix for a version that was edited. The changes of the current one are meant for the next release, and git may
  /// not have them: a new version keeps them.
  func fix(
    _ version: ShippedVersion, editedAs edited: NamedModel, in bundle: ProjectState.Bundle
  ) -> Fix {
    var fix = fix(version, to: bundle.file(of: version.name))
    let hashes = edited.model.versionHashes()
    guard !fix.commands.isEmpty, bundle.currentName == edited.name,
      bundle.versions.count(where: { $0.model.versionHashes() == hashes }) == 1
    else { return fix }
    let keeping = copy(edited.name, of: bundle, to: bundle.nameOfNext)
    guard !keeping.isEmpty else { return fix }
    fix.text = "keep the changes in a new version, and restore this one from the \(version.place)"
    fix.commands = keeping + fix.commands
    return fix
  }

  /// The command that copies a version of a bundle, and makes the copy the current version.
  func copy(_ version: String, of bundle: ProjectState.Bundle, to copy: String) -> [String] {
    let paths = [version, copy].map { shown("\(bundle.path)/\($0)") }
    let isWritable = !bundle.isOuter && bundle.path.hasSuffix(BundleForm.source.bundleExtension)
    guard isWritable, paths.allSatisfy(\.isPastable) else { return [] }
    return [CommandLineLexer.line(of: ["write"] + paths + ["--current"])]
  }

  /// The command that makes a version the current one.
  func choose(_ version: String, of bundle: ProjectState.Bundle) -> [String] {
    copy(version, of: bundle, to: version)
  }
}
