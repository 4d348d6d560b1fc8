import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Objects that a policy or a stage creates for others, `set NAME = create ENTITY with …`.
@Suite("Created objects")
struct CreatedObjectsTests {
  /// A store of `sample:Flight/A` with two aircraft that have the same data, and one that has none.
  private static func session(in folder: TemporaryFolder) -> TestSession {
    let session = TestSession(in: folder)
    session("create f.sqlite --model sample:Flight/A")
    for _ in 0..<2 { session("insert f.sqlite Aircraft FLIGHT_DATA=0x0102") }
    session("insert f.sqlite Aircraft tailNumber=N3")
    return session
  }

  @Test("a policy creates an object for each source object, also if values are equal")
  func policy() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      mapping from sample:Flight/A to sample:Flight/B
      AircraftToAircraft: Aircraft -> Aircraft
        policy Move
        FLIGHT_DATA <- nothing
      FlightData: -> FlightData

      """, to: "f.mapping")
    try folder.write(
      "policy Move\n  in relationships: set FLIGHT_DATA = create FlightData with data = $source.FLIGHT_DATA\n",
      to: "f.policy")
    let session = Self.session(in: folder)
    let answer = session(
      "migrate f.sqlite --to sample:Flight/B --mapping f.mapping --policies f.policy --output g.sqlite"
    )
    #expect(answer.status == .done, "\(answer)")
    #expect(session("expect count g.sqlite FlightData 3").status == .done)
    #expect(session("validate g.sqlite").status == .done)
  }

  @Test(
    "a policy creates objects of an entity whose own objects come later, with links among them",
    arguments: ["in begin", "in end of creation"], ["create", "find or create"])
  func earlier(phase: String, verb: String) throws {
    let folder = try TemporaryFolder()
    let node = "\n  name String\n  kids -> Node many inverse=up\n  up -> Node inverse=kids\n"
    try folder.writeBundle(brief: [
      "V1": "First\n  name String\nNode" + node,
      "V2": "First\n  name String\nNode versionHashModifier=2" + node,
    ])
    try folder.write(
      "mapping from X/V1 to X/V2\nF: First -> First\n  policy P\nN: Node -> Node\n", to: "n.mapping"
    )
    let search = verb == "create" ? "with name = 'new'" : "where name == 'new'"
    try folder.write("policy P\n  \(phase): \(verb) Node \(search)\n", to: "n.policy")
    let session = TestSession(in: folder)
    session("load X.xcdatamodeld")
    session("create s.sqlite --model X/V1")
    for line in ["First name=f", "Node name=a", "Node name=b up=Node/p1", "Node name=c up=Node/p2"]
    {
      session("insert s.sqlite \(line)")
    }
    let answer = session(
      "migrate s.sqlite --to X/V2 --mapping n.mapping --policies n.policy --output o.sqlite")
    #expect(answer.status == .done, "\(answer)")
    let pairs =
      "SELECT group_concat(pair) FROM (SELECT n.ZNAME || '-' || ifnull(u.ZNAME, '') AS pair "
      + "FROM ZNODE n LEFT JOIN ZNODE u ON n.ZUP = u.Z_PK ORDER BY n.ZNAME)"
    #expect(try Python.value(pairs, in: folder.path("o.sqlite")) == "a-,b-a,c-b,new-")
  }

  @Test(
    "a wrong name in a stage is an error, and the store is unchanged",
    arguments: [
      ("set tmpStorag = create FlightData with data = FLIGHT_DATA", "tmpStorag"),
      ("set tmpStorage = create FlightDat with data = FLIGHT_DATA", "FlightDat"),
      ("set tmpStorage = create FlightData with date = FLIGHT_DATA", "date"),
      ("set tmpStorage = create FlightData with data = FLIGHT_DAT", "FLIGHT_DAT"),
      ("set tmpStorage = find or create FlightData where dat == FLIGHT_DATA", "dat"),
    ])
  func wrongNames(step: String, name: String) throws {
    let folder = try TemporaryFolder()
    let session = Self.session(in: folder)
    #expect(session("migrate f.sqlite --to sample:Flight/APrime").status == .done)
    try folder.write(
      "stage lightweight A\nstage custom APrime -> B\n  will: Aircraft: \(step)\n",
      to: "f.stages")
    let before = try folder.state()["f.sqlite"]?.bytes
    let answer = session("migrate f.sqlite --to sample:Flight/B --stages f.stages")
    #expect(answer.status == .failed && answer.diagnostics.contains(name), "\(answer)")
    #expect(try folder.state()["f.sqlite"]?.bytes == before)
  }

  @Test("values that a stage does not copy are lost: reported, and refused with --strict")
  func partialCopy() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create f.sqlite --model sample:Flight/A")
    for number in 1...3 {
      session("insert f.sqlite Aircraft tailNumber=N\(number) FLIGHT_DATA=0x0102")
    }
    try folder.write(
      "stage lightweight A\nstage custom APrime -> B\n  will: Aircraft: set tmpStorage = create FlightData with data = FLIGHT_DATA when tailNumber == \"N1\"\n",
      to: "f.stages")
    let rehearsal = session("migrate f.sqlite --to sample:Flight/B --stages f.stages --dry-run")
    #expect(rehearsal.output.contains("computed from Aircraft.FLIGHT_DATA; 2 lost"))
    #expect(rehearsal.output.contains("2 values would be lost"), "\(rehearsal.output)")
    #expect(
      session("expect not loses nothing f.sqlite sample:Flight/B --stages f.stages").status == .done
    )
    let strict = session("migrate f.sqlite --to sample:Flight/B --stages f.stages --strict")
    #expect(strict.status == .failed && strict.output.contains("2 values would be lost"))
    #expect(session("count f.sqlite Aircraft").output.contains("3"))
    #expect(
      session("expect loses nothing f.sqlite sample:Flight/B --stages sample:Flight").status
        == .done)
  }

  @Test("the stepper goes back over a stage that has created objects")
  func steppedBack() throws {
    let folder = try TemporaryFolder()
    let session = Self.session(in: folder)
    session("migrate f.sqlite --to sample:Flight/APrime --stages sample:Flight")
    session("debug f.sqlite --to sample:Flight/B --stages sample:Flight")
    let count = "sql destination \"SELECT 'n' || count(*) FROM ZFLIGHTDATA\""
    for _ in 0..<2 {
      session("step")
      #expect(session(count).output.contains("n2"))
      session("back")
      #expect(session(count).output.contains("n0"))
    }
    #expect(session("finish").status == .done)
    #expect(session("commit").status == .done)
    #expect(session("expect count f.sqlite FlightData 2").status == .done)
    #expect(session("validate f.sqlite").status == .done)
  }
}
