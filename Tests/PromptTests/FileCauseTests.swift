import Foundation
import TestSupport
import Testing

/// Every kind of file that the program opens, lists or creates, at a path where that cannot be done: the answer names
/// the system's cause, in Strata's words.
@Suite("Causes of failures to open or create files")
struct FileCauseTests {
  /// A command, with `@` where the path stands, and the end that such a file's name has.
  struct ErrorCase: Sendable, CustomTestStringConvertible {
    var name: String
    var command: String
    var end: String
    /// Whether the file is to be created.
    var creates = false

    var testDescription: String { name }
  }

  static let errorCases = [
    ErrorCase(name: "model", command: "show @", end: ".xcdatamodel"),
    ErrorCase(name: "compiled model", command: "hash @", end: ".mom"),
    ErrorCase(name: "bundle", command: "hash @ --all", end: ".xcdatamodeld"),
    ErrorCase(name: "compiled bundle", command: "show @", end: ".momd"),
    ErrorCase(name: "mapping model", command: "mapping show @", end: ".cdm"),
    ErrorCase(
      name: "policy", command: "plan t.sqlite --to sample:Topics/Model2 --policies @",
      end: ".policy"),
    ErrorCase(
      name: "stages", command: "plan t.sqlite --to sample:Topics/Model2 --stages @", end: ".stages"),
    ErrorCase(name: "notebook", command: "replay @", end: ".md"),
    ErrorCase(name: "script", command: "run @", end: ".strata"),
    ErrorCase(name: "store read", command: "metadata @", end: ".sqlite"),
    ErrorCase(name: "store written", command: "insert @ Topic presenterName=A", end: ".sqlite"),
    ErrorCase(name: "loading", command: "load @", end: ".sqlite"),
    ErrorCase(
      name: "new store", command: "create @ --model sample:Topics/Model1", end: ".sqlite",
      creates: true),
    ErrorCase(
      name: "new XML store", command: "create @ --model sample:Topics/Model1", end: ".xml",
      creates: true),
    ErrorCase(
      name: "output", command: "migrate t.sqlite --to sample:Topics/Model2 --output @",
      end: ".sqlite", creates: true),
    ErrorCase(
      name: "trace",
      command: "migrate t.sqlite --to sample:Topics/Model2 --dry-run --trace-json @", end: ".json",
      creates: true),
    ErrorCase(
      name: "written mapping model",
      command: "infer sample:Topics/Model2 sample:Topics/Model3 --write @", end: ".mapping",
      creates: true),
    ErrorCase(name: "project", command: "project @", end: ""),
    ErrorCase(name: "doctor", command: "doctor @", end: ".sqlite"),
  ]

  /// What makes the path unusable: how it is laid out in `made/`, the path, and what the answer may say.
  struct Cause: Sendable, CustomTestStringConvertible {
    var name: String
    var layOut: String
    var path: @Sendable (_ end: String) -> String
    var messages: [String]
    /// Whether it stands in the way of a file that is created, too.
    var isOfCreation = true

    var testDescription: String { name }

    init(
      _ name: String, _ layOut: String, messages: [String], isOfCreation: Bool = true,
      path: @escaping @Sendable (String) -> String
    ) {
      (self.name, self.layOut, self.messages) = (name, layOut, messages)
      self.isOfCreation = isOfCreation
      self.path = path
    }
  }

  private static let missing = ["no such", "does not exist", "is not there", "there is no"]
  static let causes: [Cause] = [
    Cause("missing", "", messages: missing, isOfCreation: false) { "./made/none\($0)" },
    Cause("missing folder", "", messages: missing) { "./made/none/none\($0)" },
    Cause("file instead of a folder", "echo x > made/file", messages: ["not a folder"]) {
      "./made/file/x\($0)"
    },
    Cause(
      "loop of links",
      "ln -s b made/a; ln -s a made/b; for e in .xcdatamodel .mom .xcdatamodeld .momd .cdm .policy .stages .md .strata .sqlite .xml .json .mapping; do ln -s l$e made/l$e; done; ln -s l made/l",
      messages: ["a loop of links"], isOfCreation: false
    ) { "./made/l\($0)" },
    Cause("loop of links above", "ln -s b made/a; ln -s a made/b", messages: ["a loop of links"]) {
      "./made/a/x\($0)"
    },
    Cause("name too long", "", messages: ["too long"]) {
      "./made/\(String(repeating: "n", count: 300))\($0)"
    },
  ]

  /// What no answer may say: Foundation's own words.
  private static let foundation = [
    "NSCocoaErrorDomain", "NSPOSIXErrorDomain", "The operation could not be completed",
    "Error Domain", "couldn’t be opened because", "couldn't be", "CocoaError", "please report",
  ]

  @Test("contain the message of the system", arguments: errorCases, causes.indices)
  func cause(errorCase: ErrorCase, index: Int) throws {
    let cause = Self.causes[index]
    guard cause.isOfCreation || !errorCase.creates else { return }
    // It creates the folders above its file.
    guard cause.name != "missing folder" || errorCase.name != "written mapping model" else {
      return
    }
    let folder = try TemporaryFolder()
    try Self.layOut(cause.layOut, folder)
    let command = errorCase.command.replacingOccurrences(
      of: "@", with: "'\(cause.path(errorCase.end))'")
    let run = try ShellRun("\"$1\" \(command)", in: folder.url.path)
    #expect([1, 2].contains(run.status), "\(command): \(run.status) \(run.text)")
    #expect(cause.messages.contains { run.text.contains($0) }, "\(command): \(run.text)")
    Self.checkMessage(run)
  }

