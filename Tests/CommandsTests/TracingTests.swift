import StrataBase
import StrataCommands
import TestSupport
import Testing

/// `trace sql` in every command that opens a store: the levels, and whose statements are told.
@Suite("Traced statements")
struct TracingTests {
  /// A command, and whether Core Data runs statements for the same work.
  private static let commands: [(line: String, isCoreData: Bool)] = [
    ("create t.sqlite --model Model2 --rows 2", true),
    ("create t.xml --model Model2 --rows 2", false),
    ("rows t.sqlite Topic", true),
    ("rows t.sqlite Topic --where 'topicList.title != nil' --sort content", true),
    ("rows t.xml Topic", false),
    ("count t.sqlite Topic", true),
    ("count t.sqlite Topic --where 'topicList.topics.@count > 0'", true),
    ("insert t.sqlite TopicList title=new topics=p1", true),
    ("insert t.xml TopicList title=new", false),
    ("expect count t.sqlite Topic 2", true),
    ("sql t.sqlite 'SELECT count(*) FROM ZTOPIC'", false),
    ("show t.sqlite", false),
    ("metadata t.sqlite", false),
    ("identify t.sqlite", false),
    ("validate t.sqlite", false),
    ("compare t.sqlite Model2", false),
    ("compare t.sqlite t.sqlite --rows", false),
    ("plan t.sqlite --to Model3", false),
    ("migrate t.sqlite --to Model3 --dry-run", true),
    ("migrate t.sqlite --to Model3 --strategy lightweight", true),
    ("create u.sqlite --model Model1 --rows 2", true),
    ("migrate u.sqlite --to Model2 --output v.sqlite", true),
    ("debug u.sqlite --to Model2", false),
    ("step 3", true),
    ("source Topic", false),
    ("continue", true),
    ("abandon", false),
  ]

  /// What each command shows of statements.
  private static func traces(_ level: Int, own: Bool = false) throws -> [[String]] {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("trace sql \(level)\(own ? " --own" : "")")
    return commands.map { line, _ in
      let answer = session(line)
      #expect(answer.status == .done, "\(line): \(answer)")
      return answer.output.split(separator: "\n").map(String.init).filter { line in
        line.hasPrefix("CoreData: ") || line.hasPrefix("Strata: ")
      }
    }
  }

  private static func isPart(_ lines: [String], of all: [String]) -> Bool {
    var rest = all[...]
    return lines.allSatisfy { line in
      guard let found = rest.firstIndex(of: line) else { return false }
      rest = rest[(found + 1)...]
      return true
    }
  }

  /// `?` counts each time, `?1` once.
  private static func parameterCount(_ sql: String) -> Int {
    let marks = sql.matches(of: /\?\d*/).map { String($0.output) }
    return marks.count { $0 == "?" } + Set(marks.filter { $0 != "?" }).count
  }

  @Test("each level includes the output of the level below, in every command")
  func levels() throws {
    let levels = try (0...4).map { try Self.traces($0) }
    for (place, (command, isCoreData)) in Self.commands.enumerated() {
      let lines = levels.map { $0[place] }
      #expect(lines[0].isEmpty, "\(command): \(lines[0])")
      #expect(lines.joined().allSatisfy { $0.hasPrefix("CoreData: ") }, "\(command)")
      #expect(lines[1].isEmpty != isCoreData, "\(command): \(lines[1])")
      let counted = lines[2].map {
        $0.contains("fetch using NSSQLiteStatement") ? $0 + " with values: (" : $0
      }
      #expect(Self.isPart(lines[1], of: lines[2]), "\(command)")
      #expect(counted == lines[3], "\(command): \(lines[2])\n\(lines[3])")
      #expect(Self.isPart(lines[3], of: lines[4]), "\(command)")
      // Each statement is told when it begins and when it has ended.
      let texts = lines[1].filter { $0.hasPrefix("CoreData: sql: ") }
      let ends = lines[1].filter {
        $0.hasSuffix("execution time: 0.0000s") || $0.contains("connection fetch time")
      }
      #expect(texts.count == ends.count, "\(command): \(lines[1])")
      let marks = texts.reduce(0) { $0 + Self.parameterCount($1) }
      let values = lines[2].count { $0.hasPrefix("CoreData: details: SQLite bind[") }
      #expect(marks == values, "\(command): \(lines[2])")
      for text in texts {
        let lowered = text.lowercased()
        let others = ["pragma", "sqlite_", "temp.", "savepoint", "attach"]
        #expect(!others.contains { lowered.contains($0) }, "\(command): \(text)")
      }
    }
  }

  @Test("Strata's own statements are shown on request and do not change the others")
  func own() throws {
    let (plain, all) = (try Self.traces(1), try Self.traces(1, own: true))
    for (place, (command, _)) in Self.commands.enumerated() {
      #expect(all[place].filter { $0.hasPrefix("CoreData: ") } == plain[place], "\(command)")
    }
    for command in [
      "metadata t.sqlite", "show t.sqlite", "validate t.sqlite", "rows t.sqlite Topic",
    ] {
      let place = try #require(Self.commands.firstIndex { $0.line == command })
      #expect(all[place].contains { $0.hasPrefix("Strata: sql: ") }, "\(command)")
    }
  }

  @Test("a count is traced in Core Data's format")
  func counts() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model2 --rows 3")
    session("trace sql 1")
    let lines = session("count t.sqlite Topic").output.split(separator: "\n")
    #expect(
      lines.dropFirst() == [
        "CoreData: annotation: sql connection fetch time: 0.0000s",
        "CoreData: annotation: total count request execution time: 0.0000s for count of 3.", "3",
      ])
  }

  @Test("--own requires statements")
  func usage() throws {
    let session = TestSession(in: try TemporaryFolder())
    #expect(session("trace migration 1 --own").status == .usage)
    #expect(session("trace sql 1 --own").output.contains("Strata's own included"))
  }
}
