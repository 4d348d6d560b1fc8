internal import StrataArchives
internal import StrataBase
internal import StrataObjectModel

/// The versions that were shipped, for projects without release tags: the file `strata.lock`.
///
/// It contains only Core Data's hashes, so that the same models give the same bytes:
///
///     model App
///
///     version App                     shipped 1.0
///       checksum  vPgR5Gmc24PYyaVdV1NymhWz3YVXpG4kBMa5TQnrhNc=
///       Topic     cb75b3e2fa30458cd4538d5aa54e84a2248bed5164a021f8f507608b08d6d89c
///
///     version "App 2"                 retired "minimum is 3.0 since 2025-04"
///
/// A name with spaces is quoted; a line that begins with `#` is a comment.
struct LockFile {
  static let fileName = "strata.lock"

  struct Version {
    var name: String
    /// The release that contained it; `nil` if it is retired.
    var release: String?
    /// Why it is retired; `nil` if it is not.
    var reason: String?
    var hashes: [String: VersionHash] = [:]
    var checksum: String?
    var line: Int
    /// Its lines as they are in the file.
    fileprivate(set) var text: [String]
  }

  struct Model {
    var name: String
    var versions: [Version] = []
    fileprivate var text: [String]

    func version(named name: String) -> Version? { versions.first { $0.name == name } }

    /// The versions that are not retired, in the order of the file.
    var shipped: [Version] { versions.filter { $0.release != nil } }

    func isRetired(_ name: String) -> Bool { version(named: name)?.reason != nil }
  }

  private(set) var models: [Model] = []
  /// The lines above the first model.
  private var preamble: [String] = []
  private var lineEnd = "\n"

  init() {}

  // MARK: Reading

