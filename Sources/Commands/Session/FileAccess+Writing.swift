internal import Foundation
internal import StrataDiagnostics
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
      guard let type = Self.type(of: part) else { return false }
      try check(part)
      let mayBeFolder = part != item || Self.isBundle(item[...])
      var types = [type]
      if mayBeFolder {
        types += (FileManager.default.enumerator(atPath: part)?.compactMap { $0 as? String } ?? [])
          .compactMap { Self.type(of: "\(part)/\($0)") }
      }
      let isPlain = types.allSatisfy { $0 == .typeRegular || $0 == .typeDirectory && mayBeFolder }
      guard isPlain else {
        throw Diagnostic(
          id: "session.writeRefused",
          what: "a replayed document changes only plain files and bundles of them",
          location: Location(file: part), mend: "run it with `strata run` if you trust it")
      }
      return true
    }
  }

  /// That of a link itself, not of what it leads to.
  private static func type(of path: String) -> FileAttributeType? {
    try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  }
}
