import StrataBase
import StrataMapping
import StrataObjectModel
import TestSupport
import Testing

@Suite("Mapping lint")
struct MappingLintTests {
  private static let source = """
    <entity name="Parent"><attribute name="name" optional="YES" attributeType="String"/></entity>
    <entity name="Child" parentEntity="Parent">
      <attribute name="age" optional="YES" attributeType="Integer 16"/>
      <attribute name="born" optional="YES" attributeType="Date"/>
      <relationship name="home" optional="YES" maxCount="1" destinationEntity="Home" inverseName="children" inverseEntity="Home"/>
    </entity>
    <entity name="Home">
      <attribute name="street" optional="YES" attributeType="String"/>
      <relationship name="children" optional="YES" toMany="YES" destinationEntity="Child" inverseName="home" inverseEntity="Child"/>
    </entity>
    """
  private static let destination = source.replacing(
    #"<attribute name="street" optional="YES""#, with: #"<attribute name="street""#)

  private static func model(_ entities: String) throws -> MatchableModel {
    MatchableModel(
      try ObjectModel(ModelDocument(reading: Array("<model>\(entities)</model>".utf8))))
  }

  private static let whole = """
    ParentToParent: Parent -> Parent
    ChildToChild: Child -> Child
    HomeToHome: Home -> Home
      street = 'none'

    """

  private static func findings(_ parts: String...) throws -> [Finding] {
    let (first, last) = (try model(source), try model(destination))
    let scripts = try parts.map { try MappingScript(parsing: $0) }
    return MappingLint(
      try scripts.map { try $0.mapping(from: first, to: last) }, from: first, to: last,
      omitted: scripts.reduce(into: [:]) { $0.merge($1.omittedProperties) { $0.union($1) } }
    ).findings
  }

  @Test("a mapping model without errors has no findings")
  func clean() throws {
    #expect(try Self.findings(Self.whole).isEmpty)
  }

  @Test(
    "each error is found, and nothing else",
    arguments: [
      ("street = 'none'", "street = $source.stret", "badExpression"),
      ("street = 'none'", "street = $source.children.@sum.ag", "badExpression"),
      ("street = 'none'", "street = FUNCTION($source, 'street:', 1)", "badExpression"),
      ("street = 'none'", "street = 5", "unfitting"),
      ("street = 'none'", "street = $source.children", "unfitting"),
      ("street = 'none'", "street = $source.street", "mayBeMissing"),
      ("street = 'none'", "street = source.street", "withoutSource"),
      ("street = 'none'", "street = 'none'\n  children <- $source.children", "notThrough"),
      ("street = 'none'", "street = default", "missingValue"),
      ("Child -> Child", "Child -> Child\n  age = default", "leftBehind"),

      ("street = 'none'", "street = 'none'\n  strete = 'none'", "unknownProperty"),
      (
        "street = 'none'", "street = 'none'\n  children <- $source.children through Nobody",
        "unknownMapping"
      ),
      (
        "street = 'none'", "street = 'none'\n  children <- $source.children through HomeToHome",
        "wrongMapping"
      ),
      (
        "street = 'none'", "street = 'none'\n  children <- $source through ChildToChild",
        "wrongSources"
      ),
      ("street = 'none'", "street <- $source", "wrongList"),
      ("Home -> Home", "Hom -> Home", "unknownSource"),
      ("Home -> Home", "Home -> Hom", "unknownDestination"),
      ("HomeToHome: Home -> Home\n  street = 'none'", "", "unmapped"),
      ("street = 'none'", "street = 'none'\n  where street ==", "badFilter"),
      ("street = 'none'", "street = 'none'\n  where streets == 'a'", "badFilter"),
      ("street = 'none'", "street = 'none'\n  where street BEGINSWITH 'a'", "gap"),
      (
        "street = 'none'",
        "street = 'none'\n  where street BEGINSWITH 'a' OR street == nil\nHomeToHome2: Home -> Home\n  street = 'x'\n  where NOT street BEGINSWITH 'a'",
        "overlap"
      ),
      (
        "ChildToChild: Child -> Child",
        "ChildToChild: Child -> Child\n  home <- $source.home.children.home through HomeToHome",
        "severalForOne"
      ),
    ])
  func faults(place: String, change: String, reason: String) throws {
    let findings = try Self.findings(Self.whole.replacing(place, with: change))
    #expect(
      findings.contains {
        $0.id.hasPrefix("mapping.\(reason)") && !$0.reason.isEmpty
          && $0.fixes.allSatisfy { !$0.text.isEmpty }
      },
      "\(findings)")
    // A fault has at most what follows from it: an entity that nobody takes or makes any more.
    #expect(
      findings.allSatisfy {
        let name = "\($0.rule)"
        return name.hasPrefix(reason) || name.hasPrefix("unmapped")
          || name.hasPrefix("unknownMapping")
      }, "\(findings)")
  }

  /// A number takes every number, and the rest only its own type: an attribute is an object of one class.
  @Test("each type takes the copies of its own class, in each branch, and constants of it")
  func types() throws {
    let types = [
      "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "Boolean", "String",
      "URI",
      "Date", "UUID", "Binary", "Transformable",
    ]
    let numbers = Set(types.prefix(7))
    func entity(_ type: String) -> String {
      "<entity name='A'><attribute name='v' optional='YES' attributeType='\(type)'/>"
        + "<attribute name='n' optional='YES' attributeType='Integer 16'/></entity>"
    }
    for old in types {
      for new in types {
        let (from, to) = (try Self.model(entity(old)), try Self.model(entity(new)))
        let isTaken = old == new || numbers.isSuperset(of: [old, new])
        for expression in ["$source.v", "TERNARY($source.n == 1, $source.v, nil)"] {
          let script = try MappingScript(
            parsing: "M: A -> A\n  v = \(expression)\n  n = $source.n\n")
          let found = MappingLint([try script.mapping(from: from, to: to)], from: from, to: to)
            .findings.filter { $0.id == "mapping.unfitting" }
          #expect(found.isEmpty == isTaken, "\(old) -> \(new): \(expression): \(found)")
        }
      }
      let model = try Self.model(entity(old))
      for (constant, taking) in [("'x'", ["String"]), ("5", Array(numbers))] {
        let script = try MappingScript(parsing: "M: A -> A\n  v = \(constant)\n  n = $source.n\n")
        let found = MappingLint(
          [try script.mapping(from: model, to: model)], from: model, to: model
        )
        .findings.filter { $0.id == "mapping.unfitting" }
        #expect(found.isEmpty == taking.contains(old), "\(constant) to \(old): \(found)")
      }
    }
  }

  @Test(
    "a relationship mapping without objects is a warning, one with wrong objects an error",
    arguments: [
      ("HomeToHome", "home <- $source.home through ParentToParent", "Child", Effect.none),
      ("HomeToHome", "home <- $source through ChildToChild", "Child", .fails),
      ("ChildToChild", "children <- $source.children through HomeToHome", "Home", .inverse),
      ("ChildToChild", "children <- $source through ChildToChild", "Home", .inverse),
      ("HomeToHome", "home <- $source through HomeToHome", "Child", .none),
    ])
  func effects(other: String, line: String, owner: String, effect: Effect) throws {
    // Nothing else sets the links where the inverse is left out.
    let without = effect == .inverse ? "" : "  omit children\n"
    let text =
      "ParentToParent: Parent -> Parent\nChildToChild: Child -> Child\n"
      + (owner == "Child" ? "  \(line)\n" : "")
      + "HomeToHome: Home -> Home\n  street = 'none'\n\(without)"
      + (owner == "Home" ? "  \(line)\n" : "")
    let findings = try Self.findings(text)
    let found = findings.rules(MappingRule.self).compactMap { rule -> Effect? in
      switch rule {
      case .wrongMapping(_, _, _, _, let effect, _), .wrongSources(_, _, _, _, let effect): effect
      default: nil
      }
    }
    #expect(found == [effect], "\(findings)")
    let severities = findings.filter { $0.id.contains("wrong") }.map(\.severity)
    #expect(severities == [effect == .fails ? .error : .warning])
  }

  typealias Effect = MappingRule.Effect

  @Test("stale hashes are reported for source and destination")
  func stale() throws {
    let (first, last) = (try Self.model(Self.source), try Self.model(Self.destination))
    let mapping = try MappingScript(parsing: Self.whole).mapping(from: last, to: first)
    let findings = MappingLint([mapping], from: first, to: last).findings
    #expect(
      findings.rules(MappingRule.self).filter { "\($0)".hasPrefix("stale") } == [
        .staleHash(entity: "Home", isSource: true), .staleHash(entity: "Home", isSource: false),
      ])
  }

  @Test(
    "default values of an entity mapping with a policy are never errors",
    arguments: [
      "street = default", "street = 5", "street = $source.stret", "street = source.street",
      "street = $source.children", "street = $manager.nonsense", "street = $destination.street",
      "street = FUNCTION($entityPolicy, 'endEntityMapping:manager:error:', 1, 2, 3)",
      "street <- $source", "street = 'none'\n  strete = 'none'",
      "street = 'none'\n  children <- $source.children",
      "street = 'none'\n  children <- $source.children through Nobody",
      "street = 'none'\n  children <- $source.street",
    ])
  func policies(change: String) throws {
    let plain = try Self.findings(Self.whole.replacing("street = 'none'", with: change))
    #expect(plain.contains { $0.severity == .error })
    let findings = try Self.findings(
      Self.whole.replacing("street = 'none'", with: "\(change)\n  policy Homes"))
    #expect(findings.allSatisfy { $0.severity != .error }, "\(findings)")
    #expect(
      findings.contains {
        $0.id == "mapping.decidedByPolicy" && $0.reason.hasSuffix("the policy Homes decides")
      }, "\(findings)")
  }

  @Test("the parts of Topics omit lists without a letter, and share no list")
  func parts() throws {
    let source = MatchableModel(try SampleStore.model("Topics", "Model4"))
    let destination = MatchableModel(try SampleStore.model("Topics", "Model5"))
    let parts = try ["a-hA-H", "i-pI-P", "q-zQ-Z"].map { letters in
      try MappingScript(
        parsing: """
          Member: -> Member
          TopicToTopic: Topic -> Topic
            where topicList.title MATCHES '[\(letters)].*'
          TopicListToTopicList: TopicList -> TopicList
            where title MATCHES '[\(letters)].*'
          """
      ).mapping(from: source, to: destination)
    }
    #expect(
      MappingLint(parts, from: source, to: destination).findings.rules(MappingRule.self) == [
        .gap(entity: "Topic", examples: ["no topicList.title", #"topicList.title "0""#]),
        .gap(entity: "TopicList", examples: ["no title", #"title "0""#]),
      ])
    #expect(
      MappingLint([parts[0]], from: source, to: destination).findings.rules(MappingRule.self) == [
        .gap(entity: "Topic", examples: ["no topicList.title", #"topicList.title "i""#]),
        .gap(entity: "TopicList", examples: ["no title", #"title "i""#]),
      ])
    let twice = MappingLint([parts[0], parts[0]], from: source, to: destination).findings
    #expect(
      twice.contains {
        $0.rule as? MappingRule
          == .overlap(
            entity: "TopicList",
            mappings: ["TopicListToTopicList of part 1", "TopicListToTopicList of part 2"],
            example: #"title "a""#)
      }, "\(twice)")
  }

  @Test("a filter that excludes nil makes a required property valid")
  func filteredOut() throws {
    let text = Self.whole.replacing(
      "street = 'none'", with: "where street != nil\n  street = $source.street")
    #expect(
      try Self.findings(text).rules(MappingRule.self) == [
        .gap(entity: "Home", examples: ["no street"])
      ])
  }

  @Test(
    "an unmapped property is reported, unless it is omitted intentionally or its inverse is mapped")
  func missing() throws {
    let (first, last) = (try Self.model(Self.source), try Self.model(Self.destination))
    var mapping = try MappingScript(parsing: Self.whole).mapping(from: first, to: last)
    let place = try #require(mapping.entityMappings.firstIndex { $0.name == "ChildToChild" })
    mapping.entityMappings[place].attributeMappings.removeAll { $0.name == "age" }
    mapping.entityMappings[place].relationshipMappings.removeAll()
    let findings = MappingLint([mapping], from: first, to: last).findings
    #expect(findings.rules(MappingRule.self) == [.missingProperty("age")])
    #expect(
      MappingLint([mapping], from: first, to: last, omitted: ["ChildToChild": ["age"]]).findings
        .isEmpty)
  }

  @Test(
    "two filters by bounds leave a gap or overlap as some number tells",
    arguments: ["Double", "Decimal", "Integer_64"])
  func bounds(type: String) throws {
    let old = MatchableModel(try ObjectModel(brief: "Item\n  r \(type) required"))
    let new = MatchableModel(
      try ObjectModel(brief: "Item\n  r \(type) required\n  x String"))
    let isWhole = type == "Integer_64"
    let numbers = (0...50).map { Double($0) / 10 }.filter { !isWhole || $0 == $0.rounded() }
    let holds: [String: (Double, Double) -> Bool] = ["<": (<), "<=": (<=), ">": (>), ">=": (>=)]
    for (first, isFirst) in holds {
      for (second, isSecond) in holds {
        for bounds in [(2.2, 2.2), (2.2, 2.5), (2.5, 2.2), (2, 3)] {
          let text =
            "I1: Item -> Item\n  where r \(first) \(bounds.0)\nI2: Item -> Item\n  where r \(second) \(bounds.1)\n"
          let mapping = try MappingScript(parsing: text).mapping(from: old, to: new)
          let rules = MappingLint([mapping], from: old, to: new).findings.rules(MappingRule.self)
          let answers = numbers.map { (isFirst($0, bounds.0), isSecond($0, bounds.1)) }
          let hasGap = rules.contains { if case .gap = $0 { true } else { false } }
          let overlaps = rules.contains { if case .overlap = $0 { true } else { false } }
          #expect(hasGap == answers.contains { !$0.0 && !$0.1 }, "\(text)\(rules)")
          #expect(overlaps == answers.contains { $0.0 && $0.1 }, "\(text)\(rules)")
        }
      }
    }
  }

  @Test("objects that only migrate to another entity are reported")
  func diverted() throws {
    let text = Self.whole.replacing(
      "ChildToChild: Child -> Child",
      with: """
        ChildToChild: Child -> Child
          where age < 18
        ChildToParent: Child -> Parent
        """)
    #expect(
      try Self.findings(text).rules(MappingRule.self) == [
        .diverted(entity: "Child", destination: "Child", examples: ["no age", "age 18"])
      ])
  }

  @Test("examples have the attribute's type and range, or are missing")
  func ranges() throws {
    let entity = """
      <entity name="X">
        <attribute name="n" attributeType="Integer 16" defaultValueString="0"/>
        <attribute name="flag" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="t" optional="YES" attributeType="String"/>
        <attribute name="x" optional="YES" attributeType="Double"/>
      </entity>
      """
    let model = try Self.model(entity)
    func reasons(_ filters: String...) throws -> [MappingRule] {
      let text = filters.enumerated().map { place, filter in
        "X\(place): X -> X\n  where \(filter)\n"
      }.joined()
      let mapping = try MappingScript(parsing: text).mapping(from: model, to: model)
      return MappingLint([mapping], from: model, to: model).findings.rules(MappingRule.self)
    }
    #expect(try reasons("n < 5", "n >= 5").isEmpty)
    #expect(try reasons("flag == YES", "flag == NO").isEmpty)
    #expect(try reasons("n BETWEEN {0, 5}", "n < 0 OR n > 5").isEmpty)
    #expect(try reasons("n <= 32767").isEmpty)
    #expect(try reasons("t == nil", "t >= ''").isEmpty)
    #expect(
      try reasons("x < 1 OR x == nil", "x > 1") == [.gap(entity: "X", examples: ["x 1"])])
    #expect(
      try reasons("TRUEPREDICATE", "TRUEPREDICATE") == [
        .overlap(entity: "X", mappings: ["X0", "X1"], example: "")
      ])
    // What is removed arrives nowhere, and what an entity mapping takes by itself is not known.
    let removing = try MappingScript(
      parsing: "A: X ->\n  where n < 5\nB: X ->\n  where n < 9\nC: X -> X\n  objects $manager.all\n"
    ).mapping(from: model, to: model)
    #expect(
      MappingLint([removing], from: model, to: model).findings.map(\.id) == [
        "mapping.customSource"
      ])
  }

  @Test("hundreds of filters and slow patterns are checked fast")
  func manyFilters() throws {
    let model = try Self.model(
      #"<entity name="X"><attribute name="a" optional="YES" attributeType="String"/></entity>"#)
    let text = (0..<300).map { "X\($0): X -> X\n  where a MATCHES '(a+)+$\($0)'\n" }.joined()
    let mapping = try MappingScript(parsing: text).mapping(from: model, to: model)
    #expect(!MappingLint([mapping], from: model, to: model).findings.isEmpty)
  }

  @Test("only the first twenty of many unknown names get suggestions, the same in every part")
  func manyUnknownNames() throws {
    let numbers = 0..<60
    let model = try Self.model(
      #"<entity name="X">"#
        + numbers.map {
          #"<attribute name="attribute\#($0)" optional="YES" attributeType="String"/>"#
        }.joined() + "</entity>")
    let text = "X: X -> X\n" + numbers.map { "  atribute\($0) = 'a'\n" }.joined()
    let mapping = try MappingScript(parsing: text).mapping(from: model, to: model)
    let suggestions = MappingLint([mapping, mapping], from: model, to: model).findings.compactMap {
      finding -> String?? in
      guard case .unknownProperty(_, let near)? = finding.rule as? MappingRule else { return nil }
      return .some(near)
    }
    #expect(suggestions.count == 60)
    #expect(
      suggestions.prefix(20).map { $0 }
        == numbers.map { "attribute\($0)" }.sorted().prefix(20).map { $0 })
    #expect(suggestions.dropFirst(20).allSatisfy { $0 == nil })
  }
}