  /// The file of a project; `nil` if there is none.
  ///
  /// - Throws: ``Diagnostic`` with its line.
  static func read(at root: String, in session: Session) throws -> LockFile? {
    let path = try session.path("\(root)/\(fileName)")
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileBytes.read(path, limit: 16 << 20)
    } catch {
      if case .notFound = error { return nil }
      throw error.diagnostic
    }
    let shown = ProjectState.relative(session.shown(path), to: ".")
    do {
      return try read(bytes)
    } catch let error as Diagnostic {
      var error = error
      error.location?.file = shown
      throw error
    }
  }

  private static func read(_ bytes: [UInt8]) throws -> LockFile {
    let lock = try LockFile(parsing: bytes)
    // One at a base does not prevent that the reason is written.
    for version in lock.models.flatMap(\.versions)
    where version.reason?.allSatisfy(\.isWhitespace) == true {
      throw Self.error(
        "\(version.name) is retired without a reason", version.line,
        fix: "write the reason in quotes after `retired`, such as \"minimum is 3.0\"")
    }
    return lock
  }

  /// - Throws: ``Diagnostic`` with the line.
  init(parsing bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    // A checkout on Windows can convert the line ends.
    if text.contains("\r\n") { lineEnd = "\r\n" }
    var lines = text.replacing("\r\n", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    for (number, line) in zip(1..., lines) {
      guard let words = Self.words(of: line), try add(words, line, number) else {
        throw Self.error("the line is not valid", number)
      }
    }
    for version in models.flatMap(\.versions) where version.release != nil {
      guard version.checksum == version.hashes.versionChecksum else {
        throw Self.error("the checksum of \(version.name) does not fit its hashes", version.line)
      }
    }
  }

  private static func error(
    _ what: String, _ line: Int, fix: String = "restore the file from git; `lock` adds versions"
  ) -> Diagnostic {
    Diagnostic(
      id: "lock.syntax", what: what, location: Location(file: fileName, line: line), fix: fix)
  }

  /// - Returns: `false` if the line is not valid.
  private mutating func add(_ words: [String], _ line: String, _ number: Int) throws -> Bool {
    let (last, isIndented) = (models.count - 1, line.hasPrefix(" "))
    switch (words.first, words.count, isIndented) {
    case (nil, _, _): add(line)
    case ("model", 2, false):
      guard !models.contains(where: { $0.name == words[1] }) else { return false }
      models.append(Model(name: words[1], text: [line]))
    case ("version", 4, false):
      guard last >= 0, ["shipped", "retired"].contains(words[2]),
        models[last].version(named: words[1]) == nil
      else { return false }
      let isShipped = words[2] == "shipped"
      models[last].versions.append(
        Version(
          name: words[1], release: isShipped ? words[3] : nil,
          reason: isShipped ? nil : words[3], line: number, text: [line]))
    case (let key?, 2, true):
      guard last >= 0, let version = models[last].versions.indices.last else { return false }
      if let hash = VersionHash(hex: words[1]) {
        guard models[last].versions[version].hashes.updateValue(hash, forKey: key) == nil else {
          return false
        }
      } else if key == "checksum", models[last].versions[version].checksum == nil {
        models[last].versions[version].checksum = words[1]
      } else {
        return false
      }
      add(line)
    default: return false
    }
    return true
  }

  /// Adds a line to the last version or model.
  private mutating func add(_ line: String) {
    guard let model = models.indices.last else { return preamble.append(line) }
    guard let version = models[model].versions.indices.last else {
      return models[model].text.append(line)
    }
    models[model].versions[version].text.append(line)
  }

  /// The words of a line, none for a comment; `nil` if a quote is not closed.
  private static func words(of line: String) -> [String]? {
    var words: [String] = []
    var rest = line.unicodeScalars.drop { $0 == " " }
    while let first = rest.first, first != "#" || !words.isEmpty {
      if first == "\"" {
        rest.removeFirst()
        var word = ""
        while let scalar = rest.popFirst(), scalar != "\"" {
          guard let next = scalar == "\\" ? rest.popFirst() : scalar else { return nil }
          word.unicodeScalars.append(next)
          if rest.isEmpty { return nil }
        }
        words.append(word)
      } else {
        let word = rest.prefix { $0 != " " && $0 != "\r" }
        words.append(String(word))
        rest = rest[word.endIndex...]
      }
      rest = rest.drop { $0 == " " || $0 == "\r" }
    }
    return words
  }

  // MARK: Models and bundles

  /// The models of bundles, by the paths of these. A bundle has the model of its name; if it was renamed, one that no
  /// bundle is named after and of which it has a shipped version.
  func models(of bundles: [ProjectState.Bundle]) -> [String: Model] {
    var found: [String: Model] = [:]
    for bundle in bundles { found[bundle.path] = self[bundle.name] }
    let names = Set(bundles.map(\.name))
    for model in models where !names.contains(model.name) {
      let renamed = bundles.first { bundle in
        found[bundle.path] == nil
          && model.shipped.contains { bundle.version(withHashes: $0.hashes) != nil }
      }
      if let renamed { found[renamed.path] = model }
    }
    return found
  }

  /// The model that was one of an older file: that of its name or, if it was renamed, a new one with one of its
  /// versions.
  ///
  /// - Parameter old: The older file.
  func model(like model: Model, of old: LockFile) -> Model? {
    self[model.name]
      ?? models.first { new in
        old[new.name] == nil
          && new.versions.contains { model.version(named: $0.name)?.hashes == $0.hashes }
      }
  }

  // MARK: Changing

  subscript(model: String) -> Model? { models.first { $0.name == model } }

  /// Adds a version, or replaces its lines; its place is by the order of numbers.
  mutating func ship(
    _ name: String, of model: String, _ hashes: [String: VersionHash], in release: String
  ) {
    let index = models.firstIndex { $0.name == model } ?? models.count
    if index == models.count {
      separate()
      models.append(Model(name: model, text: ["model \(Self.quoted(model))", ""]))
    }
    let version = Self.version(name, hashes, in: release)
    if let old = models[index].versions.firstIndex(where: { $0.name == name }) {
      let blank = models[index].versions[old].text.reversed().prefix { $0.isEmpty }
      models[index].versions[old] = version
      models[index].versions[old].text += blank
    } else {
      let place =
        models[index].versions.firstIndex { name.precedesByNumber($0.name) }
        ?? models[index].versions.count
      models[index].versions.insert(version, at: place)
      if place > 0 {
        Self.end(&models[index].versions[place - 1].text)
      } else {
        Self.end(&models[index].text)
      }
      let isLast = index == models.count - 1 && place == models[index].versions.count - 1
      if !isLast { models[index].versions[place].text.append("") }
    }
  }

  private static func end(_ lines: inout [String]) { if lines.last != "" { lines.append("") } }

  /// Adds an empty line at the end.
  private mutating func separate() {
    guard let model = models.indices.last else {
      if !preamble.isEmpty { Self.end(&preamble) }
      return
    }
    if let version = models[model].versions.indices.last {
      Self.end(&models[model].versions[version].text)
    } else {
      Self.end(&models[model].text)
    }
  }

  private static func version(
    _ name: String, _ hashes: [String: VersionHash], in release: String
  ) -> Version {
    let rows =
      [("checksum", hashes.versionChecksum)]
      + hashes.sorted { $0.key.precedesInBytes($1.key) }.map { (quoted($0.key), $0.value.hex) }
    let width = rows.map(\.0.count).max() ?? 0
    return Version(
      name: name, release: release, hashes: hashes, checksum: hashes.versionChecksum, line: 0,
      text: ["version \(padded(quoted(name), to: 23)) shipped \(quoted(release))"]
        + rows.map { "  \(padded($0.0, to: width))  \($0.1)" })
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }
    guard text.isEmpty || !isPlain || text.hasPrefix("#") else { return text }
    // As they are read: a quote or a backslash can have combining marks.
    let inner = text.unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\"
        ? "\\\(scalar)" : Character(scalar).isNewline ? " " : String(scalar)
    }
    return "\"\(inner.joined())\""
  }

  var text: String {
    let lines =
      preamble + models.flatMap { model in model.text + model.versions.flatMap(\.text) }
    return lines.map { $0 + lineEnd }.joined()
  }
}
