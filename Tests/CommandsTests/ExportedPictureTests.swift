import Foundation
import StrataBase
import StrataMapping
import StrataObjectModel
import TestSupport
import Testing

@testable import StrataCommands

/// The pictures of `export`, read as XML by Python.
@Suite("Exported pictures")
struct ExportedPictureTests {
  /// The names of boxes and lanes, the number of boxes, and the titles of lines and arcs, each on a line.
  private static let reader = """
    import sys, xml.etree.ElementTree as tree
    root = tree.fromstring(sys.stdin.read())
    space = "{http://www.w3.org/2000/svg}"
    print(" ".join(sorted(t.text for t in root.iter(space + "text") if t.get("font-weight"))))
    print(len(list(root.iter(space + "rect"))))
    print(*sorted("".join(t.itertext()) for g in root.iter(space + "g") for t in g.findall(space + "title")), sep="\\n")
    """

  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
  }

  /// - Returns: The picture as Python reads it, as lines, and the same for Mermaid.
  private func picture(_ words: String) throws -> (lines: [String], mermaid: String) {
    let (before, options) = (
      words.split(separator: " ")[0], words.split(separator: " ").dropFirst()
    )
    for file in ["a.svg", "b.svg", "a.mmd"] {
      let answer = session("export \(before) \(file) \(options.joined(separator: " ")) --force")
      #expect(answer.status == .done, "\(answer)")
    }
    #expect(try text("a.svg") == text("b.svg"))
    let shown = try Python.run(Self.reader, input: text("a.svg"))
    return (shown.split(separator: "\n").map(String.init), try text("a.mmd"))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  @Test("a mapping model has its entity mappings between the entities, with filters and policies")
  func mappings() throws {
    for sample in [
      "Topics/Model1ToModel2", "Topics/Model4ToModel5-1", "Recipes/Recipes1ToRecipes2",
    ] {
      let named = try session.session.mapping("sample:\(sample)")
      let mappings = named.mapping.entityMappings
      let sources = Set(mappings.compactMap(\.sourceName))
      let destinations = Set(mappings.compactMap(\.destinationName))
      let shown = try picture("sample:\(sample)")
      let names = mappings.map(\.name) + sources + destinations
      #expect(shown.lines[0] == names.sorted().joined(separator: " "), "\(sample)")
      #expect(shown.lines[1] == "\(names.count)")
      let lines = mappings.flatMap { mapping in
        [
          mapping.sourceName.map { "\($0) is read by \(mapping.name)" },
          mapping.destinationName.map { "\(mapping.name) creates \($0)" },
        ].compactMap { $0 }
      }
      #expect(Set(shown.lines.dropFirst(2)) == Set(lines), "\(sample)")
      #expect(shown.mermaid.components(separatedBy: " --> ").count == lines.count + 1)
      for policy in mappings.compactMap(\.policyName) {
        #expect(try text("a.svg").contains(">policy \(policy)<"), "\(sample)")
      }
    }
    session("load sample:Topics")
    #expect(try picture("Model1ToModel2").lines[1] == "6", "a loaded mapping model")
  }

  /// What `plan --json` says of a strategy.
  private struct Plan: Decodable {
    struct Hop: Decodable { var from, to, mapping: String }
    var hops: [Hop]
  }

  @Test("a plan and a history have an arc for each hop that `plan` gives")
  func plans() throws {
    for bundle in ["Topics", "Journeys", "Flight", "Recipes"] {
      session("load sample:\(bundle)")
      let versions = try session.session.bundle(bundle).versions.map(\.name)
      let names = versions.sorted { $0.precedesByNumber($1) }
      func arcs(_ from: String, _ to: String, _ strategy: String, named lane: String) throws
        -> [String]
      {
        let answer = session("plan \(from) --to \(to) --strategy \(strategy) --json")
        let hops = try JSONDecoder().decode(Plan.self, from: Data(answer.output.utf8)).hops
        return hops.isEmpty
          ? ["\(lane): \(from) → \(to), none"]
          : hops.map { "\(lane): \($0.from) → \($0.to), \($0.mapping)" }
      }
      // Why there is no path is told in words.
      func shown(_ lines: some Sequence<String>) -> Set<String> {
        Set(
          lines.map {
            ["no path", "undefined choice"].reduce($0) { $0.replacing(", \($1)", with: ", none") }
          })
      }
      let strategies = ["default", "hybrid", "lightweight", "progressive"]
      let plan = try picture("\(names[0]) --to \(names[names.count - 1])")
      let told = try strategies.flatMap {
        try arcs(names[0], names[names.count - 1], $0, named: $0)
      }
      #expect(shown(plan.lines.dropFirst(2)) == Set(told), "\(bundle)")
      #expect(plan.lines[0] == (names + strategies).sorted().joined(separator: " "))
      #expect(plan.mermaid.components(separatedBy: "->|").count == told.count + 1, "\(bundle)")

      let current = try #require(try session.session.bundle(bundle).currentVersionName)
      let history = try picture(bundle)
      let next = try zip(names, names.dropFirst()).flatMap {
        try arcs($0, $1, "default", named: "to the next version")
      }
      let last = try names.filter { $0 != current }.flatMap {
        try arcs($0, current, "default", named: "to \(current)")
      }
      #expect(shown(history.lines.dropFirst(2)) == Set(next + last), "\(bundle)")
      #expect(history.lines[1] == "\(names.count)")
    }
    #expect(try picture("Model1 --to Model5 --strategy hybrid").lines[0].hasSuffix("hybrid"))
    session("create phone.sqlite --model Model1 --rows 1")
    #expect(try picture("phone.sqlite --to Model3").lines[1] == "3", "of a store, up to the target")
  }

  @Test("hostile names are text in pictures")
  func hostile() throws {
    try folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="A&lt;script&gt;&quot;&amp;]]&gt;"><attribute name="b&#x202E;'`;#" attributeType="String" optional="YES"/></entity>
      </model>
      """, to: "M.xcdatamodel/contents")
    let shown = try picture("M.xcdatamodel")
    #expect(shown.lines[0] == "A<script>\"&]]>")
    #expect(try !text("a.svg").contains("<script"))
    #expect(shown.mermaid.split(separator: "\n").count == 4, "\(shown.mermaid)")
  }

  @Test(
    "a picture of each sample has its entities and relationships, and is XML, the same each time")
  func pictures() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for name in ["Topics/Model1", "Topics/Model5", "Recipes/Recipes1", "Flight/B"] {
      session("export sample:\(name) a.svg --force")
      session("export sample:\(name) b.svg --force")
      session("export sample:\(name) a.mmd --force")
      let picture = try String(contentsOfFile: folder.path("a.svg"), encoding: .utf8)
      #expect(try picture == String(contentsOfFile: folder.path("b.svg"), encoding: .utf8))
      let mermaid = try String(contentsOfFile: folder.path("a.mmd"), encoding: .utf8)
      let model = try session.session.model("sample:\(name)").model
      let shown = try Python.run(
        """
        import sys, xml.etree.ElementTree as tree
        root = tree.fromstring(sys.stdin.read())
        space = "{http://www.w3.org/2000/svg}"
        print(sorted(t.text for t in root.iter(space + "text") if t.get("font-weight")))
        print(len(list(root.iter(space + "rect"))), sum(len(list(g.iter(space + "title"))) for g in root.findall(space + "g")))
        """, input: picture)
      let names = model.entities.map(\.name).sorted()
      // A relationship and its inverse are one line.
      let pairs = Set(
        model.entities.flatMap { entity in
          entity.relationships.map { relationship -> Set<String> in
            [
              "\(entity.name).\(relationship.name)",
              "\(relationship.destinationName).\(relationship.inverseName ?? "")",
            ]
          }
        })
      let list = names.map { "'\($0)'" }.joined(separator: ", ")
      #expect(shown == "[\(list)]\n\(names.count) \(pairs.count)\n", "\(name)")
      #expect(mermaid.components(separatedBy: "--").count == pairs.count + 1, "\(name)")
    }
    session("export sample:Recipes/Recipes1..sample:Recipes/Recipes2 d.svg")
    let difference = try String(contentsOfFile: folder.path("d.svg"), encoding: .utf8)
    for text in [
      ">+ Cuisine<", ">≠ Chef<", ">+ firstName String?<", ">− name String, optional<",
      " to sample:Recipes/Recipes2<", ">≠ chefs → Chef<", ">amount String?<",
    ] {
      #expect(difference.contains(text), "\(text)")
    }
    #expect(session("export sample:Topics d.svg --questions").diagnostics.contains("command.usage"))
    try folder.write("<svg xmlns='http://www.w3.org/2000/svg'/>", to: "mine.svg")
    #expect(session("export sample:Topics mine.svg --force").diagnostics.contains("file.otherKind"))
  }
}
