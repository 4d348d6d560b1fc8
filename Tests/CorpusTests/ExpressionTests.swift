import Foundation
import StrataArchives
import StrataBase
import StrataExpressions
import StrataObjectModel
import TestSupport
import Testing

// Foundation has types of these names too.
private typealias Expression = StrataExpressions.Expression
private typealias Predicate = StrataExpressions.Predicate

/// Answers every key with itself, so that any path can be followed.
private struct AnyObject: EvaluatedObject {
  var identity: ObjectIdentity { ObjectIdentity(rootEntity: "Any", key: 1) }

  func value(forKey key: String) -> ExpressionValue {
    switch key {
    // What the corpus's expressions follow further, or compute with.
    case "sourceContext", "owner", "continent", "country": .object(self)
    case "content": .value(.text("twenty letters long!"))
    case "countries", "moods", "topics", "notes", "attachments":
      .collection([.object(self)], isOrdered: false)
    default: .value(.integer(7))
    }
  }
}

@Suite("Real expressions and predicates", .needsCorpus)
struct CorpusExpressionTests {
  /// Every file of the corpus with this ending.
  private static func files(_ ending: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: Corpus.folder.path)
      .filter { $0.hasSuffix(ending) }.sorted()
  }

  private static func check(_ expression: Expression, _ file: String) throws {
    #expect(try Expression(parsing: expression.text) == expression, "\(file): \(expression.text)")
    let context = EvaluationContext(
      object: AnyObject(),
      variables: ["source": .object(AnyObject()), "manager": .object(AnyObject())])
    switch expression {
    // What the migration manager itself answers.
    case .fetch, .function(_, on: .variable?, _): break
    default: #expect(throws: Never.self, "\(expression.text)") { try context.value(of: expression) }
    }
  }

  @Test("value expressions of mapping models")
  func mappingModels() throws {
    var texts: Set<String> = []
    var count = 0
    for file in try Self.files("xcmapping.xml") {
      let database = try MarkupElement(reading: FileBytes.read(Corpus.path(file)))
      for object in database.children where object.name == "object" {
        for attribute in object.children where attribute.name == "attribute" {
          switch attribute.attributes["name"] {
          case "valueexpressiondata":
            guard let data = Data(base64Encoded: attribute.text.filter { !$0.isWhitespace }),
              !data.isEmpty
            else { continue }
            let archive = try KeyedArchive(reading: Array(data))
            let expression = try Expression(archived: archive.root())
            try Self.check(expression, file)
            texts.insert(expression.text)
            count += 1
          case "sourcekeypath":
            let expression = try Expression(parsing: attribute.text)
            try Self.check(expression, file)
            texts.insert(expression.text)
            count += 1
          case "sourcefilterpredicatestring":
            let predicate = try Predicate(parsing: attribute.text)
            #expect(try Predicate(parsing: predicate.text) == predicate)
            texts.insert(predicate.text)
            count += 1
          default: continue
          }
        }
      }
    }
    #expect(count >= 20)
    #expect(texts.contains("$source.content.length * 0.2"))
    #expect(texts.contains("$source.timeBudget * 60"))
    #expect(texts.contains(#"topicList.title MATCHES "[a-hA-H].*""#))
  }

  @Test("expressions of a compiled mapping model")
  func compiledMappingModel() throws {
    var texts: Set<String> = []
    for file in try Self.files(".cdm") {
      let root = try KeyedArchive(reading: FileBytes.read(Corpus.path(file))).root()
      for mapping in try root.elements("NSEntityMappings") {
        var parts = try [mapping.object("NSSourceExpression")].compactMap { $0 }
        for list in ["NSAttributeMappings", "NSRelationshipMappings"] {
          parts += try mapping.elements(list).compactMap { try $0.object("NSValueExpression") }
        }
        for part in parts {
          let expression = try Expression(archived: part)
          try Self.check(expression, file)
          texts.insert(expression.text)
        }
      }
    }
    #expect(texts.count >= 10)
    #expect(
      texts.contains(
        #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Car", "TRUEPREDICATE"), $manager.sourceContext, NO)"#
      ))
  }

  @Test("predicates of models")
  func models() throws {
    var count = 0
    for path in try Corpus.expectedHashes().keys where Corpus.exists(path + "/contents") {
      let root = try MarkupElement(reading: FileBytes.read(Corpus.path(path + "/contents")))
      var open = [root]
      while let element = open.popLast() {
        open += element.children
        guard let text = element.attributes["predicateString"] else { continue }
        let predicate = try Predicate(parsing: text)
        #expect(try Predicate(parsing: predicate.text) == predicate)
        let model = try ObjectModel(ModelDocument(markup: root))
        #expect(throws: Never.self, "\(text)") {
          try model.resolved(
            predicate, object: .object(element.attributes["entity"] ?? ""),
            variables: ["humanName": .unknown, "parent": .unknown, "parentName": .unknown])
        }
        count += 1
      }
    }
    #expect(count >= 5)
  }
}
