internal import Foundation
internal import StrataArchives

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
    var names = Set((try? OpenedPath.names(in: known)) ?? [])
    names.formUnion(overlay?.names(writtenIn: known) ?? [])
    return names.sorted().map { name in
      let path = "\(known)/\(name)"
      return (name, overlay?.current(path) ?? path)
    }
  }
}
