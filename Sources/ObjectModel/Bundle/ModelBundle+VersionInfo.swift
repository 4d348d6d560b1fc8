internal import StrataArchives
package import StrataBase

extension ModelBundle {
  /// Entities or versions that a message lists.
  private static let shownNames = 5

  /// Where `VersionInfo.plist` of a `.momd` says something else of the versions than they are: a warning for each
  /// version. None for a bundle without one.
  ///
  /// Core Data's compiler writes the file together with the versions, so that the two differ only where one of them
  /// was replaced.
  ///
  /// - Parameter models: The versions that can be read, by name.
  package func versionInfoWarnings(_ models: [(name: String, model: ObjectModel)]) -> [Diagnostic] {
    guard let path = folder.map({ "\($0)/\(BundleForm.compiled.currentVersionFile)" }),
      let plist = try? PropertyList(reading: FileBytes.read(path))
    else { return [] }
    let info = VersionInfo(plist)
    let ending = BundleForm.compiled.versionExtension
    var warnings: [Diagnostic] = []
    func warn(_ what: String) {
      warnings.append(
        Diagnostic(
          id: "model.versionInfo", severity: .warning, what: what, location: Location(file: path),
          fix: "compile the .xcdatamodeld again, and replace the whole .momd"))
    }
    for (name, model) in models {
      guard let recorded = info.versionHashes[name] else {
        if !info.versionHashes.isEmpty { warn("it does not record the version \(name)\(ending)") }
        continue
      }
      let computed = model.versionHashes()
      let others = NearestVersions.differing(recorded, computed)
      if !others.isEmpty {
        let rest = others.count - Self.shownNames
        let names = others.prefix(Self.shownNames).joined(separator: ", ")
        warn(
          "it records other version hashes than \(name)\(ending) has: \(names)\(rest > 0 ? " and \(rest) more" : "")"
        )
      } else if let checksum = info.versionChecksums[name], checksum != computed.versionChecksum {
        warn("it records another version checksum than \(name)\(ending) has")
      }
    }
    for name in info.versionHashes.keys.sorted() where version(named: name) == nil {
      warn("it records a version \(name), and there is no \(name)\(ending)")
    }
    return warnings
  }
}
