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
  /// - Throws: One of them lies elsewhere, or is no plain file and no bundle of such: a link could lead a
  ///   writing elsewhere, a pipe never ends.
  func changeableParts(of item: String) throws -> [String] {
    try StoreFile.checkJournal(of: item)
    return try ([item] + StoreFile.companions(of: item)).filter { part in
      guard let kind = FileStatus(part)?.kind else { return false }
      try check(part)
      let mayBeFolder = part != item || Self.isBundle(item[...])
      var kinds = [kind]
      if mayBeFolder {
        kinds += (FileManager.default.enumerator(atPath: part)?.compactMap { $0 as? String } ?? [])
          .compactMap { FileStatus("\(part)/\($0)")?.kind }
      }
      let isPlain = kinds.allSatisfy { $0 == .file || $0 == .folder && mayBeFolder }
      guard isPlain else {
        throw Diagnostic(
          id: "session.writeRefused",
          what: "a replayed document changes only plain files and bundles of them",
          location: Location(file: part), mend: "run it with `strata run` if you trust it")
      }
      return true
    }
  }
}
