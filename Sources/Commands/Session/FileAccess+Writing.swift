internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataObjectModel
internal import StrataStore

extension FileAccess {
  /// What is changed as one: the file itself, or the bundle that it is a part of.
  static func item(holding path: String) -> String {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if let place = parts.firstIndex(where: isBundle) { parts = Array(parts[...place]) }
    return parts.joined(separator: "/")
  }

  private static func isBundle(_ path: Substring) -> Bool {
    path.hasSuffix(Session.xcodeMappingExtension)
      || BundleForm.allCases.contains {
        path.hasSuffix($0.bundleExtension) || path.hasSuffix($0.versionExtension)
      }
  }

  /// What is there of an item, and beside it: the files and folders that a change may reach.
  ///
  /// - Parameter inPlace: Whether the files themselves are changed; else they are copied.
  /// - Throws: One of them lies elsewhere, be it there or not, or is no plain file and no bundle of such: a link
  ///   could lead a writing elsewhere, a pipe never ends. A file that is changed itself must have no second name.
  func changeableParts(of item: String, inPlace: Bool) throws -> [String] {
    let parts = [item] + StoreFile.companions(of: item) + StoreFile.foldersAside(of: item)
    for part in parts { try check(part) }
    try StoreFile.checkJournal(of: item)
    return try parts.filter { part in
      guard let status = FileStatus(part) else { return false }
      let mayBeFolder = part != item || Self.isBundle(item[...])
      let inside = mayBeFolder ? FileManager.default.enumerator(atPath: part) : nil
      // What has a name that is no text is not found, and nobody knows what it is.
      let found = [status] + (inside?.map { FileStatus("\(part)/\($0)") } ?? [])
      let isPlain = found.allSatisfy { status in
        status?.kind == .file || status?.kind == .folder && mayBeFolder
      }
      guard isPlain else {
        throw Self.refused(part, "a replayed document changes only plain files and bundles of them")
      }
      // Binary data is written once, and a store that is kept shares it.
      let isData = part != item && status.kind == .folder
      if inPlace, !isData, found.contains(where: { $0?.kind == .file && $0?.nameCount != 1 }) {
        throw Self.refused(
          part, "a replayed document changes no file that has a second name elsewhere (hard link)")
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
