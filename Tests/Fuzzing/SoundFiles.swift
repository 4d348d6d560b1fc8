import Foundation
import StrataArchives
import StrataMigration
import StrataObjectModel

/// The sound files beside which inputs are read: `Scripts/fuzz` lays them out in the folder `FUZZ_FILES`.
enum SoundFiles {
  private static let folder = ProcessInfo.processInfo.environment["FUZZ_FILES"] ?? "."

  static func bytes(_ name: String) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
      fatalError("FUZZ_FILES lacks \(name)")
    }
    return Array(data)
  }

  /// A model by its version's name.
  static func model(_ name: String) -> NamedModel {
    do {
      let document = try ModelDocument(markup: .init(reading: bytes(name)))
      return NamedModel(name: name, model: try ObjectModel(document))
    } catch {
      fatalError("\(name) is no model: \(error)")
    }
  }

  /// A folder of this process, where an input may become files.
  static let work: String = {
    let path = "\(folder)/work-\(ProcessInfo.processInfo.processIdentifier)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }()

  /// Empties the folder.
  ///
  /// - Returns: Its path.
  static func emptyWork() -> String {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: work)) ?? [] {
      try? FileManager.default.removeItem(atPath: "\(work)/\(name)")
    }
    return work
  }

  static func write(_ bytes: [UInt8], to path: String) {
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
      fatalError("\(path) cannot be written")
    }
  }
}
