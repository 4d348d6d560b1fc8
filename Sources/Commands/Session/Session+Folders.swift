internal import Foundation
internal import StrataArchives
internal import StrataBase

extension Session {
  /// The folder of a file or bundle, as the document knows it.
  func folder(of path: String) -> String {
    URL(fileURLWithPath: overlay?.original(path) ?? path).deletingLastPathComponent().path
  }

  /// What lies in a folder itself, sorted by name, each with the path at which it is read.
  ///
  /// A replayed document finds there what it wrote, although each item has a private folder of its own.
  func items(in folder: String) -> [(name: String, path: String)] {
    let known = overlay?.originalFolder(folder) ?? folder
    var names = Set(listedNames(in: known))
    names.formUnion(overlay?.names(writtenIn: known) ?? [])
    return names.sorted().map { name in
      let path = "\(known)/\(name)"
      return (name, overlay?.current(path) ?? path)
    }
  }

  /// The names in a folder; where it cannot be listed, none, and the answer warns of it.
  private func listedNames(in folder: String) -> [String] {
    do {
      return try OpenedPath.names(in: folder)
    } catch .notFound {
      return []
    } catch .unreadable(_, .notAFolder) {
      return []
    } catch {
      var warning = error.diagnostic.asWarning
      if case .unreadable(_, let cause) = error {
        warning.what = "the folder cannot be listed, what lies in it is not found: \(cause.words)"
        warning.fix = cause.fix(reading: shown(folder))
      }
      warning.location = Location(file: shown(folder))
      running?.warnings?.add(warning)
      return []
    }
  }
}
