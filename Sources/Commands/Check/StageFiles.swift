internal import StrataBase
internal import StrataExpressions
internal import StrataGit
internal import StrataMigration
internal import StrataNotebook

/// The files of a repository that the stages files of a project name: their scripts, and the files and folders that
/// these name.
///
/// A script can only read files in its folder. Each of its words counts that can be the path of such a file, whether or
/// not it exists.
struct StageFiles {
  /// The paths of files, and of folders with all their files.
  private var named: Set<[String]> = []
  /// The folders above them.
  private var above: Set<[String]> = []
  /// Whether a script is outside of the repository: git does not know whether it has changed.
  private(set) var hasOthers = false

  var isEmpty: Bool { named.isEmpty }

  /// - Parameters:
  ///   - files: The paths of the project's files; those of its stages files are read.
  ///   - root: The path of the top folder of the repository.
  ///   - read: The bytes of a file; `nil` if there is none.
  init(namedIn files: [[String]], root: String, read: ([String]) throws -> [UInt8]?) throws {
    var queue: [(script: [String], folder: [String])] = []
    for file in files where file.last?.hasSuffix(Session.stagesExtension) == true {
      // The check itself finds what is wrong with the file.
      guard let bytes = try read(file), let text = try? LineLanguage.stages.text(of: bytes),
        let stages = try? StageScript(parsing: text)
      else { continue }
      for script in stages.scripts {
        guard let names = Self.names(of: script, in: Array(file.dropLast()), root: root) else {
          hasOthers = true
          continue
        }
        queue.append((names, Array(names.dropLast())))
      }
    }
    while let (script, folder) = queue.popLast() {
      try Interruption.check()
      guard insert(script), let bytes = try read(script) else { continue }
      for word in Self.words(of: bytes, named: script.last ?? "") {
        // Relative to the first script, or to the one that it runs.
        for base in [folder, Array(script.dropLast())] {
          guard let names = Self.names(of: word, in: base, root: root),
            names.count > folder.count, names.starts(with: folder)
          else { continue }
          if SessionForm.form(forPath: word) != nil {
            queue.append((names, folder))
          } else {
            insert(names)
          }
        }
      }
    }
  }

  /// - Returns: Whether it is new.
  @discardableResult
  private mutating func insert(_ names: [String]) -> Bool {
    guard !names.isEmpty, named.insert(names).inserted else { return false }
    for count in names.indices.dropFirst() { above.insert(Array(names[..<count])) }
    return true
  }

  /// The words of a script's commands, and the values in those such as `--to=x`.
  private static func words(of bytes: [UInt8], named name: String) -> Set<String> {
    let text = String(decoding: bytes, as: UTF8.self)
    let form = SessionForm.form(forPath: name) ?? SessionForm.form(ofText: text)
    guard let document = try? SessionDocument(reading: text, form: form) else { return [] }
    var words: Set<String> = []
    for entry in document.entries {
      guard case .complete(let tokens) = CommandLineLexer.tokens(of: entry.command) else {
        continue
      }
      for token in tokens {
        words.insert(token.text)
        if let value = token.text.split(separator: "=", maxSplits: 1).last {
          words.insert(String(value))
        }
      }
    }
    return words
  }

  /// The path in the repository of a file that is named in a folder; `nil` if it is outside of the repository.
  private static func names(of path: String, in folder: [String], root: String) -> [String]? {
    var (names, rest) = (folder, path[...])
    if path.hasPrefix("/") {
      guard path.hasPrefix(root + "/") else { return nil }
      (names, rest) = ([], path.dropFirst(root.count + 1))
    }
    for name in rest.split(separator: "/") where name != "." {
      if name != ".." {
        names.append(String(name))
      } else if names.popLast() == nil {
        return nil
      }
    }
    return names
  }

  // MARK: Choices

  /// Whether a file or folder is named, is in a named folder, or is a part of a named store.
  func contains(_ names: [String]) -> Bool {
    guard !named.isEmpty, let name = names.last else { return false }
    return named.contains(names)
      || named.contains(names.dropLast() + [CoreDataFiles.storeName(of: name)])
      || !CoreDataFiles.isIrrelevant(names)
        && names.indices.dropFirst().contains { named.contains(Array(names[..<$0])) }
  }

  /// Whether a folder contains named files.
  func isBelow(_ folder: [String]) -> Bool { above.contains(folder) }

  /// A choice of these files besides those of another choice.
  func adding(to choice: @escaping GitFilter) -> GitFilter {
    guard !isEmpty else { return choice }
    return { names, kind in
      let isReached = names.indices.dropFirst().allSatisfy {
        choice(Array(names[..<$0]), .folder) != .exclude
      }
      let plain: GitChoice = isReached ? choice(names, kind) : .exclude
      if plain == .include || contains(names) { return .include }
      return kind == .folder && isBelow(names) ? .search : plain
    }
  }
}
