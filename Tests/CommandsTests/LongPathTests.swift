import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// SQLite opens paths of up to 512 bytes, and a store has journals.
@Suite("Stores with long paths")
struct LongPathTests {
  /// Lines after which the store is at Model4 or has been read; `s` is the store.
  private static let methods = [
    "migrate s --to sample:Topics/Model2",
    "migrate s --to sample:Topics/Model2 --proof",
    "migrate s --to sample:Topics/Model2 --keep-old always",
    "migrate s --to sample:Topics/Model2 --dry-run",
    "migrate s --to sample:Topics/Model2 --output n",
    "migrate s --to sample:Topics/Model4 --strategy hybrid",
    "migrate s --to sample:Topics/Model4 --strategy progressive --dry-run",
    "migrate s --to sample:Topics/Model4 --strategy staged --stages sample:Topics",
    "debug s --to sample:Topics/Model2; continue; commit",
    "plan s --to sample:Topics/Model4 --strategy hybrid",
    "sql s 'SELECT 1'",
    "insert s Topic presenterName=x",
    "compare s s --rows",
    "migrate t --to sample:Topics/Model2",
    "migrate t --to sample:Topics/Model4 --strategy hybrid",
  ]

  @Test(
    "a store with a path of 460 bytes is migrated by every method", .part(2), arguments: methods,
    [1, 12, 220])
  func migrates(method: String, nameLength: Int) throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "n", count: max(1, nameLength - 7))
    let parent = try Self.folder(of: 460 - name.utf8.count - 8, in: folder)
    let session = TestSession(Session(folder: parent))
    session("load sample:Topics")
    session("create \(name).sqlite --model sample:Topics/Model1 --rows 3")
    session("create \(name).xml --model sample:Topics/Model1 --rows 3")
    for part in method.split(separator: "; ") {
      let line = part.split(separator: " ").map { word in
        switch word {
        case "s": "\(name).sqlite"
        case "t": "\(name).xml"
        case "n": "\(name.dropLast())2.sqlite"
        default: String(word)
        }
      }.joined(separator: " ")
      let answer = session(line)
      #expect(answer.status == .done, "\(line): \(answer)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: parent)
      .filter { $0.hasPrefix(".") }
    #expect(left.isEmpty, "\(left)")
  }

  /// A folder in another whose path has so many bytes.
  private static func folder(of length: Int, in root: TemporaryFolder) throws -> String {
    var path = root.url.path
    while path.utf8.count < length {
      var next = min(100, length - path.utf8.count - 1)
      // One byte for a separator and none for a name would be left.
      if length - path.utf8.count - 1 - next == 1 { next -= 1 }
      path += "/" + String(repeating: "f", count: next)
    }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }
}
