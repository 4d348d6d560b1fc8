internal import StrataGit
internal import StrataObjectModel

/// The files of a repository that belong to models and migrations.
enum CoreDataFiles {
  private static let bundles = [
    BundleForm.source.bundleExtension, BundleForm.source.versionExtension,
  ]
  private static let folders =
    bundles + [BundleForm.compiled.bundleExtension, Session.xcodeMappingExtension]
  private static let files = [
    ".cdm", Session.mappingTextExtension, Session.policyExtension, Session.stagesExtension,
    CheckConfiguration.fileName, LockFile.fileName,
  ]
  private static let stores = [".sqlite", ".sqlite3", ".db", ".store", ".storedata"]

  /// Chooses them in a revision; hidden folders and folders of build products are left out, as by `project`.
  static func choice(_ names: [String], _ kind: GitEntry.Kind) -> GitChoice {
    guard let name = names.last, !isLeftOut(name) else { return .exclude }
    // A link or a submodule in place of a bundle is listed: it is not followed.
    if folders.contains(where: name.hasSuffix) { return .include }
    if kind == .folder { return .search }
    return files.contains(where: name.hasSuffix) ? .include : .exclude
  }

  /// Chooses the model bundles in all folders.
  static func anyBundle(_ names: [String], _ kind: GitEntry.Kind) -> GitChoice {
    guard let name = names.last else { return .exclude }
    if bundles.contains(where: name.hasSuffix) { return .include }
    return kind == .folder ? .search : .exclude
  }

  /// Whether what has this name is left out: it is hidden, or holds products of a build.
  static func isLeftOut(_ name: String) -> Bool {
    name.hasPrefix(".") || ProjectFolder.isBuilt(name)
  }

  /// Chooses also stores with a usual ending, their write-ahead logs and journals, and their external binary data.
  static func choiceWithStores(_ names: [String], _ kind: GitEntry.Kind) -> GitChoice {
    guard let name = names.last else { return .exclude }
    let isOfStore =
      kind == .folder
      ? name.hasPrefix(".") && name.hasSuffix("_SUPPORT")
      : isStore(storeName(of: name))
    return isOfStore ? .include : choice(names, kind)
  }

  /// The name of the store of which a file is a part; other names as they are.
  static func storeName(of name: String) -> String {
    let end = ["-wal", "-journal"].first(where: name.hasSuffix) ?? ""
    return String(name.dropLast(end.count))
  }

  /// Whether a file has a usual ending of stores.
  static func isStore(_ name: String) -> Bool { stores.contains(where: name.hasSuffix) }

  /// Whether a file in a chosen folder says nothing about models, such as `.DS_Store`.
  static func isIrrelevant(_ names: [String]) -> Bool {
    names.last.map { $0.hasPrefix(".") && $0 != BundleForm.source.currentVersionFile } ?? true
  }
}
