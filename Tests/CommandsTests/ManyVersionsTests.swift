import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What is shown of bundles with many versions, and of models with all kinds of elements.
@Suite("Large and complete models")
struct ManyVersionsTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
  }

  @Test("all pairs of versions are listed and counted, with the digits of their numbers")
  func inference() throws {
    for number in 1...12 {
      let type = number % 5 == 4 ? "Integer_16" : "String"
      try folder.writeBundle(brief: ["\(number)": "T\n  a \(type)"])
    }
    session("load X.xcdatamodeld")
    #expect(session("loaded").output == "X  bundle  1*, 2, 3, … 8 more …, 12\n")
    let steps = session("infer X")
    #expect(steps.status == .no)
    let headings = steps.output.split(separator: "\n").filter { $0.first?.isNumber == true }
    #expect(
      headings.map { $0.contains("compatible") && !$0.contains("not") }
        == (1...11).map { ![3, 4, 8, 9].contains($0) })
    let rows = (1...12).map { row in
      let marks = (1...12).map { [row, $0].filter { $0 % 5 == 4 }.count == 1 ? "x" : "=" }
      let number = "\(row)"
      return
        "\(number.count == 1 ? " " : "")\(number)  \(number)\(number.count == 1 ? " " : "")  \(marks.joined())"
    }
    let all = session("infer X --all")
    #expect(all.status == .no)
    let lines = all.output.split(separator: "\n").map(String.init)
    #expect(
      lines[0]
        == "X  132 pairs of 12 versions: 0 inferable, 40 not (20 to a later version), 92 compatible"
    )
    #expect(
      Array(lines[2...15])
        == [String(repeating: " ", count: 17) + "1  ", "        123456789012"] + rows)
    #expect(lines.count == 19)
  }

  @Test("pairs that are all compatible have no obstacles")
  func compatible() throws {
    try folder.writeBundle(brief: ["1": "T\n  a String", "2": "T\n  a String"])
    let all = session("infer X.xcdatamodeld --all")
    #expect(all.status == .done && all.output.hasSuffix("2  2  ==\n"), "\(all)")
  }

  @Test("configurations, fetch requests, subentities and inherited properties are shown")
  func elements() throws {
    let entities = BriefModel.entities(
      """
      Base abstract
        t String
        one -> Base inverse=many
        many -> Base many inverse=one
      Sub: Base
        s String
      """)
    try folder.writeBundle([
      "1": entities
        + """
        <fetchRequest name='Some' entity='Sub' predicateString='s != nil'/>
        <fetchRequest name='All' entity='Base'/>
        <configuration name='Main'><memberEntity name='Sub'/></configuration>
        """
    ])
    session("load X.xcdatamodeld")
    for (name, words, others) in [
      ("X/1", ["X/1  2 entities, configurations Main, 2 fetch requests\n"], []),
      (
        "X/1.Base", ["Base  abstract; subentities Sub\n", "\nfetch request All  all objects\n"],
        ["parent", "Some"]
      ),
      (
        "X/1.Sub", ["Sub  parent Base\n", "\nfetch request Some  s != nil\n"],
        ["abstract", "subentities", "All"]
      ),
      ("X/1.Sub.t", ["\ndeclared by    Base\n"], []), ("X/1.Sub.one", ["\ndeclared by "], []),
      ("X/1.Sub.s", ["version hash"], ["declared by"]),
      ("X/1.Base.one", ["version hash"], ["declared by"]),
    ] as [(String, [String], [String])] {
      let shown = session("show \(name)").output
      #expect(words.allSatisfy(shown.contains), "\(name): \(shown)")
      #expect(!others.contains(where: shown.contains), "\(name): \(shown)")
    }
  }

  @Test("bundles with one name cannot be locked together")
  func sameName() throws {
    for place in ["A", "B"] {
      try folder.write(
        "<model><entity name='T'/></model>", to: "\(place)/X.xcdatamodeld/1.xcdatamodel/contents")
    }
    let refused = session("lock .")
    #expect(
      refused.status == .failed && refused.diagnostics.contains("[lock.sameName]"), "\(refused)")
    #expect(session("lock A").status == .done)
    let again = session("lock A")
    #expect(again.output.hasSuffix(" is up to date\n"), "\(again)")
  }
}
