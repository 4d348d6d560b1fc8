import Foundation
import StrataBase
import StrataMigration
import StrataObjectModel
import StrataPages
import StrataRendering
import StrataStepping
import StrataStore
import TestSupport
import Testing

@testable import StrataCommands

/// The pages of `export`: what they hold, and what they do not. `Scripts/check-pages` opens them in a browser.
@Suite("Exported pages")
struct ExportTests {
  /// The data of the first stepper of a page.
  private static func data(of page: String) throws -> Recorded {
    let start = try #require(page.firstRange(of: "<script type=\"application/json\">"))
    let end = try #require(page[start.upperBound...].firstRange(of: "</script>"))
    return try JSONDecoder().decode(
      Recorded.self, from: Data(page[start.upperBound..<end.lowerBound].utf8))
  }

  /// What the script of a page reads, as far as the tests look at it.
  fileprivate struct Recorded: Decodable {
    struct Frame: Decodable {
      var hop: Int
      var mark: Int
      var did: [String]
      var rows: [[Cell]]?
      var pairs: [[Cell]]?
      var isReadable: Bool
      var left: String?
      var question: Question?
    }
    struct Question: Decodable {
      var choices: [String]
      var right: Int
    }
    /// A cell as text: what it is does not matter for comparison.
    struct Cell: Decodable, Hashable {
      var text: String

      init(_ value: JSONValue) {
        text =
          switch value {
          // JavaScript reads no larger integers exactly.
          case .integer(let number) where number.magnitude > 1 << 53:
            JSONValue.string("\(number)").line
          case .integer(let number): "\(Double(number))"
          case .real(let number): "\(number)"
          default: value.line
          }
      }

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
          text = "null"
        } else if let flag = try? container.decode(Bool.self) {
          text = "\(flag)"
        } else if let number = try? container.decode(Double.self) {
          text = "\(number)"
        } else if let string = try? container.decode(String.self) {
          text = JSONValue.string(string).line
        } else if let list = try? container.decode([String].self) {
          text = list.json.line
        } else {
          text = "object"
        }
      }
    }
    var frames: [Frame]

    /// The rows and pairs at a stop, as the page adds them up.
    func state(at index: Int) -> (rows: [String: [Cell]], pairs: [[Cell]]) {
      var (rows, pairs): ([String: [Cell]], [[Cell]]) = ([:], [])
      for frame in frames[...index] where frame.hop == frames[index].hop {
        for row in frame.rows ?? [] { rows[row[0].text] = row.count > 1 ? row : nil }
        pairs += frame.pairs ?? []
      }
      return (rows, pairs)
    }
  }

  @Test("at every stop of random migrations, a page shows what the stepper shows", .part(3))
  func random() throws {
    let folder = try TemporaryFolder()
    var (migrations, stops, readable, links) = (0, 0, 0, 0)
    for seed in UInt64(9000)...9040 {
      var random = SeededRandom(seed: seed)
      guard
        let migration = try RandomMigration(
          seed: seed, at: folder.path("\(seed).sqlite"), hasScripts: true, using: &random)
      else { continue }
      let recording = try MigrationRecording(
        of: Stepper(migration.setup(.standard)), named: "store",
        .init(objects: .max, rows: 400, asks: true, reveals: true))
      let recorded = try JSONDecoder().decode(
        Recorded.self, from: Data(recording.data.json.line.utf8))
      let stepper = try Stepper(migration.setup(.standard))
      for index in recorded.frames.indices {
        let label: Comment = "seed \(seed), stop \(index)"
        let (frame, shown) = (recorded.frames[index], recorded.state(at: index))
        // A step that fails has a frame of its own; the stepper is still before it.
        if index > 0 { _ = stepper.move(.unit(.step, count: 1)) }
        #expect(frame.mark == stepper.mark, label)
        let pairs = try stepper.allAssociations(limit: .max).enumerated().flatMap { part, tables in
          tables.flatMap { table in
            table.pairs.map { pair -> [Recorded.Cell] in
              [
                .init(.string(table.mapping)), .init(.string(pair.source.description)),
                .init(.string(pair.destination.description)), .init(.integer(Int64(part + 1))),
              ]
            }
          }
        }
        #expect(Self.sorted(shown.pairs) == Self.sorted(pairs), label)
        if frame.isReadable {
          let rows = try Self.rows(of: stepper.destinationObjects())
          #expect(Self.difference(shown.rows, rows) == [], label)
          readable += 1
          links += pairs.count
        }
        stops += 1
      }
      #expect(stepper.isAtEnd || recording.failure != nil, "\(seed)")
      migrations += 1
    }
    #expect(migrations > 20 && stops > 600 && readable > 500 && links > 3000)
  }

  private static func sorted(_ pairs: [[Recorded.Cell]]) -> [String] {
    pairs.map { $0.map(\.text).joined(separator: " ") }.sorted()
  }

  private static func difference(
    _ a: [String: [Recorded.Cell]], _ b: [String: [Recorded.Cell]]
  ) -> [String] {
    Set(a.keys).union(b.keys).filter { a[$0] != b[$0] }.map { id in
      guard let first = a[id], let second = b[id], first.count == second.count else { return id }
      let cells = zip(first, second).filter { $0 != $1 }.map { "\($0.text) \($1.text)" }
      return "\(id) \(cells)"
    }
  }

  /// All rows of a store.
  private static func rows(of objects: StoreObjects) throws -> [String: [Recorded.Cell]] {
    var rows: [String: [Recorded.Cell]] = [:]
    for entity in objects.model.entities where !entity.isAbstract {
      let view = ObjectView(entity: entity.name, objects: objects)
      for key in try objects.reader.keys(of: entity.name) {
        let cells = try view.cells(objects.object(key, of: entity.name))
        let id = JSONValue.string(ObjectRef(entity: entity.name, key: key).description)
        let values = cells.values.map { value -> Recorded.Cell in
          if case .object = value.1.json { return .init(.string("object")).asObject }
          return .init(value.1.json)
        }
        rows[id.line] =
          [.init(id)] + values
          + cells.links.map { links in
            let names = links.objects.map(\.description)
            return .init(
              links.relationship.isToMany ? names.json : names.first.json)
          }
      }
    }
    return rows
  }

  @Test("a page needs nothing else: a policy, no address, and the same bytes each time")
  func selfContained() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    let answer = session("export sample:Kitchen a.html --to sample:Recipes/Recipes2 --questions")
    #expect(answer.status == .done && answer.output.contains("84 stops"), "\(answer)")
    session("export sample:Kitchen b.html --to sample:Recipes/Recipes2 --questions")
    let page = try String(contentsOfFile: folder.path("a.html"), encoding: .utf8)
    #expect(try page == String(contentsOfFile: folder.path("b.html"), encoding: .utf8))
    #expect(page.contains("default-src 'none'; img-src data:; style-src 'sha256-"))
    let without = page.replacing("http://www.w3.org/2000/svg", with: "")
    for mark in ["http:", "https:", "url(", "@import", " src=", "innerHTML", " style="] {
      #expect(!without.contains(mark), "\(mark)")
    }
    let data = try Self.data(of: page)
    let questions = data.frames.compactMap(\.question)
    #expect(questions.count >= 5)
    #expect(
      questions.allSatisfy { Set($0.choices).count == 3 && $0.choices.indices.contains($0.right) })
  }

  @Test("without --reveal, no value of a store is in a page")
  func masked() throws {
    let store = try MarkedStore()
    let session = TestSession(in: store.folder)
    // Statements of a policy whose details tell the values on which they decide.
    try store.folder.write(
      """
      policy Teller
        skip when $source.text == 'x'
        one destination for each $source.text
        set note = $source.text
        in relationships: set note = $source.text

      """, to: "Teller.policy")
    let guarded = try String(
      contentsOfFile: store.folder.path("maps/Guarded.mapping"), encoding: .utf8)
    try store.folder.write(
      guarded.replacing("policy Guard", with: "policy Teller"), to: "maps/Told.mapping")
    var written = 0
    for file in ["s.sqlite", "x.xml"] {
      for options in [
        "--to Vault.xcdatamodeld/V2", "--to Vault.xcdatamodeld/V3",
        "--to Vault.xcdatamodeld/V2 --mapping maps/Guarded.mapping",
        "--to Vault.xcdatamodeld/V2 --mapping maps/Computed.mapping",
        "--to Vault.xcdatamodeld/V2 --mapping maps/Failing.mapping",
        "--to Vault.xcdatamodeld/V2 --mapping maps/Told.mapping --policies Teller.policy",
      ] {
        let answer = session("export \(file) page.html \(options) --questions --force")
        let page = try? String(contentsOfFile: store.folder.path("page.html"), encoding: .utf8)
        #expect(MarkedStore.markers(in: answer.output + answer.diagnostics) == [], "\(options)")
        guard let page else { continue }
        written += 1
        let markers = MarkedStore.markers(in: page)
        #expect(markers == [], "\(file) \(options)")
        // With the option they are there, so the test can fail.
        session("export \(file) page.html \(options) --reveal --force")
        let revealed = try String(contentsOfFile: store.folder.path("page.html"), encoding: .utf8)
        #expect(!MarkedStore.markers(in: revealed).isEmpty, "\(file) \(options)")
      }
    }
    #expect(written == 12)
  }

  @Test(
    "hostile names and values are text, and a page of many rows is small and says what it leaves out"
  )
  func hostile() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create s.sqlite --model sample:Topics/Model1 --rows 3")
    let text = "</script><script>alert(1)</script>\u{202E}\u{0}<!--"
    try StoreFixture.run(
      [
        "UPDATE ZTOPIC SET ZPRESENTERNAME = '\(text.replacing("\u{0}", with: ""))' WHERE Z_PK = 1",
        "UPDATE ZTOPIC SET ZCONTENT = hex(zeroblob(500000)) WHERE Z_PK = 2",
      ],
      on: folder.path("s.sqlite"))
    let answer = session("export s.sqlite s.html --to sample:Topics/Model2")
    #expect(answer.status == .done, "\(answer)")
    let page = try String(contentsOfFile: folder.path("s.html"), encoding: .utf8)
    #expect(page.utf8.count < 200_000)
    #expect(page.components(separatedBy: "<script").count == 3)
    #expect(!page.contains("alert(1)</script>"))

    session("create big.sqlite --model sample:Topics/Model1 --rows 2000")
    let big = session("export big.sqlite big.html --to sample:Topics/Model2")
    #expect(big.status == .done && big.output.contains("not recorded one by one"), "\(big)")
    let bytes = try Data(contentsOf: folder.url.appendingPathComponent("big.html"))
    #expect(bytes.count < 2_000_000)
    let data = try Self.data(of: String(decoding: bytes, as: UTF8.self))
    #expect(data.frames.count > 400 && data.frames.contains { $0.left != nil })
  }

  @Test("other names than .html, other files and nothing to migrate are refused")
  func refused() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create s.sqlite --model sample:Topics/Model1 --rows 1")
    let name = session("export s.sqlite s.txt --to sample:Topics/Model2")
    #expect(name.status >= .failed && name.diagnostics.contains("command.unknownForm"))
    let same = session("export s.sqlite s.html --to sample:Topics/Model1")
    #expect(same.status == .no && !FileManager.default.fileExists(atPath: folder.path("s.html")))
    session("export s.sqlite s.html --to sample:Topics/Model2")
    #expect(
      session("export s.sqlite s.html --to sample:Topics/Model2").diagnostics.contains(
        "file.exists"))
    #expect(session("export s.sqlite s.html --to sample:Topics/Model2 --force").status == .done)
    try folder.write("<html>mine</html>", to: "mine.html")
    let other = session("export s.sqlite mine.html --to sample:Topics/Model2 --force")
    #expect(other.diagnostics.contains("file.otherKind"), "\(other)")
  }
}

extension ExportTests.Recorded.Cell {
  /// Values that are objects in JSON are not compared.
  fileprivate var asObject: Self {
    var copy = self
    copy.text = "object"
    return copy
  }
}
