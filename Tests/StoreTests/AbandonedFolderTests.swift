import Foundation
import StrataSQLite
import TestSupport
import Testing

@testable import StrataStore

@Suite("Private folders of dead processes")
struct AbandonedFolderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static var newName: String {
    "strata-\(String(UInt64.random(in: (1 << 60) ... .max), radix: 16))"
  }

  /// Makes a folder as a process leaves it, and returns its path.
  private func make(
    _ mark: String?, name: String = Self.newName, mode: Int = 0o700
  ) throws -> String {
    try folder.write("a copy of a store", to: "\(name)/store.sqlite")
    if let mark { try folder.write(mark, to: "\(name)/strata-process") }
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.path(name))
    return folder.path(name)
  }

  private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  private static let boot =
    (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
    .trimmingCharacters(in: .whitespacesAndNewlines) ?? "-"
  private static let host = ProcessInfo.processInfo.hostName

  @Test("folders of dead processes are deleted")
  func dead() throws {
    let marks = [
      "999999999\n", "999999999 17 \(Self.boot) \(Self.host)\n",
      // A process that lives has its number, and started at another time.
      "1 17 \(Self.boot) \(Self.host)\n",
      // The computer has been started again since.
      "\(ProcessInfo.processInfo.processIdentifier) 17 no-such-boot \(Self.host)\n",
    ]
    let left = try marks.map { try make($0) }
    #expect(AbandonedFolders.paths(in: folder.url.path) == left.sorted())
    AbandonedFolders.sweep(folder.url.path)
    for path in left { #expect(!isThere(path)) }
  }

  @Test("other folders are kept: living owners, other hosts, no mark, other names, links")
  func others() throws {
    let dead = "999999999\n"
    let process = ProcessInfo.processInfo.processIdentifier
    let kept = [
      try make("\(process)\n"), try make("1\n"),
      try make("999999999 17 no-such-boot elsewhere.example\n"), try make(nil), try make(""),
      try make("99999"), try make("-1\n"), try make("anything\n"),
      try make(dead, name: "strata-tests-1"), try make(dead, name: "strata-1"),
      try make(dead, name: "other-\(UUID().uuidString)"), try make(dead, mode: 0o755),
    ]
    let real = try make(dead, name: "real")
    let link = folder.path(Self.newName)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
    // A mark that is a link is none.
    let linked = try make(nil)
    try folder.write(dead, to: "mark")
    try FileManager.default.createSymbolicLink(
      atPath: "\(linked)/strata-process", withDestinationPath: folder.path("mark"))
    AbandonedFolders.sweep(folder.url.path)
    for path in kept + [real, link, linked] { #expect(isThere(path), "\(path)") }
    #expect(isThere(real + "/store.sqlite"))
  }

  @Test("a folder without a complete mark is deleted after having had nothing else for an hour")
  func unmarked() throws {
    func make(
      _ age: TimeInterval, file: String? = nil, mark: String? = nil, mode: Int = 0o700
    ) throws -> String {
      let path = folder.path(Self.newName)
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: mode])
      if let file { try Data().write(to: URL(fileURLWithPath: "\(path)/\(file)")) }
      if let mark { try Data(mark.utf8).write(to: URL(fileURLWithPath: "\(path)/strata-process")) }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
      return path
    }
    let old = try [make(3700), make(3700, mark: ""), make(3700, mark: "99999")]
    let writing = try make(3700, mark: "")
    let lock = open("\(writing)/strata-process", O_RDWR)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let process = ProcessInfo.processInfo.processIdentifier
    let kept = try [
      writing, make(3500), make(0), make(3500, mark: ""), make(3700, file: "store.sqlite"),
      make(3700, file: "store.sqlite", mark: ""), make(3700, mark: "\(process)\n"),
      make(3700, mode: 0o755), make(3700, mark: "", mode: 0o755),
    ]
    AbandonedFolders.sweep(folder.url.path)
    for path in old { #expect(!isThere(path)) }
    for path in kept { #expect(isThere(path)) }
  }

  @Test("a link in such a folder is deleted, its target is kept")
  func linkInside() throws {
    let outside = try folder.write("mine", to: "outside/file")
    let left = try make("999999999\n")
    try FileManager.default.createSymbolicLink(
      atPath: "\(left)/link", withDestinationPath: folder.path("outside"))
    AbandonedFolders.sweep(folder.url.path)
    #expect(!isThere(left) && isThere(outside))
  }

  @Test("a folder with a locked mark is kept, whatever its process number")
  func locked() throws {
    let left = try make("999999999 17 \(Self.boot) \(Self.host)\n")
    let lock = open("\(left)/strata-process", O_RDWR)
    #expect(flock(lock, LOCK_EX) == 0)
    AbandonedFolders.sweep(folder.url.path)
    #expect(isThere(left))
    close(lock)
    AbandonedFolders.sweep(folder.url.path)
    #expect(!isThere(left))
  }

  @Test("concurrent cleanups delete each folder once, and none of a living process")
  func together() async throws {
    let left = try (1...40).map { _ in try make("999999999\n") }
    let own = try PrivateFolder(path: folder.path(Self.newName))
    let parent = folder.url.path
    let removed = await withTaskGroup(of: Int.self) { group in
      for _ in 1...8 {
        group.addTask {
          AbandonedFolders.paths(in: parent).count { AbandonedFolders.remove($0) }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(removed == left.count)
    for path in left { #expect(!isThere(path)) }
    #expect(isThere(own.path))
  }

  @Test("the mark of a private folder identifies its owner as long as the folder exists")
  func mark() throws {
    let path = folder.path(Self.newName)
    do {
      let own = try PrivateFolder(path: path)
      #expect(ProcessMark.owner(of: own.path) == .own)
      #expect(AbandonedFolders.paths(in: folder.url.path).isEmpty)
      #expect(!AbandonedFolders.remove(own.path))
    }
    #expect(!isThere(path))
  }
}
