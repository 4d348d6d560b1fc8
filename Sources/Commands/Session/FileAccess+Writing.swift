internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataObjectModel
internal import StrataStore

extension FileAccess {
  /// The item that is changed as a whole: the file itself, or the bundle that contains it.
  static func item(holding path: String) -> String {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if let index = parts.firstIndex(where: isBundle) { parts = Array(parts[...index]) }
    return parts.joined(separator: "/")
  }

  private static func isBundle(_ path: Substring) -> Bool {
    path.hasSuffix(Session.xcodeMappingExtension)
      || BundleForm.allCases.contains {
        path.hasSuffix($0.bundleExtension) || path.hasSuffix($0.versionExtension)
      }
  }

  /// The existing files and folders of an item and next to it that a change can affect.
  ///
  /// - Parameter inPlace: Whether the files themselves are changed; otherwise they are copied.
  /// - Throws: ``Diagnostic`` if one of them is outside the folder, existing or not, or is not a regular file
  ///   or a bundle of regular files: a link could redirect a write, a pipe never ends. A file that is changed
  ///   in place must not have another hard link.
  func changeableParts(of item: String, inPlace: Bool) throws -> [String] {
    let parts = [item] + StoreFile.companions(of: item) + StoreFile.foldersAside(of: item)
    for part in parts { try check(part) }
    try StoreFile.checkJournal(of: item)
    return try parts.filter { part in
      guard let status = FileStatus(part) else { return false }
      let mayBeFolder = part != item || Self.isBundle(item[...])
      let isFolder = mayBeFolder && status.kind == .folder
      // A folder that cannot be listed may contain anything.
      let inside = isFolder ? try? FileManager.default.subpathsOfDirectory(atPath: part) : []
      let own = inside?.filter { !StoreFile.isOwnLink("\(part)/\($0)") }
      let found = [status] + (own?.map { FileStatus("\(part)/\($0)") } ?? [nil])
      let isPlain = found.allSatisfy { status in
        status?.kind == .file || status?.kind == .folder && mayBeFolder
      }
      guard isPlain else {
        throw Self.refused(
          part, "a replayed document can change only regular files and bundles of them")
      }
      // Files of external binary data never change, and a kept store shares them by hard links.
      let isData = part != item && status.kind == .folder
      if inPlace, !isData, found.contains(where: { $0?.kind == .file && $0?.nameCount != 1 }) {
        throw Self.refused(
          part, "a replayed document cannot change a file that has another hard link")
      }
      return true
    }
  }

  private static func refused(_ part: String, _ what: String) -> Diagnostic {
    Diagnostic(
      id: "session.writeRefused", what: what, location: Location(file: part),
      fix: "run it with `strata run` if you trust it")
  }
}
