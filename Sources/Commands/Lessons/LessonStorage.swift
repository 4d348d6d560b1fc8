internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataNotebook

/// The user's folder of lessons: the progress, and a working folder for each built-in lesson.
package struct LessonStorage: Sendable {
  private let folder: String

  /// - Parameter folder: An absolute path; it is created when it is first written.
  package init(folder: String) { self.folder = folder }

  private var file: String { folder + "/progress.json" }

  /// The maximum size of the file in bytes.
  private static let limit = 10_000_000

  /// The progress by name of the lesson.
  ///
  /// - Throws: ``Diagnostic`` if the file is damaged.
  func progress() throws(Diagnostic) -> [String: LessonProgress] {
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(file, limit: Self.limit)
    } catch .notFound {
      return [:]
    } catch {
      throw error.diagnostic.located(in: file)
    }
    do {
      return try JSONDecoder().decode([String: LessonProgress].self, from: Data(bytes))
    } catch {
      throw Diagnostic(
        id: "lesson.damagedProgress", what: "the progress in lessons cannot be read",
        location: Location(file: file), fix: "`lesson forget` deletes it")
    }
  }

  /// Changes the progress; another prompt may have changed it meanwhile.
  func update(_ change: (inout [String: LessonProgress]) -> Void) throws {
    try createFolder()
    try FolderLock.whileAlone(in: folder) {
      var progress = try progress()
      change(&progress)
      try write(progress)
    }
  }

  private func write(_ progress: [String: LessonProgress]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    var update = FolderUpdate()
    update.write(Array(try encoder.encode(progress)), to: file)
    try update.commit()
  }

  private func createFolder(_ name: String = "") throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder + name, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw Diagnostic(
        id: "file.unwritable", what: "the folder of the lessons cannot be created",
        location: Location(file: folder + name), fix: "make it writable, or set XDG_DATA_HOME")
    }
  }

  private func workingFolder(of lesson: String) -> String { "\(folder)/\(lesson)" }

  /// An empty working folder for a lesson. The files of an earlier start are deleted, unless a script or notebook is among
  /// them: then they are kept in `NAME-1`, `NAME-2`, ….
  func freshFolder(for lesson: String) throws -> String {
    let path = workingFolder(of: lesson)
    if let names = try? OpenedPath.names(in: path) {
      if names.contains(where: { SessionForm.form(forPath: $0) != nil }) {
        try FileManager.default.moveItem(atPath: path, toPath: keptFolder(of: lesson))
      } else {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    try createFolder("/" + lesson)
    return path
  }

  private func keptFolder(of lesson: String) -> String {
    var number = 1
    while FileStatus("\(workingFolder(of: lesson))-\(number)") != nil { number += 1 }
    return "\(workingFolder(of: lesson))-\(number)"
  }

  /// Deletes the progress and files of a lesson, or of all.
  ///
  /// - Returns: The names of the deleted files and folders.
  func forget(_ lesson: String?) throws -> [String] {
    if let lesson { try update { $0[lesson] = nil } }
    let names = ((try? OpenedPath.names(in: folder)) ?? []).filter { name in
      guard let lesson else { return true }
      let number = name.dropFirst(lesson.count + 1)
      return name == lesson || name.hasPrefix(lesson + "-") && Int(number) != nil
    }
    for name in names { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
    return names.sorted()
  }
}
