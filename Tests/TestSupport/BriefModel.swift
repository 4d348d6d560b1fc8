package import StrataObjectModel

/// Models in a short form: a line for each entity, and below it an indented line for each property.
///
///     Base abstract
///       title String required
///     Topic: Base from=Subject
///       count Integer_16 defaultValueString=1
///       list -> List inverse=topics
///     List
///       topics -> Topic many ordered inverse=list
///
/// A word with `=` is an attribute of the model's XML; a property is optional.
package enum BriefModel {
  /// The entities in XML.
  package static func entities(_ text: String) -> String {
    var (entities, isOpen) = ("", false)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard line.first != " " else {
        entities += property(words)
        continue
      }
      let name = words[0].prefix { $0 != ":" }
      var keys = words.dropFirst()
      var parent = ""
      if name.count < words[0].count { parent = " parentEntity='\(keys.removeFirst())'" }
      entities +=
        (isOpen ? "</entity>" : "") + "<entity name='\(name)'\(parent)\(attributes(keys))>"
      isOpen = true
    }
    return entities + (isOpen ? "</entity>" : "")
  }

  private static func property(_ words: [String]) -> String {
    if words[0] == "unique" {
      let names = words.dropFirst().map { "<constraint value='\($0)'/>" }.joined()
      return
        "<uniquenessConstraints><uniquenessConstraint>\(names)</uniquenessConstraint></uniquenessConstraints>"
    }
    let optional = words.contains("required") ? "" : " optional='YES'"
    guard words[1] == "->" else {
      let type = words[1].replacing("_", with: " ")
      return
        "<attribute name='\(words[0])' attributeType='\(type)'\(optional)\(attributes(words[2...]))/>"
    }
    let one = words.contains("many") ? "" : " maxCount='1'"
    return
      "<relationship name='\(words[0])' destinationEntity='\(words[2])'\(optional)\(one)\(attributes(words[3...]))/>"
  }

  private static func attributes(_ words: ArraySlice<String>) -> String {
    words.map { word in
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        return switch word {
        case "abstract": " isAbstract='YES'"
        case "many": " toMany='YES'"
        case "ordered", "transient", "derived": " \(word)='YES'"
        case "external": " allowsExternalBinaryDataStorage='YES'"
        default: ""
        }
      }
      let name = ["from": "elementID", "inverse": "inverseName"][parts[0]] ?? parts[0]
      return " \(name)='\(parts[1])'"
    }.joined()
  }
}

extension ObjectModel {
  /// A model in the short form of ``BriefModel``.
  package init(brief text: String) throws {
    let entities = BriefModel.entities(text)
    try self.init(ModelDocument(reading: Array("<model>\(entities)</model>".utf8)))
  }
}

extension TemporaryFolder {
  /// Writes `X.xcdatamodeld` with these versions, each in the short form of ``BriefModel``.
  package func writeBundle(brief versions: KeyValuePairs<String, String>) throws {
    for (name, text) in versions { try writeBundle([name: BriefModel.entities(text)]) }
  }
}
