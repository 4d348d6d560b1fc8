internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
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
        location: Location(file: file), fix: "`lesson forget --all` deletes it")
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
    try FolderUpdate.write(Array(try encoder.encode(progress)), to: file)
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

  /// A working folder without the files of an earlier start. If learners' texts are among these, or the lesson was
  /// finished and its files may have been used since, the earlier folder is kept as `NAME-1`, `NAME-2`, …;
  /// ``LessonFolder/keepTexts()`` moves the texts to the new one.
  ///
  /// - Parameters:
  ///   - claim: The claim of this session on the folder, if it plays the lesson.
  ///   - isResumed: Whether the texts are to be moved; a lesson from its beginning starts without them.
  ///   - wasFinished: Whether the earlier start reached the end.
  /// - Throws: ``Diagnostic`` if another program plays the lesson.
  func freshFolder(
    for lesson: String, replacing claim: FolderClaim?, isResumed: Bool, wasFinished: Bool
  ) throws -> LessonFolder {
    let path = workingFolder(of: lesson)
    var moved: String?
    if FileStatus(path)?.kind == .folder {
      try check(claim, on: lesson)
      if wasFinished || LessonFolder.hasOwnFiles(path) {
        let kept = "\(path)-\(keptFolders(of: lesson).count + 1)"
        try FileManager.default.moveItem(atPath: path, toPath: kept)
        moved = kept
      } else {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    try createFolder("/" + lesson)
    return LessonFolder(
      path: path, claim: FolderClaim(path), kept: isResumed ? nil : moved,
      earlier: isResumed ? moved : nil)
  }

  /// Checks that no other program plays the lesson.
  private func check(_ claim: FolderClaim? = nil, on lesson: String) throws(Diagnostic) {
    let path = workingFolder(of: lesson)
    guard FileStatus(path)?.kind == .folder, claim?.isOf(path) != true, FolderClaim(path) == nil
    else {
      return
    }
    throw Diagnostic(
      id: "lesson.isPlayed", what: "\(lesson) is being played by another program",
      fix: "continue there, or `lesson leave` there first")
  }

  /// The names of the folders that were kept: `NAME-1`, `NAME-2`, ….
  private func keptFolders(of lesson: String) -> [String] {
    (1...).lazy.map { "\(lesson)-\($0)" }.prefix { FileStatus("\(folder)/\($0)") != nil }
      .map(\.self)
  }

  /// Deletes the progress and files of a lesson, or of all.
  ///
  /// - Parameter deletesTexts: Whether folders with learners' texts are deleted too.
  /// - Returns: The names of the deleted files and folders, and those of the folders that are kept.
  func forget(_ lesson: String?, deletesTexts: Bool) throws -> (deleted: [String], kept: [String]) {
    let lessons = lesson.map { [$0] } ?? LessonSource.builtIn.map(\.name)
    // Only what this program creates; other files may be there, too.
    var names = lessons.flatMap { [$0] + keptFolders(of: $0) }
      .filter { FileStatus("\(folder)/\($0)")?.kind == .folder }
    if lesson == nil, FileStatus(file) != nil { names.append("progress.json") }
    names.sort()
    for name in names { try check(on: name) }
    if let lesson { try update { $0[lesson] = nil } }
    let kept = names.filter { !deletesTexts && LessonFolder.hasOwnFiles(workingFolder(of: $0)) }
    let deleted = names.filter { !kept.contains($0) }
    for name in deleted { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
    return (deleted, kept)
  }
}

/// The working folder of a lesson.
struct LessonFolder {
  let path: String
  let claim: FolderClaim?
  /// The folder with the files of an earlier start, if they are kept apart from this one.
  let kept: String?
  /// The folder with the texts of the learner, before they are moved to this one.
  fileprivate var earlier: String?

  /// The extensions of the texts that learners write.
  private static let extensions: Set = ["md", "strata", "mapping", "policy", "stages", "toml"]

  private static func texts(in folder: String) -> [String] {
    ((try? OpenedPath.names(in: folder)) ?? [])
      .filter { extensions.contains(URL(fileURLWithPath: $0).pathExtension) }
  }

  /// Whether a folder contains texts, or folders, which no command creates.
  static func hasOwnFiles(_ folder: String) -> Bool {
    !texts(in: folder).isEmpty || hasOwnFolders(folder)
  }

  private static func hasOwnFolders(_ folder: String) -> Bool {
    let bundles = ["xcdatamodeld", "xcdatamodel", "xcmappingmodel", "momd"]
    return ((try? OpenedPath.names(in: folder)) ?? []).contains { name in
      !bundles.contains(URL(fileURLWithPath: name).pathExtension) && !name.hasSuffix("_SUPPORT")
        && FileStatus("\(folder)/\(name)")?.kind == .folder
    }
  }

  /// Moves the texts of the learner from the earlier folder; those that the lesson's commands have written meanwhile are
  /// replaced.
  mutating func keepTexts() throws {
    guard let earlier else { return }
    self.earlier = nil
    var update = FolderUpdate()
    for name in Self.texts(in: earlier) {
      update.write(try FileBytes.read("\(earlier)/\(name)"), to: "\(path)/\(name)")
    }
    try update.commit()
    guard !Self.hasOwnFolders(earlier) else { return }
    try FileManager.default.removeItem(atPath: earlier)
  }
}
