import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("migrate --append")
struct AppendingTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    try BinaryStoreFixture.writeModel(in: folder)
    session("load App.xcdatamodeld")
    session("create old.sqlite --model V1 --rows 4")
  }

  @Test("appending a part twice gives every row and link twice, with keys after the first ones")
  func twice() throws {
    for name in ["one.sqlite", "two.sqlite"] {
      #expect(session("migrate old.sqlite --to V2 --output \(name)").status == .done)
    }
    let before = try Data(contentsOf: folder.url.appendingPathComponent("old.sqlite"))
    let appended = session("migrate old.sqlite --to V2 --output two.sqlite --append")
    #expect(appended.status == .done, "\(appended)")
    #expect(appended.output.contains("its objects are appended to two.sqlite"), "\(appended)")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("old.sqlite")) == before)
    let answer = try Python.run(
      Self.comparison, arguments: [folder.path("one.sqlite"), folder.path("two.sqlite")])
    #expect(answer == "12 objects, 12 more\n")
    #expect(try Python.integrity(of: folder.path("two.sqlite")) == "ok")
    #expect(session("validate two.sqlite").status == .done)
    #expect(session("doctor two.sqlite").status == .done)
    #expect(session("insert two.sqlite Tag word=next").output.contains("Tag p9"))
  }

  /// Compares a store with one to which the same objects were appended, table by table.
  private static let comparison = """
    import sqlite3, sys
    one, two = [sqlite3.connect(p) for p in sys.argv[1:]]
    def columns(db, t): return [r[1] for r in db.execute("pragma table_info(%s)" % t)]
    def rows(db, t): return db.execute("select * from " + t).fetchall()
    tables = [r[0] for r in one.execute("select name from sqlite_master where type = 'table'")]
    tables = [t for t in tables if t.startswith("Z") and t not in ("Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE")]
    assert len(tables) == 3, tables
    top = {t: one.execute("select max(Z_PK) from " + t).fetchone()[0] for t in ("ZITEM", "ZTAG")}
    def shift(table, column):
        if column == "Z_PK": return top[table]
        if column == "ZSHELF": return top["ZITEM"]
        if table in top or column.startswith("Z_FOK"): return 0
        return top["ZTAG" if column.endswith("TAGS") else "ZITEM"]
    for t in tables:
        names = columns(one, t)
        assert names == columns(two, t)
        moved = [tuple(v if v is None or not shift(t, c) else v + shift(t, c) for c, v in zip(names, r))
                 for r in rows(one, t)]
        assert sorted(map(repr, rows(two, t))) == sorted(map(repr, rows(one, t) + moved)), t
    for number, root, last in two.execute("select Z_ENT, Z_NAME, Z_MAX from Z_PRIMARYKEY where Z_SUPER = 0"):
        assert last == 2 * top["Z" + root.upper()], (root, last)
    count = sum(len(rows(one, t)) for t in top)
    print("%d objects, %d more" % (count, sum(len(rows(two, t)) for t in top) - count))
    """

  @Test("the parts of a divided mapping model give the same result one by one and together")
  func parts() throws {
    session("load sample:Topics")
    session("create lists.sqlite --model Model4")
    for (number, title) in ["Maps", "apples", "Zoo"].enumerated() {
      session("insert lists.sqlite TopicList title=\(title)")
      for presenter in ["Ben", "Alesha"] {
        session(
          "insert lists.sqlite Topic title='\(title) \(presenter)' presenterName=\(presenter) topicList=p\(number + 1)"
        )
      }
    }
    let parts = (1...3).map { "--mapping sample:Topics/Model4ToModel5-\($0)" }
    let whole = session(
      "migrate lists.sqlite --to Model5 \(parts.joined(separator: " ")) --output one.sqlite")
    #expect(whole.status == .done, "\(whole)")
    for (number, part) in parts.enumerated() {
      let done = session(
        "migrate lists.sqlite --to Model5 \(part) --output parts.sqlite \(number > 0 ? "--append" : "")"
      )
      #expect(done.status == .done, "\(done)")
    }
    #expect(
      session("count parts.sqlite Member").output == session("count one.sqlite Member").output)
    // Members that an earlier part created are found again.
    #expect(session("count parts.sqlite Member").output == "2\n")
    #expect(session("count parts.sqlite Topic").output == "6\n")
    // Of values that nothing reads, a part loses those of its own objects.
    for word in ["Maps", "Zoo", "None"] {
      try folder.write(
        "mapping from sample:Topics/Model4 to sample:Topics/Model5\n\nT: Topic -> Topic\n  where title BEGINSWITH '\(word)'\n",
        to: "\(word).mapping")
    }
    let plain = "migrate lists.sqlite --to Model5 --output plain.sqlite"
    #expect(session("\(plain) --mapping Maps.mapping").status == .done)
    let second = session("\(plain) --mapping Zoo.mapping --append")
    #expect(second.output.contains("migrated: 2 values lost"), "\(second)")
    let nothing = session("\(plain) --mapping None.mapping --append --strict=values")
    #expect(nothing.status == .done, "\(nothing)")
    let compared = session("compare one.sqlite parts.sqlite --rows")
    #expect(compared.status == .done, "\(compared)")
  }

  @Test("an object that an earlier part created gets links of each kind, in their order")
  func found() throws {
    let (attribute, relationship, entity) = (
      { RuleCases.attribute($0, $1) }, RuleCases.relationship, RuleCases.entity
    )
    let many = "\(RuleCases.optional) toMany='YES'"
    let old = attribute("name", "String") + attribute("tag", "String")
    try folder.write(
      RuleScene.model(entity("Book", old, "")), to: "Shop.xcdatamodeld/M1.xcdatamodel/contents")
    try folder.write(
      RuleScene.model(
        entity(
          "Book",
          old + relationship("shelf", "Shelf", "books", "\(RuleCases.optional) maxCount='1'")
            + relationship("words", "Word", "books", many), "")
          + entity(
            "Shelf",
            attribute("tag", "String")
              + relationship("books", "Book", "shelf", "\(many) ordered='YES'"), "")
          + entity(
            "Word",
            attribute("tag", "String")
              + relationship("books", "Book", "words", "\(many) ordered='YES'"), "")),
      to: "Shop.xcdatamodeld/M2.xcdatamodel/contents")
    try folder.write(
      """
      policy Finder
        in relationships: set shelf = find or create Shelf where tag == $source.tag
        in relationships: set words = find or create Word where tag == $source.tag
      """, to: "Shop.policy")
    session("load Shop.xcdatamodeld")
    for (name, condition) in [("One", "name < 'm'"), ("Two", "name >= 'm'")] {
      try folder.write(
        "mapping from Shop/M1 to Shop/M2\n\nB: Book -> Book\n  where \(condition)\n  policy Finder\n",
        to: "\(name).mapping")
    }
    session("create books.sqlite --model Shop/M1")
    for (name, tag) in [("a", "x"), ("n", "x"), ("b", "y"), ("o", "y"), ("p", "z"), ("c", "x")] {
      session("insert books.sqlite Book name=\(name) tag=\(tag)")
    }
    let parts = ["One", "Two"].map { "--mapping \($0).mapping --policies Shop.policy" }
    for (number, part) in parts.enumerated() {
      let done = session(
        "migrate books.sqlite --to Shop/M2 \(part) --output shelves.sqlite \(number > 0 ? "--append" : "")"
      )
      #expect(done.status == .done, "\(done)")
    }
    #expect(session("validate shelves.sqlite").status == .done)
    #expect(session("doctor shelves.sqlite").status == .done)
    let answer = try Python.run(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      for t in ("ZSHELF", "ZWORD", "ZBOOK"): print(t, [r[0] for r in db.execute("select Z_PK from %s order by 1" % t)])
      orders = [c[1] for c in db.execute("pragma table_info(ZBOOK)") if c[1].startswith("Z_FOK")]
      print([r for r in db.execute("select s.ZTAG, group_concat(b.ZNAME, '') from ZSHELF s, (select * from ZBOOK order by %s) b "
        "where b.ZSHELF = s.Z_PK group by 1 order by 1" % orders[0])])
      join = [r[0] for r in db.execute("select name from sqlite_master where name like 'Z#_%WORDS' escape '#' or name like 'Z#_%BOOKS' escape '#'")][0]
      names = [c[1] for c in db.execute("pragma table_info(%s)" % join)]
      word = [c for c in names if "WORD" in c and "FOK" not in c][0]
      book = [c for c in names if "BOOK" in c and "FOK" not in c][0]
      order = [c for c in names if "FOK" in c][0]
      print([r for r in db.execute("select w.ZTAG, group_concat(b.ZNAME, '') from ZWORD w, (select * from %s order by %s) j, ZBOOK b "
        "where j.%s = w.Z_PK and j.%s = b.Z_PK group by 1 order by 1" % (join, order, word, book))])
      print(db.execute("select count(*), count(distinct %s || ' ' || %s) from %s" % (order, word, join)).fetchone())
      print(sorted(db.execute("select Z_NAME, Z_MAX from Z_PRIMARYKEY")))
      """, arguments: [folder.path("shelves.sqlite")])
    #expect(
      answer == """
        ZSHELF [1, 2, 3]
        ZWORD [1, 2, 3]
        ZBOOK [1, 2, 3, 4, 5, 6]
        [('x', 'acn'), ('y', 'bo'), ('z', 'p')]
        [('x', 'acn'), ('y', 'bo'), ('z', 'p')]
        (6, 6)
        [('Book', 6), ('Shelf', 3), ('Word', 3)]

        """)
  }

  @Test("an append that replaces links of the store is told, and refused by --strict=links")
  func replaced() throws {
    try folder.writeBundle(brief: [
      "P1": "A\n  n String\n  b -> B inverse=a\nB\n  n String\n  a -> A inverse=b",
      "P2": "A\n  n String\n  m String\n  b -> B inverse=a\nB\n  n String\n  a -> A inverse=b",
    ])
    session("load X.xcdatamodeld")
    try folder.write("policy Taker\n  set b = find B where n == 'x'\n", to: "t.policy")
    try folder.write(
      "mapping from X/P1 to X/P2\n\nA: A -> A\n  policy Taker\nB: B -> B\n", to: "t.mapping")
    session("create one.sqlite --model X/P1")
    session("insert one.sqlite B n=x")
    session("insert one.sqlite A n=1 b=B/p1")
    session("create two.sqlite --model X/P1")
    session("insert two.sqlite A n=2")
    let rest = "--to X/P2 --mapping t.mapping --policies t.policy --output all.sqlite"
    #expect(session("migrate one.sqlite \(rest)").status == .done)
    let before = try folder.state()
    let refused = session("migrate two.sqlite \(rest) --append --strict=links")
    #expect(refused.status == .failed, "\(refused)")
    #expect(refused.diagnostics.contains("refused by --strict: policies would replace 1 link"))
    #expect(try folder.state() == before)
    let done = session("migrate two.sqlite \(rest) --append")
    #expect(done.status == .done, "\(done)")
    #expect(
      done.diagnostics.contains("policies have replaced 1 link of all.sqlite")
        && done.diagnostics.contains("A.b: 1 link"), "\(done)")
    let owners = "SELECT group_concat(ZN || '-' || ifnull(ZB, ''), ' ') FROM ZA ORDER BY Z_PK"
    #expect(try Python.value(owners, in: folder.path("all.sqlite")) == "1- 2-1")
  }

  @Test("an append that is refused leaves both stores unchanged")
  func refusals() throws {
    session("migrate old.sqlite --to V2 --output new.sqlite")
    session("create doc.xml --model V2")
    session("create other.sqlite --model V1")
    let before = try folder.state()
    for (arguments, id) in [
      ("--output missing.sqlite --append", "migration.appendMissing"),
      ("--output other.sqlite --append", "migration.appendVersion"),
      ("--output old.sqlite --append", "migration.sameStore"),
      ("--output doc.xml --append", "migration.appendNeedsSQLite"),
    ] {
      let refused = session("migrate old.sqlite --to V2 \(arguments)")
      #expect(refused.status == .failed && refused.diagnostics.contains(id), "\(refused)")
    }
    let same = session("migrate new.sqlite --to V2 --output other.sqlite --append")
    #expect(same.diagnostics.contains("migration.nothingToAppend"), "\(same)")
    for arguments in ["--append", "--output new.sqlite --append --force", "--append --dry-run"] {
      #expect(session("migrate old.sqlite --to V2 \(arguments)").status == .usage)
    }
    #expect(try folder.state() == before)
  }

  @Test(
    "a violation of a uniqueness constraint by the joined objects stops the append without changes")
  func unique() throws {
    let entity = { (more: String) in
      """
      <model><entity name="Photo"><attribute name="name" optional="YES" attributeType="String"/>\(more)
      <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
      </entity></model>
      """
    }
    try folder.write(entity(""), to: "A.xcdatamodel/contents")
    try folder.write(
      entity(#"<attribute name="size" optional="YES" attributeType="Integer 16"/>"#),
      to: "B.xcdatamodel/contents")
    try folder.write(Array(repeating: 7, count: 200_000), to: "large")
    for (name, photo) in [("one", "x"), ("two", "y"), ("three", "y")] {
      session("create \(name).sqlite --model A.xcdatamodel")
      #expect(
        session("insert \(name).sqlite Photo name=\(photo) data=@large --model A.xcdatamodel")
          .status == .done)
    }
    let options = "--to B.xcdatamodel --output all.sqlite"
    session("load A.xcdatamodel")
    #expect(session("migrate one.sqlite \(options)").status == .done)
    #expect(session("migrate two.sqlite \(options) --append").status == .done)
    let shown = session("rows all.sqlite Photo --model B.xcdatamodel --json")
    #expect(shown.output.contains(#""name":"y""#), "\(shown)")
    #expect(session("validate all.sqlite --model B.xcdatamodel").status == .done)
    let before = try folder.state()
    let refused = session("migrate three.sqlite \(options) --append")
    #expect(
      refused.status == .failed && refused.diagnostics.contains("store.notUnique"), "\(refused)")
    #expect(try folder.state() == before)
  }
}
