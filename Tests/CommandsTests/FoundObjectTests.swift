import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Objects of the store that a migration finds when it is appended: they change as by Core Data's manager, which
/// migrates into the store itself.
@Suite("Found objects of migrate --append")
struct FoundObjectTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
  }

  private static func end(_ name: String, _ kind: String, to entity: String, _ inverse: String?)
    -> String
  {
    let keys = [
      "one": "maxCount='1'", "many": "toMany='YES'", "ordered": "toMany='YES' ordered='YES'",
    ]
    return RuleCases.relationship(
      name, to: entity, inverse: inverse, "\(RuleCases.optional) \(keys[kind] ?? "")")
  }

  private static func attribute(_ name: String, _ type: String = "String", _ keys: String = "")
    -> String
  {
    RuleCases.attribute(name, type, "\(RuleCases.optional) \(keys)")
  }

  /// Writes a source with objects of these names, a store of the new model, and a mapping model with a policy.
  ///
  /// - Parameter entities: Those of the new model, in which `Item` is made of each source object.
  private func prepare(_ entities: String, names: [String], _ statements: String...) throws {
    let source = Self.attribute("name") + Self.attribute("data", "Binary")
    try folder.writeBundle([
      "V1": RuleCases.entity("Source", source), "V2": entities,
    ])
    session("load X.xcdatamodeld")
    session("create new.sqlite --model X/V1")
    for name in names { session("insert new.sqlite Source name=\(name) data=0xaabb") }
    session("create store.sqlite --model X/V2")
    try folder.write(
      "mapping from X/V1 to X/V2\n\nM: Source -> Item\n  policy Finder\n  name = $source.name\n",
      to: "M.mapping")
    try folder.write("policy Finder\n  \(statements.joined(separator: "\n  "))\n", to: "F.policy")
  }

  private static let migration =
    "migrate new.sqlite --from X/V1 --to X/V2 --mapping M.mapping --policies F.policy --output store.sqlite --append"

  private func append() {
    let answer = session(Self.migration)
    #expect(answer.output.contains("its objects are appended to store.sqlite"), "\(answer)")
    let valid = session("validate store.sqlite")
    #expect(valid.status == .done, "\(valid)")
  }

  private func value(_ query: String) throws -> String {
    try Python.value(query, in: folder.path("store.sqlite"))
  }

  private static let ends = ["one", "many", "ordered"].flatMap { own in
    ["one", "many", "ordered", nil].map { (own: own, inverse: $0) }
  }

  @Test(
    "both ends of a link to a found object agree, whatever it was linked to before",
    arguments: ends, [false, true])
  func links(ends: (own: String, inverse: String?), isLinked: Bool) throws {
    let (own, inverse) = ends
    let items = inverse.map { Self.end("items", $0, to: "Item", "boxes") } ?? ""
    try prepare(
      RuleCases.entity(
        "Item",
        Self.attribute("name") + Self.end("boxes", own, to: "Box", inverse.map { _ in "items" }))
        + RuleCases.entity("Box", Self.attribute("name") + items),
      names: ["g", "h", "g"], "set boxes = find Box where name == $source.name")
    for name in ["g", "h"] { session("insert store.sqlite Box name=\(name)") }
    session("insert store.sqlite Item name=old \(isLinked ? "boxes=p1" : "")")
    append()
    // A to-one inverse has one object, and so has a box of a to-many relationship without an inverse.
    let isShared = inverse == nil ? own == "one" : inverse != "one"
    let path = own == "one" ? "boxes.name" : "ANY boxes.name"
    func count(_ condition: String) -> String {
      session("count store.sqlite Item --where \"\(condition)\"").output
    }
    #expect(count("\(path) == 'g'") == (isShared ? (isLinked ? "3\n" : "2\n") : "1\n"))
    #expect(count("\(path) == 'h'") == "1\n")
    #expect(
      count("name == 'old' AND \(path) == 'g'") == (isShared && isLinked ? "1\n" : "0\n"))
  }

  @Test(
    "a found object whose new partner is deleted again has left the one that it had",
    arguments: ["one", "many", "ordered"])
  func deletedPartner(own: String) throws {
    try prepare(
      RuleCases.entity(
        "Item", Self.attribute("name") + Self.end("boxes", own, to: "Box", "item"))
        + RuleCases.entity(
          "Box", Self.attribute("name") + Self.end("item", "one", to: "Item", "boxes")),
      names: ["g"], "set boxes = find Box where name == $source.name", "delete when name == 'g'")
    for name in ["g", "h"] { session("insert store.sqlite Box name=\(name)") }
    session("insert store.sqlite Item name=old boxes=p1")
    session("insert store.sqlite Item name=other boxes=p2")
    append()
    #expect(
      try value("SELECT group_concat(Z_PK || ' ' || coalesce(ZITEM, '-')) FROM ZBOX") == "1 -,2 2")
    #expect(session("count store.sqlite Item --where 'name == \"old\"'").output == "1\n")
  }

  @Test("derived attributes of found objects count old and new objects")
  func derived() throws {
    try prepare(
      RuleCases.entity("Item", Self.attribute("name") + Self.end("box", "one", to: "Box", "items"))
        + RuleCases.entity(
          "Box",
          Self.attribute("name")
            + Self.attribute(
              "number", "Integer 64", "derived='YES' derivationExpression='items.@count'")
            + Self.end("items", "many", to: "Item", "box")),
      names: ["g", "x", "x"], "set box = find or create Box where name == $source.name")
    session("insert store.sqlite Box name=g")
    for name in ["a", "b"] { session("insert store.sqlite Item name=\(name) box=p1") }
    append()
    #expect(
      try value("SELECT group_concat(ZNAME || ZNUMBER || ' ') FROM ZBOX") == "g3 ,x2 ")
  }

  @Test(
    "external binary data of a found object is found and read as its bytes",
    arguments: [2, 200_000])
  func external(count: Int) throws {
    let bytes = [UInt8](repeating: 0xAA, count: count)
    try folder.write(bytes, to: "data")
    try prepare(
      RuleCases.entity(
        "Item",
        Self.attribute("name") + Self.attribute("copy", "Binary")
          + Self.end("box", "one", to: "Box", "items"))
        + RuleCases.entity(
          "Box",
          Self.attribute("name")
            + Self.attribute("data", "Binary", "allowsExternalBinaryDataStorage='YES'")
            + Self.end("items", "many", to: "Item", "box")),
      names: [], "set box = find or create Box where data == $source.data",
      "in end of relationships: set copy = box.data")
    session("insert new.sqlite Source name=g data=@data")
    session("insert store.sqlite Box name=g data=@data")
    append()
    #expect(try value("SELECT count(*) FROM ZBOX") == "1")
    #expect(try value("SELECT length(ZCOPY) || ' ' || ZBOX FROM ZITEM") == "\(count) 1")
  }

  @Test(
    "values of found objects are not those of new ones in the receipt", arguments: [false, true])
  func receipt(finds: Bool) throws {
    try prepare(
      RuleCases.entity(
        "Item",
        Self.attribute("name") + Self.attribute("note") + Self.end("other", "one", to: "Item", nil)),
      names: ["g", "h"], finds ? "set other = find Item where note == 'old'" : "set note = 'new'")
    session("insert store.sqlite Item name=x note=old")
    let answer = session(Self.migration)
    #expect(answer.output.contains("kept as they are: 1 attribute (2 values)"), "\(answer)")
    #expect(answer.output.contains("new, without values: 1 attribute") == finds, "\(answer)")
  }
}
