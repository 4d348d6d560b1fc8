import Foundation

/// A model in a few words, written as an `.xcdatamodel` that both Strata and Xcode's compiler read.
///
/// `A abstract: n int16! =5, bs ->> B.a ordered; B < A`: entities are separated by `;`, members by
/// `,`. Everything is optional unless `!` follows the type or the inverse. `key=value` is a key of
/// the XML, `^` a space in its value; a member that begins with `<` is XML. `unique a+b` is a
/// constraint, `index N a+b` a fetch index; `composite C: …` and `configuration X: A B` stand
/// beside entities.
struct ModelText {
  private static let types = [
    "int16": "Integer 16", "int32": "Integer 32", "int64": "Integer 64", "dec": "Decimal",
    "dbl": "Double", "flt": "Float", "str": "String", "bool": "Boolean", "date": "Date",
    "bin": "Binary", "uuid": "UUID", "uri": "URI", "trans": "Transformable",
  ]
  static let typeNames = types.keys.sorted()

  private var lines: [String] = []

  init(_ text: String) {
    for part in text.split(separator: ";") {
      let halves = part.split(separator: ":", maxSplits: 1)
      let head = Self.words(halves[0])
      let members = halves.count > 1 ? halves[1] : ""
      switch head[0] {
      case "configuration":
        let names = Self.words(members).map { Self.element("memberEntity", ["name=\($0)"]) }
        lines += [Self.element("configuration", ["name=\(head[1])"], names)]
      case "composite":
        lines.append(Self.element("composite", ["name=\(head[1])"], Self.members(members)))
      default:
        var keys = ["name=\(head[0])"] + head.dropFirst().filter { $0.contains("=") }
        if head.contains("abstract") { keys.append("isAbstract=YES") }
        if let mark = head.firstIndex(of: "<") { keys.append("parentEntity=\(head[mark + 1])") }
        lines.append(Self.element("entity", keys, Self.members(members)))
      }
    }
  }

  /// Writes the folder of an `.xcdatamodel`.
  func write(to model: URL) throws {
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    let keys = [
      "type=com.apple.IDECoreDataModeler.DataModel", "documentVersion=1.0",
      "lastSavedToolsVersion=22758", "systemVersion=23F79", "minimumToolsVersion=Automatic",
      "sourceLanguage=Swift", "userDefinedModelVersionIdentifier=",
    ]
    let contents = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    try (contents + Self.element("model", keys, lines))
      .write(to: model.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
  }

  private static func words(_ text: Substring) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  private static func element(_ name: String, _ keys: [String], _ inside: [String] = []) -> String {
    let written = keys.map { key -> String in
      let (name, value) = (key.prefix { $0 != "=" }, key.drop { $0 != "=" }.dropFirst())
      let escaped = value.replacing("^", with: " ").replacing("&", with: "&amp;")
        .replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
      return " \(name)=\"\(escaped)\""
    }
    return "<\(name)\(written.joined())>\(inside.joined(separator: "\n"))</\(name)>"
  }

  private static func members(_ text: Substring) -> [String] {
    let all = text.split(separator: ",").map(words).filter { !$0.isEmpty }
    let constraints = all.filter { $0[0] == "unique" }.map {
      element(
        "uniquenessConstraint", [], parts($0[1]).map { element("constraint", ["value=\($0)"]) })
    }
    return all.filter { $0[0] != "unique" }.map(member)
      + (constraints.isEmpty ? [] : [element("uniquenessConstraints", [], constraints)])
  }

  private static func parts(_ text: String) -> [String] {
    text.split(separator: "+").map(String.init)
  }

  private static func member(_ words: [String]) -> String {
    if words[0].hasPrefix("<") { return words.joined(separator: " ") }
    if words[0] == "index" {
      let indexed = parts(words[2]).map {
        element("fetchIndexElement", ["property=\($0)", "type=Binary", "order=ascending"])
      }
      return element("fetchIndex", ["name=\(words[1])"], indexed)
    }
    var keys = ["name=\(words[0])"]
    if !words.contains(where: { $0.hasSuffix("!") }) { keys.append("optional=YES") }
    let others = words.filter { $0.contains("=") && !$0.hasPrefix("=") }
    guard words[1].hasPrefix("->") else {
      let type = words[1].replacing("!", with: "")
      let composite = type.hasPrefix("comp.") ? ["composite=\(type.dropFirst(5))"] : []
      keys.append("attributeType=\(composite.isEmpty ? types[type] ?? type : "Composite")")
      let defaults = words.filter { $0.hasPrefix("=") }.map { "defaultValueString\($0)" }
      return element("attribute", keys + composite + defaults + others)
    }
    let target = words[2].replacing("!", with: "").split(separator: ".")
    keys += [words[1] == "->>" ? "toMany=YES" : "maxCount=1", "destinationEntity=\(target[0])"]
    if target.count > 1 { keys += ["inverseName=\(target[1])", "inverseEntity=\(target[0])"] }
    if words.contains("ordered") { keys.append("ordered=YES") }
    if !others.contains(where: { $0.hasPrefix("deletionRule") }) {
      keys.append("deletionRule=Nullify")
    }
    return element("relationship", keys + others)
  }
}
