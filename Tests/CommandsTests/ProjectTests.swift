import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Projects")
struct ProjectTests {
  @Test(
    "a policy or stages file that is a pipe, a folder or outside a replayed document is not read",
    arguments: [("policy", "policy Secret\n"), ("stages", "stage lightweight Secret\n")])
  func unreadable(kind: String, text: String) throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    try other.write(text, to: "p.\(kind)")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.\(kind)"), withDestinationPath: other.path("p.\(kind)"))
    #expect(mkfifo(folder.path("pipe.\(kind)"), 0o600) == 0)
    try folder.write("", to: "folder.\(kind)/file")
    let session = TestSession(
      try Session(replayingIn: folder.url.path, below: [folder.url.path]))
    let shown = session("project .")
    #expect(shown.status == .done && !shown.output.contains("Secret"), "\(shown)")
    for (name, why) in [
      ("link", "can only access files in"), ("pipe", "a pipe or a device"), ("folder", "a folder"),
    ] {
      let row = shown.output.split(separator: "\n").first { $0.contains("\(name).\(kind)") }
      #expect(row?.contains(why) == true, "\(name): \(shown)")
    }
  }

  @Test(
    "a folder is loaded whole: files with one name get those of their folders, and stay one when loaded again"
  )
  func collisions() throws {
    let folder = try TemporaryFolder()
    let model = "<model><entity name='A'/></model>"
    let places = ["", "a/M/", "b/M/", "b/M/N/"]
    for place in places {
      try folder.write(model, to: "\(place)App.xcdatamodeld/V1.xcdatamodel/contents")
    }
    let session = TestSession(in: folder)
    for _ in 0..<2 {
      let answer = session("load .")
      #expect(answer.output.contains("loaded \(places.count) items of ."), "\(answer)")
      let loaded = session("loaded").output
      let names = ["App", "M-App", "b-M-App", "N-App"]
      #expect(
        names.allSatisfy { loaded.contains("\($0): ") || loaded.contains("\($0) ") }, "\(loaded)")
      #expect(names.allSatisfy { session("hash '\($0)/V1'").status == .done }, "\(loaded)")
    }
  }

  @Test(
    "a store whose objects stop its only migration does not reach the current version, as `plan` says",
    arguments: [
      ("<attribute name='b' attributeType='String'/>", ""),
      (
        "",
        "<uniquenessConstraints><uniquenessConstraint><constraint value='a'/></uniquenessConstraint></uniquenessConstraints>"
      ),
      ("<attribute name='b' optional='YES' attributeType='String'/>", ""),
    ], [true, false])
  func stoppedStore(new: (attribute: String, constraint: String), hasObjects: Bool) throws {
    let folder = try TemporaryFolder()
    for (version, rest) in [("V1", ""), ("V2", new.attribute + new.constraint)] {
      try folder.write(
        "<model><entity name='A'><attribute name='a' optional='YES' attributeType='String'/>\(rest)</entity></model>",
        to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try folder.write(
      "<plist version='1.0'><dict><key>_XCCurrentVersionName</key><string>V2.xcdatamodel</string></dict></plist>",
      to: "App.xcdatamodeld/.xccurrentversion")
    let session = TestSession(in: folder)
    session("create s.sqlite --model App.xcdatamodeld/V1")
    if hasObjects { for _ in 0..<2 { session("insert s.sqlite A a=x") } }
    let planned = session("plan s.sqlite --to App.xcdatamodeld")
    let shown = session("project")
    #expect(planned.status == (hasObjects && !new.attribute.contains("optional") ? .no : .done))
    #expect(shown.status == planned.status, "\(shown)")
    #expect(shown.output.contains("; but A") == (planned.status == .no), "\(shown)")
  }

  @Test("a folder that is too deep to be read is named as such")
  func deep() throws {
    let folder = try TemporaryFolder()
    let model = "<model><entity name='A'/></model>"
    let deepest = String(repeating: "f/", count: 16)
    try folder.write(model, to: "App.xcdatamodeld/V1.xcdatamodel/contents")
    try folder.write(model, to: "\(deepest)Deep.xcdatamodeld/V1.xcdatamodel/contents")
    for command in ["project .", "check --no-stores"] {
      let answer = TestSession(in: folder)(command)
      #expect(
        answer.diagnostics.contains("in more than 16 others: they are not read"), "\(answer)")
      #expect(!answer.output.contains("Deep"), "\(answer)")
    }
  }
}
