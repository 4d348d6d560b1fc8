internal import StrataArchives
internal import StrataEssentials

/// The size of the files that a rehearsal has left in its workspace.
struct RehearsalSize {
  /// The size of all files in bytes.
  let bytes: Int

  init(in folder: String) {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    bytes = names.reduce(0) { sum, name in
      guard let status = FileStatus("\(folder)/\(name)"), status.kind == .file else { return sum }
      return sum + status.size
    }
  }
}
