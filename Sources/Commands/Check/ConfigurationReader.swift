internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMigration
internal import TOMLKit

/// Reads `strata.toml`, which may be the file of another person: each error says where it is and how to fix it.
struct ConfigurationReader {
  private static let sizeLimit = 1 << 20

  /// The bytes of the file; empty if there is none.
  ///
  /// - Throws: ``Diagnostic`` if it is a link or no file.
  static func bytes(of path: String, shown: String) throws -> [UInt8] {
    guard FileStatus(path)?.kind != .link else {
      throw Diagnostic(
        id: "configuration.badValue", what: "the configuration is a symbolic link",
        location: Location(file: shown), fix: "replace the link with a file")
    }
    do throws(FileError) {
      return try FileBytes.read(path, limit: sizeLimit)
    } catch {
      if case .notFound = error { return [] }
      throw error.diagnostic
    }
  }

  /// - Parameter file: The path of the file in errors.
  /// - Throws: ``Diagnostic`` with line and key.
  static func read(_ bytes: [UInt8], named file: String) throws -> CheckConfiguration {
    func syntax(_ what: String, _ line: Int?, _ column: Int?) -> Diagnostic {
      Diagnostic(
        id: "configuration.syntax", what: what,
        location: Location(file: file, line: line, column: column),
        fix: "correct the line; https://toml.io describes the format")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      let line = bytes.firstIndex(of: 0).map { bytes[..<$0].count { $0 == 10 } + 1 }
      throw syntax("the file is not UTF-8 text", line, nil)
    }
    if let line = Self.lineOfTooManyParts(bytes) {
      throw syntax("the keys have more than \(Self.partLimit) parts", line, nil)
    }
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw syntax(
        "the file is not valid TOML: \(error.description.prefix(200))", error.source.begin.line,
        error.source.begin.column)
    }
    return try configuration(
      ConfigurationTable(table, path: "", file: file, lines: ConfigurationLines(text)))
  }

  /// The maximum number of dots outside strings: the parser calls itself for each part of a key.
  private static let partLimit = 10_000

  /// The line of the dot that is one too many.
  private static func lineOfTooManyParts(_ bytes: [UInt8]) -> Int? {
    var (line, count) = (1, 0)
    var quote: UInt8?
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        quote = nil
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
      case UInt8(ascii: ".") where quote == nil:
        count += 1
        if count > partLimit { return line }
      default: break
      }
    }
    return nil
  }

  private static func configuration(
    _ root: ConfigurationTable
  ) throws(Diagnostic) -> CheckConfiguration {
    try root.checkKeys(["released", "bundle", "severity", "accept"])
    var configuration = CheckConfiguration()
    configuration.file = root.file
    configuration.released = try root.text("released")
    for table in try root.tables("bundle") {
      let bundle = try bundle(table)
      if configuration.bundles.contains(where: { $0.path == bundle.path }) {
        throw table.error("\(bundle.path) is configured twice", "path", fix: "remove one table")
      }
      configuration.bundles.append(bundle)
    }
    if let table = try root.table("severity") {
      configuration.severities = try severities(table)
    }
    var known: Set<String> = []
    for table in try root.tables("accept") {
      let accepted = try accepted(table)
      guard known.insert(accepted.finding).inserted else {
        throw table.error(
          "\(accepted.finding) is accepted twice", "finding", fix: "remove one table")
      }
      configuration.accepted.append(accepted)
    }
    return configuration
  }

  private static func bundle(
    _ table: ConfigurationTable
  ) throws(Diagnostic) -> CheckConfiguration.Bundle {
    try table.checkKeys([
      "path", "released", "mappings", "policies", "strategy", "oldest", "stores", "rows",
      "cloudkit",
    ])
    guard let path = try table.path("path") else {
      throw table.error(
        "the path of the bundle is missing", "path",
        fix: "add it, relative to the folder of the file: path = \"App/App.xcdatamodeld\"")
    }
    var bundle = CheckConfiguration.Bundle(path: path)
    bundle.line = table.line
    bundle.mappings = try table.paths("mappings")
    bundle.policies = try table.paths("policies")
    bundle.stores = try table.paths("stores")
    bundle.released = try table.text("released")
    bundle.oldest = try table.text("oldest")
    bundle.cloudkit = try table.flag("cloudkit")
    if let text = try table.text("strategy") {
      let names = MigrationStrategy.allCases.map(\.rawValue)
      guard let strategy = MigrationStrategy(rawValue: text) else {
        throw table.error(
          "there is no strategy \(text)", "strategy",
          fix: NearestName.of(text, in: names).map { NearestName.question($0) }
            ?? "choose one of \(names.joined(separator: ", "))")
      }
      bundle.strategy = strategy
    }
    if let rows = try table.integer("rows") {
      guard (1...10_000).contains(rows) else {
        throw table.error(
          "\(rows) generated objects of each entity are not possible", "rows",
          fix: "choose a number from 1 to 10000")
      }
      bundle.rows = rows
    }
    return bundle
  }

  private static func severities(
    _ table: ConfigurationTable
  ) throws(Diagnostic) -> [CheckRule.Kind: Diagnostic.Severity] {
    try table.checkKeys(CheckRule.Kind.allCases.map(\.rawValue))
    var severities: [CheckRule.Kind: Diagnostic.Severity] = [:]
    for kind in CheckRule.Kind.allCases {
      let value = table.isFalse(kind.rawValue) ? "off" : try table.text(kind.rawValue)
      guard let value else { continue }
      guard let severity = Diagnostic.Severity(rawValue: value) else {
        let isOff = ["off", "none", "ignore", "disabled", "false"].contains(value.lowercased())
        throw table.error(
          isOff ? "a rule cannot be switched off" : "there is no severity \(value)", kind.rawValue,
          fix: isOff
            ? "choose error, warning or note; to accept a single finding, add it as [[accept]]"
            : "choose error, warning or note")
      }
      severities[kind] = severity
    }
    return severities
  }

  private static func accepted(
    _ table: ConfigurationTable
  ) throws(Diagnostic) -> CheckConfiguration.Accepted {
    try table.checkKeys(["finding", "reason", "until"])
    guard let finding = try table.text("finding") else {
      throw table.error(
        "the accepted finding is missing", "finding",
        fix: "copy the text of `finding` from `check --json`")
    }
    guard let reason = try table.text("reason") else {
      throw table.error(
        "the reason is missing", "reason", fix: "say why the project accepts it: reason = \"…\"")
    }
    return CheckConfiguration.Accepted(
      finding: finding,
      acceptance: FindingAcceptance(reason: reason, until: try table.date("until")),
      line: table.line)
  }
}

