internal import Foundation

/// What a rehearsal has left in its workspace.
struct Aftermath {
  /// The bytes of all files.
  let bytes: Int

  init(in folder: String) {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    bytes = names.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
    }
  }
}