  @Test("report missing permission, not a missing file", arguments: errorCases)
  func permission(errorCase: ErrorCase) throws {
    let folder = try TemporaryFolder()
    try Self.layOut("mkdir -p made/closed", folder)
    // Root may do everything: another user tries.
    let path = "./made/closed/x\(errorCase.end)"
    let command = errorCase.command.replacingOccurrences(of: "@", with: "'\(path)'")
    let line = """
      chmod 755 . made; chmod 644 t.sqlite
      mkdir -m 777 tmp; echo x > made/closed/x; chmod 000 made/closed
      export TMPDIR=$PWD/tmp HOME=/nowhere
      if [ $(id -u) != 0 ]; then exec "$1" \(command); fi
      command -v setpriv >/dev/null || exit 99
      setpriv --reuid=65534 --regid=65534 --clear-groups "$1" --version >/dev/null 2>&1 || exit 99
      exec setpriv --reuid=65534 --regid=65534 --clear-groups "$1" \(command)
      """
    let run = try ShellRun(line, in: folder.url.path)
    _ = try ShellRun("chmod 755 made/closed", in: folder.url.path)
    guard run.status != 99 else { return }
    #expect([1, 2].contains(run.status), "\(command): \(run.status) \(run.text)")
    #expect(run.text.contains("permission denied"), "\(command): \(run.text)")
    Self.checkMessage(run)
  }

  @Test("what a machine lacks says nothing of a -wal: doctor --fix leaves it")
  func committedChanges() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("s.sqlite"))
    let writer = try OtherProgram(using: folder.path("s.sqlite"))
    try writer.run("PRAGMA journal_mode = WAL")
    try writer.run("UPDATE ZTOPIC SET ZCONTENT = 'committed'")
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: folder.path("s.sqlite\(end)"), toPath: folder.path("t.sqlite\(end)"))
    }
    writer.close()
    func state() -> [Data?] {
      ["", "-wal"].map { FileManager.default.contents(atPath: folder.path("t.sqlite\($0)")) }
    }
    let before = state()
    for limit in ["TMPDIR=/nowhere"] + (4...20).map({ "ulimit -n \($0);" }) {
      let run = try ShellRun("\(limit) \"$1\" doctor t.sqlite --fix", in: folder.url.path)
      #expect(!run.text.contains("another store"), "\(limit): \(run.text)")
      guard state() == before else {
        // With enough files it writes the changes to the store, as it should.
        let count = try Python.value(
          "SELECT count(*) FROM ZTOPIC WHERE ZCONTENT = 'committed'", in: folder.path("t.sqlite"))
        #expect(count == "3", "\(limit): \(run.text)")
        return
      }
    }
  }

  @Test("report too many open files", arguments: errorCases)
  func openFiles(errorCase: ErrorCase) throws {
    let folder = try TemporaryFolder()
    try Self.layOut("", folder)
    let created = try ShellRun(
      "\"$1\" write sample:Topics M.xcdatamodeld && echo 'policy A' > x.policy && echo 'samples' > x.strata",
      in: folder.url.path)
    try #require(created.status == 0, "\(created.text)")
    let files = [
      ".xcdatamodel": "M.xcdatamodeld/Model1", ".xcdatamodeld": "M.xcdatamodeld",
      ".sqlite": "t.sqlite", ".policy": "x.policy", ".strata": "x.strata", "": ".",
    ]
    guard !errorCase.creates, let file = files[errorCase.end] else { return }
    let command = errorCase.command.replacingOccurrences(of: "@", with: file)
    // How many files the program itself needs, nobody promises: all small limits are tried.
    for limit in 3...20 {
      let run = try ShellRun("ulimit -n \(limit); exec \"$1\" \(command)", in: folder.url.path)
      // With three files the loader of a program that is not static finds no libraries.
      guard run.status != 127 else { continue }
      #expect(run.status < 127, "\(limit): \(command): \(run.status)")
      Self.checkMessage(run)
      #expect(
        run.status < 2 || run.text.contains("too many open files"),
        "\(limit): \(command): \(run.status) \(run.text)")
    }
  }

  @Test(
    "with too few file descriptors, writing a store leaves no partial files and says how to raise the limit",
    arguments: [
      "create new.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate t.sqlite --to sample:Topics/Model2",
      "migrate t.sqlite --to sample:Topics/Model2 --output new.sqlite",
      "migrate t.sqlite --to sample:Topics/Model5 --strategy lightweight",
      "insert t.sqlite TopicList title=x",
    ])
  func incomplete(command: String) throws {
    for limit in 3...24 {
      let folder = try TemporaryFolder()
      try Self.layOut("", folder)
      let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
      let run = try ShellRun("ulimit -n \(limit); exec \"$1\" \(command)", in: folder.url.path)
      guard run.status != 0, run.status != 127 else { continue }
      #expect(run.status == 2, "\(limit): \(run.status) \(run.text)")
      #expect(run.text.contains("too many open files"), "\(limit): \(run.text)")
      #expect(run.text.contains("ulimit -n"), "\(limit): \(run.text)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before,
        "\(limit): \(run.text)")
    }
  }

  private static func layOut(_ commands: String, _ folder: TemporaryFolder) throws {
    let run = try ShellRun(
      "mkdir made; \"$1\" create t.sqlite --model sample:Topics/Model1 --rows 1; \(commands)",
      in: folder.url.path)
    try #require(run.errors.isEmpty, "\(run.text)")
  }

  private static func checkMessage(_ run: ShellRun) {
    for message in foundation { #expect(!run.text.contains(message), "\(run.text)") }
  }
}
