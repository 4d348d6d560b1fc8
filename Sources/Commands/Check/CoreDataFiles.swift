internal import StrataGit
internal import StrataObjectModel

/// The files of a repository that belong to models and migrations.
enum CoreDataFiles {
  private static let folders = [
    BundleForm.source.bundleExtension, BundleForm.source.versionExtension,
    BundleForm.compiled.bundleExtension, Session.xcodeMappingExtension,
  ]
  private static let files = [
    ".cdm", Session.mappingTextExtension, Session.policyExtension, Session.stagesExtension,
  ]

  /// Chooses them in a revision; hidden folders and folders of build products are left out, as by `project`.
  static func choice(_ names: [String], _ kind: GitEntry.Kind) -> GitChoice {
    guard let name = names.last, !name.hasPrefix("."), !ProjectFolder.isBuilt(name) else {
      return .exclude
    }
    // A link or a submodule in place of a bundle is listed: it is not followed.
    if folders.contains(where: name.hasSuffix) { return .include }
    if kind == .folder { return .search }
    return files.contains(where: name.hasSuffix) ? .include : .exclude
  }
}