/// A table of the configuration with its path, for errors.
private struct ConfigurationTable {
  private let table: TOMLTable
  private let path: String
  let file: String
  private let lines: ConfigurationLines

  private static let limits = (text: 2000, items: 200)

  init(_ table: TOMLTable, path: String, file: String, lines: ConfigurationLines) {
    (self.table, self.path, self.file, self.lines) = (table, path, file, lines)
  }

  var line: Int? { lines[path] }

  private func keyPath(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  func error(
    _ what: String, _ key: String, id: String = "configuration.badValue", fix: String
  ) -> Diagnostic {
    let path = keyPath(key)
    return Diagnostic(
      id: id, what: what,
      location: Location(file: file, line: lines[path] ?? line, element: path), fix: fix)
  }

  func checkKeys(_ known: [String]) throws(Diagnostic) {
    for key in table.keys.sorted(by: { $0.precedesInBytes($1) }) where !known.contains(key) {
      throw error(
        "unknown key \(key.prefix(100))", key, id: "configuration.unknownKey",
        fix: NearestName.of(key, in: known).map { NearestName.question($0) }
          ?? (known.count < 10
            ? "the keys are \(Phrase.list(known))" : "`help rules` lists the rules"))
    }
  }

  private func wrongType(
    _ value: any TOMLValueConvertible, _ key: String, _ wanted: String
  ) -> Diagnostic {
    let kind = value.type.description
    return error(
      "expected \(wanted), found \("aeiou".contains(kind.prefix(1)) ? "an" : "a") \(kind)", key,
      fix: "write \(wanted)")
  }

  func text(_ key: String) throws(Diagnostic) -> String? {
    guard let value = table[key] else { return nil }
    guard let text = value.string else { throw wrongType(value, key, "a text in quotes") }
    return try checked(text, key)
  }

  private func checked(_ text: String, _ key: String) throws(Diagnostic) -> String {
    guard !text.allSatisfy(\.isWhitespace) else {
      throw error("the text is empty", key, fix: "write a text, or remove the key")
    }
    guard text.utf8.count <= Self.limits.text else {
      throw error(
        "the text is longer than \(Self.limits.text) bytes", key, fix: "write a shorter one")
    }
    return text
  }

  func integer(_ key: String) throws(Diagnostic) -> Int? {
    guard let value = table[key] else { return nil }
    guard let number = value.int else { throw wrongType(value, key, "a whole number") }
    return number
  }

  func flag(_ key: String) throws(Diagnostic) -> Bool? {
    guard let value = table[key] else { return nil }
    guard let flag = value.bool else { throw wrongType(value, key, "true or false") }
    return flag
  }

  func isFalse(_ key: String) -> Bool { table[key]?.bool == false }

  /// A month or a day.
  func date(_ key: String) throws(Diagnostic) -> String? {
    guard let value = table[key] else { return nil }
    let text: String
    if let date = value.date {
      text = date.debugDescription
    } else {
      text = try self.text(key) ?? ""
    }
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard text.wholeMatch(of: /[0-9]{4}-[0-9]{2}(-[0-9]{2})?/) != nil,
      DateComponents(
        calendar: Calendar(identifier: .gregorian), year: parts[0], month: parts[1],
        day: parts.count > 2 ? parts[2] : 1
      ).isValidDate
    else {
      throw error(
        "\(text) is neither a month nor a day", key,
        fix: "write a month such as \"2027-01\", or a day such as \"2027-01-31\"")
    }
    return text
  }

  func path(_ key: String) throws(Diagnostic) -> String? {
    try text(key).map { text throws(Diagnostic) in try contained(text, key) }
  }

  func paths(_ key: String) throws(Diagnostic) -> [String]? {
    guard let value = table[key] else { return nil }
    guard let array = value.array, array.count <= Self.limits.items else {
      if value.array != nil {
        throw error(
          "there are more than \(Self.limits.items) paths", key, fix: "name a folder instead")
      }
      throw wrongType(value, key, "a list of texts, such as [\"App/Migrations\"]")
    }
    var paths: [String] = []
    for item in array {
      guard let text = item.string else { throw wrongType(item, key, "a list of texts") }
      paths.append(try contained(checked(text, key), key))
    }
    return paths
  }

  /// A path without `.` and a slash at its end, that does not lead out of the project.
  private func contained(_ path: String, _ key: String) throws(Diagnostic) -> String {
    let names = path.split(separator: "/")
    guard !path.hasPrefix("/"), !path.hasPrefix("~"), !names.contains("..") else {
      throw error(
        "\(path) leads out of the project", key,
        fix: "write a path below the folder of \(CheckConfiguration.fileName)")
    }
    let plain = names.filter { $0 != "." }.joined(separator: "/")
    return plain.isEmpty ? "." : plain
  }

  func table(_ key: String) throws(Diagnostic) -> ConfigurationTable? {
    guard let value = table[key] else { return nil }
    guard let inner = value.table else { throw wrongType(value, key, "a table: [\(key)]") }
    return ConfigurationTable(inner, path: keyPath(key), file: file, lines: lines)
  }

  /// The tables of an array: `[[bundle]]`.
  func tables(_ key: String) throws(Diagnostic) -> [ConfigurationTable] {
    guard let value = table[key] else { return [] }
    guard let array = value.array else {
      throw wrongType(value, key, "an array of tables: [[\(key)]]")
    }
    var tables: [ConfigurationTable] = []
    for (index, item) in array.enumerated() {
      guard let inner = item.table else {
        throw wrongType(item, key, "an array of tables: [[\(key)]]")
      }
      tables.append(
        ConfigurationTable(
          inner, path: "\(keyPath(key))[\(index)]", file: file, lines: lines))
    }
    return tables
  }
}

/// The lines of the keys, which the parser does not give: `bundle[0].path` is on line 3.
private struct ConfigurationLines {
  private var lines: [String: Int] = [:]

  init(_ text: String) {
    var (table, counts): (String, [String: Int]) = ("", [:])
    let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in zip(1..., all) {
      let start = line.drop(while: \.isWhitespace)
      if start.hasPrefix("[[") {
        let name = Self.key(start.dropFirst(2))
        table = "\(name)[\(counts[name, default: 0])]"
        counts[name, default: 0] += 1
        lines[table] = number
      } else if start.hasPrefix("[") {
        table = Self.key(start.dropFirst())
        lines[table] = number
      } else if start.contains("=") {
        let key = Self.key(start)
        let path = table.isEmpty ? key : "\(table).\(key)"
        lines[path] = lines[path] ?? number
      }
    }
  }

  /// The key at the start of a line, without quotes.
  private static func key(_ line: Substring) -> String {
    let text = line.drop(while: \.isWhitespace)
    if let quote = text.first, quote == "\"" || quote == "'" {
      return String(text.dropFirst().prefix { $0 != quote })
    }
    return text.prefix { $0 != "=" && $0 != "]" }.trimmed
  }

  subscript(path: String) -> Int? { lines[path] }
}
