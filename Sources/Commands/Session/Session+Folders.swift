internal import StrataArchives
internal import StrataBase
internal import StrataEssentials

extension Session {
  /// The original folder of a file or bundle.
  func folder(of path: String) -> String {
    URL(fileURLWithPath: overlay?.original(path) ?? path).deletingLastPathComponent().path
  }

  /// The entries of a folder, sorted by name, each with the path at which it is read.
  ///
  /// In a replay this includes the files written by the document, although each has its own private folder.
  func items(in folder: String) -> [(name: String, path: String)] {
    let known = overlay?.originalFolder(folder) ?? folder
    var names = Set(listedNames(in: known))
    names.formUnion(overlay?.names(writtenIn: known) ?? [])
    return names.sorted().map { name in
      let path = "\(known)/\(name)"
      return (name, overlay?.current(path) ?? path)
    }
  }

  /// The names in a folder; if it cannot be listed, none, with a warning in the answer.
  func listedNames(in folder: String) -> [String] {
    do {
      return try OpenedPath.names(in: folder)
    } catch .notFound {
      return []
    } catch .unreadable(_, .notAFolder) {
      return []
    } catch {
      var warning = error.diagnostic.asWarning
      if case .unreadable(_, let cause) = error {
        warning.what = "the folder cannot be listed, so its files are not found: \(cause.message)"
        warning.fix = cause.fix(reading: shown(folder))
      }
      warning.location = Location(file: shown(folder))
      running?.warnings?.add(warning)
      return []
    }
  }
}
