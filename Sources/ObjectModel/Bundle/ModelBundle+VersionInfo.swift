internal import StrataArchives
package import StrataBase

extension ModelBundle {
  /// The maximum number of entities or versions listed in a message.
  private static let shownNames = 5

  /// Warnings for the versions of a `.momd` that differ from its `VersionInfo.plist`, one per version. Empty
  /// for a bundle without that file.
  ///
  /// The model compiler writes the file together with the versions, so they differ only if one of them was
  /// replaced.
  ///
  /// - Parameter models: The readable versions, by name.
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
          "its version hashes differ from those of \(name)\(ending): \(names)\(rest > 0 ? " and \(rest) more" : "")"
        )
      } else if let checksum = info.versionChecksums[name], checksum != computed.versionChecksum {
        warn("its version checksum differs from that of \(name)\(ending)")
      }
    }
    for name in info.versionHashes.keys.sorted() where version(named: name) == nil {
      warn("it records the version \(name), but there is no \(name)\(ending)")
    }
    return warnings
  }
}
