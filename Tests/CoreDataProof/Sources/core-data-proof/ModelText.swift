import Foundation

/// A model in a few words, written as an `.xcdatamodel` that both Strata and Xcode's compiler read.
///
/// `A abstract: n int16! =5, bs ->> B.a ordered; B < A`: entities are separated by `;`, members by
/// `,`. Everything is optional unless `!` follows the type or the inverse. `key=value` is a key of
/// the XML, `^` a space in its value; a part that begins with `<` is XML. `unique a+b` is a
/// constraint; `composite C: …` is a part like an entity.
struct ModelText {
  private static let types = [
    "int16": "Integer 16", "int32": "Integer 32", "int64": "Integer 64", "dec": "Decimal",
    "dbl": "Double", "flt": "Float", "str": "String", "bool": "Boolean", "date": "Date",
    "bin": "Binary", "uuid": "UUID", "uri": "URI", "trans": "Transformable",
  ]
  static let typeNames = types.keys.sorted()
  private var parts: [String]

  init(_ text: String) {
    parts = text.split(separator: ";").map { part in
      let halves = part.split(separator: ":", maxSplits: 1)
      let (head, members) = (Self.words(halves[0]), halves.count > 1 ? halves[1] : "")
      if head[0].hasPrefix("<") { return head.joined(separator: " ") }
      if head[0] == "composite" {
        return Self.element("composite", ["name=\(head[1])"], Self.members(members))
      }
      var keys = ["name=\(head[0])"] + head.dropFirst().filter { $0.contains("=") }
      if head.contains("abstract") { keys.append("isAbstract=YES") }
      if let mark = head.firstIndex(of: "<") { keys.append("parentEntity=\(head[mark + 1])") }
      return Self.element("entity", keys, Self.members(members))
    }
  }

  /// Writes the folder of an `.xcdatamodel`.
  func write(to model: URL) throws {
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    let keys = [
      "type=com.apple.IDECoreDataModeler.DataModel", "documentVersion=1.0", "sourceLanguage=Swift",
      "lastSavedToolsVersion=22758", "systemVersion=23F79", "minimumToolsVersion=Automatic",
      "userDefinedModelVersionIdentifier=",
    ]
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    let contents = Data((head + Self.element("model", keys, parts)).utf8)
    try contents.write(to: model.appendingPathComponent("contents"))
  }

  private static func words(_ text: some StringProtocol, _ separator: Character = " ") -> [String] {
    String(text).split(separator: separator).map(String.init)
  }

  private static func element(_ name: String, _ keys: [String], _ inside: [String] = []) -> String {
    let written = keys.map { key -> String in
      let (name, value) = (key.prefix { $0 != "=" }, key.drop { $0 != "=" }.dropFirst())
      let escaped = value.replacing("^", with: " ").replacing("&", with: "&amp;")
      return " \(name)=\"\(escaped.replacing("<", with: "&lt;").replacing("\"", with: "&quot;"))\""
    }
    return "<\(name)\(written.joined())>\(inside.joined(separator: "\n"))</\(name)>"
  }

  private static func members(_ text: some StringProtocol) -> [String] {
    let all = words(text, ",").map { words($0) }.filter { !$0.isEmpty }
    let constraints = all.filter { $0[0] == "unique" }.map { unique in
      let names = words(unique[1], "+").map { element("constraint", ["value=\($0)"]) }
      return element("uniquenessConstraint", [], names)
    }
    return all.filter { $0[0] != "unique" }.map(member)
      + (constraints.isEmpty ? [] : [element("uniquenessConstraints", [], constraints)])
  }

  private static func member(_ words: [String]) -> String {
    if words[0].hasPrefix("<") { return words.joined(separator: " ") }
    var keys = ["name=\(words[0])"] + words.filter { $0.contains("=") && !$0.hasPrefix("=") }
    if !words.contains(where: { $0.hasSuffix("!") }) { keys.append("optional=YES") }
    guard words[1].hasPrefix("->") else {
      let type = words[1].replacing("!", with: "")
      let isComposite = type.hasPrefix("comp.")
      keys.append("attributeType=\(isComposite ? "Composite" : types[type] ?? type)")
      if isComposite { keys.append("composite=\(type.dropFirst(5))") }
      keys += words.filter { $0.hasPrefix("=") }.map { "defaultValueString\($0)" }
      return element("attribute", keys)
    }
    let target = self.words(words[2].replacing("!", with: ""), ".")
    keys += [words[1] == "->>" ? "toMany=YES" : "maxCount=1", "destinationEntity=\(target[0])"]
    if target.count > 1 { keys += ["inverseName=\(target[1])", "inverseEntity=\(target[0])"] }
    if words.contains("ordered") { keys.append("ordered=YES") }
    if !words.contains(where: { $0.hasPrefix("deletionRule") }) {
      keys.append("deletionRule=Nullify")
    }
    return element("relationship", keys)
  }
}
